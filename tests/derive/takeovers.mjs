// @ts-check
// When a thread takes over its leader's pid. An exec by a thread that does not lead its process shows this (`pid` is
// not `old_pid`), but the two tasks already write under their new pids shortly before it.

/** @typedef {import('./report.mjs').Event} Event */

/**
 * The pid of the task that runs on a CPU before its first switch: the one that the first takeover there ends.
 *
 * @param {Event[]} events with takeovers
 * @param {Event} first the CPU's first switch
 */
export function pidBefore(events, first) {
  const early = events.find((event) => event === first || (event.kind === 'takeover' && event.target === first.cpu));
  return early?.kind === 'takeover' ? early.next : first.pid;
}

/**
 * Puts an event of kind `takeover`, of `pid` from `next`, before the first event that shows it. Its `target` is the CPU
 * on which the thread runs, if that is known.
 *
 * @param {Event[]} events in order
 * @param {number} cpus
 */
export function withTakeovers(events, cpus) {
  const execs = events.filter((event) => event.kind === 'sched_process_exec' && event.pid !== event.next);
  if (execs.length === 0) return events;
  /** @param {number} old @param {number} pid */
  const toCome = (old, pid) => execs.find((exec) => exec.next === old && exec.pid === pid && !known.has(exec));
  /** @type {Set<Event>} that a takeover was put in for */
  const known = new Set();
  const running = firstPids(events, cpus);
  /** @type {Event[]} */
  const all = [];
  /** @param {Event} exec @param {Event} shown */
  const take = (exec, { t, cpu }) => {
    known.add(exec);
    const lane = running[cpu] === exec.next ? cpu : running.indexOf(exec.next);
    if (lane >= 0) running[lane] = exec.pid;
    all.push({ ...exec, kind: 'takeover', t, cpu, target: lane >= 0 ? lane : undefined });
  };
  for (const event of events) {
    const { kind, cpu, pid, by, next } = event;
    const who = running[cpu];
    if (kind === 'lost') running[cpu] = undefined;
    else if (who !== undefined) {
      const writer = kind === 'sched_switch' ? pid : by;
      const own = toCome(who, writer);
      // The leader dies under the pid that the thread had.
      const leaders = toCome(writer, who);
      if (own) take(own, event);
      else if (leaders) take(leaders, event);
    }
    if (execs.includes(event)) {
      if (!known.has(event)) take(event, event);
      execs.splice(execs.indexOf(event), 1);
    }
    all.push(event);
    if (kind === 'sched_switch') running[cpu] = next;
  }
  return all;
}

/**
 * The tasks that run on the CPUs when the trace begins, as the first switches, and execs before them, show.
 *
 * @param {Event[]} events
 * @param {number} cpus
 */
function firstPids(events, cpus) {
  return Array.from({ length: cpus }, (_, cpu) => {
    const own = events.filter((event) => event.cpu === cpu);
    const end = own.findIndex(({ kind }) => kind === 'sched_switch' || kind === 'lost');
    if (own[end]?.kind !== 'sched_switch') return undefined;
    const exec = own.slice(0, end).find((event) => event.kind === 'sched_process_exec' && event.pid !== event.next);
    return exec?.next ?? own[end].pid;
  });
}
