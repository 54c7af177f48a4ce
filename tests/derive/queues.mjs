// @ts-check
// On which CPU's runqueue tasks wait, and how many at a time; from the text of a report alone.

/** @typedef {import('./tasks.mjs').Task} Task */
/** @typedef {import('./tasks.mjs').TaskStory} TaskStory */
/** @typedef {TaskStory['waits'][number]} Wait */
/** @typedef {{task: Task, comm: string, cpu: number | undefined, start: number, end: number, wait: Wait}} Queued a part of a wait */

/**
 * The parts of all waits, each on one CPU. A move says which runqueue the task left; a wait ends on the CPU that
 * switches the task in. If none does, it ends on the CPU to which the task was last moved, else on that of the event
 * that began it.
 *
 * @param {TaskStory} story
 * @param {import('./report.mjs').Report} report
 * @returns {Queued[]}
 */
export function deriveQueues(story, { events }) {
  /** @type {Map<Task, TaskStory['migrations']>} */
  const moves = new Map();
  // A placement is part of the wakeup, before the wait.
  for (const move of story.migrations.filter(({ kind }) => kind !== 'placement')) {
    if (!moves.has(move.task)) moves.set(move.task, []);
    moves.get(move.task)?.push(move);
  }
  const begunOn = begins(story, events);
  return story.waits.flatMap((wait) => {
    const { task, comm, start, end } = wait;
    const during = (moves.get(task) ?? []).filter(({ t }) => start <= t && t <= end);
    const cuts = [start, ...during.map(({ t }) => t), end];
    const last = wait.cpu ?? (during.length > 0 ? during.at(-1)?.target : begunOn(task.pid, start));
    const cpus = [...during.map(({ origin }) => origin), last];
    return cpus
      .map((cpu, part) => ({ task, comm, cpu, start: cuts[part] ?? start, end: cuts[part + 1] ?? end, wait }))
      .filter((part) => part.start < part.end);
  });
}

/**
 * The CPU of the event that made a task wait, by switching it out or waking it, for waits that no switch-in ended.
 *
 * @param {TaskStory} story
 * @param {import('./report.mjs').Report['events']} events
 * @returns {(pid: number, at: number) => number | undefined}
 */
function begins({ waits }, events) {
  const loose = waits.filter(({ cpu }) => cpu === undefined);
  const wanted = new Set(loose.map(({ task, start }) => `${task.pid}@${start}`));
  const starts = new Set(loose.map(({ start }) => start));
  const cpus = new Map();
  for (const { t, pid, kind, cpu, target } of events) {
    const key = `${pid}@${t}`;
    if (!starts.has(t) || !wanted.has(key)) continue;
    if (kind === 'sched_switch') cpus.set(key, cpu);
    else if (kind.startsWith('sched_wakeup') && !cpus.has(key)) cpus.set(key, target);
  }
  return (pid, at) => cpus.get(`${pid}@${at}`);
}

/**
 * How long tasks wait in all, and the most of them at a time.
 *
 * @param {{start: number, end: number}[]} own parts on one CPU, clipped to a window
 */
export function queueOf(own) {
  // A task that leaves at an instant is gone before one that comes at the same instant.
  const changes = own.flatMap(({ start, end }) => [
    { t: start, by: 1 },
    { t: end, by: -1 },
  ]);
  changes.sort((a, b) => a.t - b.t || a.by - b.by);
  let [depth, most, sum] = [0, 0, 0];
  for (const { by } of changes) {
    depth += by;
    most = Math.max(most, depth);
  }
  for (const { start, end } of own) sum += end - start;
  return { most, sum };
}
