// @ts-check
// Derives all the numbers of `corelane stats --json` from the text of a report alone.

import { deriveBehind, deriveStanding } from './behind.mjs';
import { deriveCurves, knownCpus } from './curves.mjs';
import { deriveLanes } from './lanes.mjs';
import { parseStateTable, stateLetters } from './printFmt.mjs';
import { placesOf } from './queries.mjs';
import { deriveQueues, queueOf } from './queues.mjs';
import { deriveTasks } from './tasks.mjs';

/** @typedef {import('./tasks.mjs').Task} Task */
/** @typedef {import('./curves.mjs').Period} Period */
/** @typedef {ReturnType<typeof deriveTrace>} DerivedTrace */
/** @typedef {ReturnType<typeof deriveNumbers>} Numbers */

/**
 * Everything that a report says about which task ran where and what happened to the tasks.
 *
 * @param {import('./report.mjs').Report} report
 * @param {string} printFmt the print fmt line of the trace's sched_switch
 */
export function deriveTrace(report, printFmt) {
  const table = parseStateTable(printFmt);
  /** @param {number} raw */
  const letters = (raw) => stateLetters(table, raw);
  const story = deriveTasks(report, letters);
  const sleep = report.events.find(({ kind, comm }) => kind === 'sched_process_exit' && comm === 'sleep');
  const queued = deriveQueues(story, report);
  return { report, letters, lanes: deriveLanes(report), story, queued, afterSleep: sleep?.t };
}

/**
 * @typedef {object} Selection what the options of the same names say
 * @property {number} [from] clip to this half-open window (the trace's last instant belongs to the trace)
 * @property {number} [to]
 * @property {boolean} [forked] only tasks that were created in the trace (what CPUs did stays the same)
 * @property {boolean} [movable] only tasks that ran on two CPUs
 * @property {number[]} [cpus]
 * @property {string} [target]
 * @property {string[]} [comms]
 * @property {number[]} [pids]
 */

/**
 * The content of a selection.
 *
 * @param {DerivedTrace} trace
 * @param {Selection} selection
 */
export function selected({ report, story }, selection) {
  const { from = report.first, to = report.last, forked, movable, target = '', comms, pids } = selection;
  // All CPUs are the same as none given.
  const isAll = Array.from({ length: report.cpus }, (_, cpu) => cpu).every((cpu) => selection.cpus?.includes(cpu));
  const cpus = isAll ? undefined : selection.cpus;
  /** The task that a thread was first. @param {Task} task @returns {Task} */
  const thread = (task) => (task.continues ? thread(task.continues) : task);
  /** @type {Map<Task, Set<number>>} */
  const ranOn = new Map();
  for (const { task, cpu } of movable ? story.runs : [])
    ranOn.set(thread(task), (ranOn.get(thread(task)) ?? new Set()).add(cpu));
  /** @param {Task} task @param {string} comm */
  const shows = (task, comm) =>
    (!forked || task.forked) &&
    (!movable || (ranOn.get(thread(task))?.size ?? 0) > 1) &&
    comm.startsWith(target) &&
    (comms?.includes(comm) ?? true) &&
    (pids?.includes(task.pid) ?? true);
  return {
    window: { first: from, last: to, closed: to === report.last },
    whole: from === report.first && to === report.last,
    /** @param {number} t */
    within: (t) => from <= t && (t < to || to === report.last),
    /** @param {{task: Task, comm: string}} of */
    shows: ({ task, comm }) => shows(task, comm),
    /** Whether a task is in the selection under any of its names. @param {Task} task */
    hasTask: (task) => [...task.comms].some((comm) => shows(task, comm)),
    /** @param {number | undefined} cpu */
    hasCpu: (cpu) => cpus === undefined || (cpu !== undefined && cpus.includes(cpu)),
    hasAllCpus: cpus === undefined,
    all: forked || movable || cpus || target || comms || pids ? undefined : true,
  };
}

/**
 * The numbers of a trace, or of a part of it.
 *
 * @param {DerivedTrace} trace
 * @param {Selection} [selection]
 */
