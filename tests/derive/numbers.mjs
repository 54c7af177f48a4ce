// @ts-check
// All the numbers of `corelane stats --json`, from the text of a report alone.

import { deriveCurves } from './curves.mjs';
import { deriveLanes } from './lanes.mjs';
import { parseStateTable, stateLetters } from './printFmt.mjs';
import { deriveTasks } from './tasks.mjs';

/** @typedef {import('./tasks.mjs').Task} Task */
/** @typedef {import('./curves.mjs').Period} Period */
/** @typedef {ReturnType<typeof deriveTrace>} DerivedTrace */
/** @typedef {ReturnType<typeof deriveNumbers>} Numbers */

/**
 * Everything that a report says about who ran where and what happened to the tasks.
 *
 * @param {import('./report.mjs').Report} report
 * @param {string} printFmt the print fmt line of the trace's sched_switch
 */
export function deriveTrace(report, printFmt) {
  const table = parseStateTable(printFmt);
  const story = deriveTasks(report, (raw) => stateLetters(table, raw));
  const sleep = report.events.find(({ kind, comm }) => kind === 'sched_process_exit' && comm === 'sleep');
  return { report, lanes: deriveLanes(report), story, afterSleep: sleep?.t };
}

/**
 * The numbers of a trace, or of a part of it.
 *
 * @param {DerivedTrace} trace
 * @param {{from?: number, to?: number, forked?: boolean}} [selection] from, to: clip to this half-open window (the
 *   trace's last instant belongs to the trace); forked: only tasks that were created in the trace (what CPUs did remains
 *   what it was)
 */
export function deriveNumbers(
  { report, lanes, story },
  { from = report.first, to = report.last, forked = false } = {},
) {
  const window = { first: from, last: to, closed: to === report.last };
  const whole = from === report.first && to === report.last;
  /** @param {{task: Task}} of */
  const selected = ({ task }) => task.forked || !forked;
  /** @param {number} t */
  const within = (t) => from <= t && (t < to || window.closed);
  /**
   * @template {Period} T
   * @param {T[]} intervals
   */
  const clipped = (intervals) => (whole ? intervals : clip(intervals, window));
  const runs = clipped(story.runs.filter(selected));
  const waits = clipped(story.waits.filter(selected));
  const switches = story.switches.filter((of) => selected(of) && within(of.t));
  const migrations = story.migrations.filter((of) => selected(of) && within(of.t));
  const latencies = story.latencies.filter((of) => selected(of) && within(of.since));
  const parts = lanes.map((lane) => clipped(lane));
  /** @param {'run' | 'idle' | 'unknown'} kind */
  const perCpu = (kind) => parts.map((lane) => length(lane.filter((interval) => interval.kind === kind)));
  const idle = parts.flat().filter(({ kind }) => kind === 'idle');
  return {
    first: window.first,
    last: window.last,
    stats: {
      ...deriveCurves(window, runs, idle, waits),
      idle_ns_per_cpu: perCpu('idle'),
      busy_ns_per_cpu: perCpu('run'),
      unknown_ns_per_cpu: perCpu('unknown'),
      migrations: countKinds(migrations),
      wakeups: percentiles(latencies),
    },
    commands: commands(runs, switches),
    tasks: tasks(
      story.tasks.filter((task) => task.forked || !forked),
      runs,
      waits,
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
 * @property {number} switchesTo
 * @property {Set<number>} pids
 */

/**
 * The legend of the paper's figures: for each comm when it ran, how long, and how often it was switched to.
 *
 * @param {import('./tasks.mjs').TaskStory['runs']} runs
 * @param {import('./tasks.mjs').TaskStory['switches']} switches
 */
function commands(runs, switches) {
  /** @type {Map<string, Command>} */
  const byComm = new Map();
  for (const { comm, task, start, end } of runs) {
    let entry = byComm.get(comm);
    if (!entry) {
      entry = { first: Infinity, last: -Infinity, execution: 0, switchesTo: 0, pids: new Set() };
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
  return byComm;
}

/**
 * @param {Task[]} all
 * @param {import('./tasks.mjs').TaskStory['runs']} runs
 * @param {import('./tasks.mjs').TaskStory['waits']} waits
 * @param {import('./tasks.mjs').TaskStory['switches']} switches
 * @param {import('./tasks.mjs').TaskStory['migrations']} migrations
 */
function tasks(all, runs, waits, switches, migrations) {
  const sums = new Map(
    all.map((task) => [task, { comms: new Set(), execution: 0, waiting: 0, switchesTo: 0, migrations: 0 }]),
  );
  const add = (/** @type {Task} */ task, /** @type {(sum: any) => void} */ change) => change(sums.get(task));
  for (const { task, comm, start, end } of runs) {
    add(task, (sum) => {
      sum.execution += end - start;
      sum.comms.add(comm);
    });
  }
  for (const { task, start, end } of waits) add(task, (sum) => (sum.waiting += end - start));
  for (const { task } of switches) add(task, (sum) => sum.switchesTo++);
  for (const { task } of migrations) add(task, (sum) => sum.migrations++);
  return [...sums].map(([{ pid, generation }, sum]) => ({ pid, generation, ...sum }));
}

/** @param {import('./tasks.mjs').TaskStory['migrations']} migrations */
function countKinds(migrations) {
  const counts = { total: migrations.length, placement: 0, load_balance: 0, numa: 0, other: 0 };
  for (const { kind } of migrations) counts[kind]++;
  return counts;
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
function clip(intervals, { first, last, closed }) {
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