export function deriveNumbers(trace, selection = {}) {
  const { lanes, story } = trace;
  const { window, whole, within, shows, hasTask, hasCpu, hasAllCpus } = selected(trace, selection);
  /** @param {{task: Task, comm: string, cpu: number | undefined}} of */
  const isIn = (of) => shows(of) && hasCpu(of.cpu);
  /**
   * @template {Period} T
   * @param {T[]} intervals
   */
  const clipped = (intervals) => (whole ? intervals : clip(intervals, window));
  const runs = clipped(story.runs.filter(isIn));
  const waits = clipped(story.waits.filter(isIn));
  const switches = story.switches.filter((of) => isIn(of) && within(of.t));
  const migrations = story.migrations.filter((of) => hasTask(of.task) && within(of.t));
  const places = placesOf(trace);
  const all = story.latencies.filter((of) => isIn(of) && within(of.since));
  const latencies = all.filter((latency) => !places.doubts(latency));
  const unsure = all.filter((latency) => places.doubts(latency));
  const unsureWaits = story.runs.filter((run) => isIn(run) && places.doubtsWait(run));
  const loose = story.waits.filter((wait) => isIn(wait) && wait.cpu === undefined && places.lacks(wait));
  const doubtful = clipped([
    ...unsureWaits.map(({ start, wait }) => ({ start: wait?.since ?? start, end: start })),
    ...loose.map(({ start, end }) => ({ start, end })),
  ]);
  const parts = lanes.filter((_, cpu) => hasCpu(cpu)).map((lane) => clipped(lane));
  /** @param {'run' | 'idle' | 'unknown'} kind */
  const perCpu = (kind) => parts.map((lane) => length(lane.filter((interval) => interval.kind === kind)));
  const queued = clipped(trace.queued.filter(shows)).filter(({ start, end }) => start < end);
  /** @type {Map<number | undefined, typeof queued>} */
  const byCpu = new Map();
  for (const part of queued) {
    if (!byCpu.has(part.cpu)) byCpu.set(part.cpu, []);
    byCpu.get(part.cpu)?.push(part);
  }
  const queues = lanes.flatMap((_, cpu) => (hasCpu(cpu) ? [queueOf(byCpu.get(cpu) ?? [])] : []));
  const idle = parts.flat().filter(({ kind }) => kind === 'idle');
  // On some CPUs those wait that are on their runqueues.
  const waiting = hasAllCpus ? waits : queued.filter(({ cpu }) => hasCpu(cpu));
  const curves = withoutList(deriveCurves(window, runs, idle, waiting));
  const { behind, bound, leaving, spare } = deriveStanding(lanes, trace.queued, shows, hasCpu);
  const standing = {
    behind: clipped(behind),
    bound: clipped(bound),
    leaving: clipped(leaving),
    spare: clipped(spare),
  };
  const overload = { ...curves.overload, ...deriveBehind(window, standing).sums };
  return {
    first: window.first,
    last: window.last,
    stats: {
      cpus: parts.length,
      known_cpus: knownCpus(window, parts.flat()),
      ...curves,
      overload,
      idle_ns_per_cpu: perCpu('idle'),
      busy_ns_per_cpu: perCpu('run'),
      unknown_ns_per_cpu: perCpu('unknown'),
      waiting_ns_per_cpu: queues.map(({ sum }) => sum),
      max_waiting_per_cpu: queues.map(({ most }) => most),
      migrations: countKinds(migrations),
      wakeups: { ...percentiles(latencies), uncertain: sumOf(unsure.map(({ ns }) => ns)) },
      uncertain_waiting_ns: sumOf(doubtful.map(({ start, end }) => end - start)).ns,
    },
    commands: commands(runs, switches, waits),
    tasks: tasks(
      story.tasks.filter(hasTask),
      runs,
      waits,
      clipped(story.throttles.filter(shows)),
      switches,
      migrations,
    ),
  };
}

/**
 * @typedef {object} Command
 * @property {number} first
 * @property {number} last
 * @property {number} execution
 * @property {number} waiting
 * @property {number} switchesTo
 * @property {Set<number>} pids
 */

/**
 * The legend of the paper's figures: when each comm ran, how long, and how often it was switched to.
 *
 * @param {import('./tasks.mjs').TaskStory['runs']} runs
 * @param {import('./tasks.mjs').TaskStory['switches']} switches
 * @param {import('./tasks.mjs').TaskStory['waits']} waits
 */
function commands(runs, switches, waits) {
  /** @type {Map<string, Command>} */
  const byComm = new Map();
  for (const { comm, task, start, end } of runs) {
    let entry = byComm.get(comm);
    if (!entry) {
      entry = { first: Infinity, last: -Infinity, execution: 0, waiting: 0, switchesTo: 0, pids: new Set() };
      byComm.set(comm, entry);
    }
    entry.first = Math.min(entry.first, start);
    entry.last = Math.max(entry.last, end);
    entry.execution += end - start;
    entry.pids.add(task.pid);
  }
  for (const { comm } of switches) {
    const entry = byComm.get(comm);
    if (entry) entry.switchesTo++;
  }
  for (const { comm, start, end } of waits) {
    const entry = byComm.get(comm);
    if (entry) entry.waiting += end - start;
  }
  return byComm;
}

/**
 * @param {Task[]} all
 * @param {import('./tasks.mjs').TaskStory['runs']} runs
 * @param {import('./tasks.mjs').TaskStory['waits']} waits
 * @param {import('./tasks.mjs').TaskStory['throttles']} throttles
 * @param {import('./tasks.mjs').TaskStory['switches']} switches
 * @param {import('./tasks.mjs').TaskStory['migrations']} migrations
 */
function tasks(all, runs, waits, throttles, switches, migrations) {
  const sums = new Map(
    all.map((task) => [
      task,
      { comms: new Set(), execution: 0, waiting: 0, throttled: 0, switchesTo: 0, migrations: 0 },
    ]),
  );
  const add = (/** @type {Task} */ task, /** @type {(sum: any) => void} */ change) => change(sums.get(task));
  for (const { task, comm, start, end } of runs) {
    add(task, (sum) => {
      sum.execution += end - start;
      sum.comms.add(comm);
    });
  }
  for (const { task, start, end } of waits.filter(({ task }) => sums.has(task)))
    add(task, (sum) => (sum.waiting += end - start));
  for (const { task, start, end } of throttles) add(task, (sum) => (sum.throttled += end - start));
  for (const { task } of switches) add(task, (sum) => sum.switchesTo++);
  for (const { task, kind } of migrations) if (kind !== 'derived') add(task, (sum) => sum.migrations++);
  return [...sums].map(([{ pid, generation, continues }, sum]) => {
    const before = continues ? { pid: continues.pid, generation: continues.generation } : null;
    return { pid, generation, continues: before, ...sum };
  });
}

/** @param {import('./curves.mjs').Curves} curves */
function withoutList({ violations: _, ...curves }) {
  return curves;
}

/** @param {import('./tasks.mjs').TaskStory['migrations']} migrations */
function countKinds(migrations) {
  const counts = { total: 0, placement: 0, load_balance: 0, numa: 0, other: 0, derived: 0 };
  for (const { kind } of migrations) counts[kind]++;
  // No event tells of those that are derived.
  return { ...counts, total: migrations.length - counts.derived };
}

/** @param {number[]} lengths */
export function sumOf(lengths) {
  return { count: lengths.length, ns: lengths.reduce((sum, ns) => sum + ns, 0) };
}

/** @param {import('./tasks.mjs').TaskStory['latencies']} latencies */
function percentiles(latencies) {
  const ascending = new Float64Array(latencies.map(({ ns }) => ns)).sort();
  /** Nearest rank: the smallest value that at least `percent` of all values do not exceed. */
  const nearest = (/** @type {number} */ percent) =>
    ascending[Math.ceil((percent / 100) * ascending.length) - 1] ?? null;
  return {
    count: ascending.length,
    latency_ns: { p50: nearest(50), p90: nearest(90), p99: nearest(99), max: nearest(100) },
  };
}

/**
 * The parts of intervals that lie in a window.
 *
 * @template {Period} T
 * @param {T[]} intervals
 * @param {{first: number, last: number, closed: boolean}} window closed: its last instant belongs to it
 * @returns {T[]}
 */
export function clip(intervals, { first, last, closed }) {
  return intervals
    .filter(({ start, end }) => (start < last || (closed && start === last)) && (first < end || first <= start))
    .map((interval) =>
      interval.start < first || last < interval.end
        ? { ...interval, start: Math.max(first, interval.start), end: Math.min(last, interval.end) }
        : interval,
    );
}

/** @param {Period[]} intervals */
function length(intervals) {
  let sum = 0;
  for (const { start, end } of intervals) sum += end - start;
  return sum;
}
