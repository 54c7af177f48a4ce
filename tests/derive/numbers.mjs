// @ts-check
// All the numbers of `corelane stats --json`, from the text of a report alone.

import { deriveCurves } from './curves.mjs';
import { deriveLanes } from './lanes.mjs';
import { parseStateTable, stateLetters } from './printFmt.mjs';
import { deriveTasks } from './tasks.mjs';

/** @typedef {ReturnType<typeof deriveNumbers>} Numbers */

/**
 * @param {import('./report.mjs').Report} report
 * @param {string} printFmt the print fmt line of the trace's sched_switch
 */
export function deriveNumbers(report, printFmt) {
  const table = parseStateTable(printFmt);
  const lanes = deriveLanes(report);
  const story = deriveTasks(report, (raw) => stateLetters(table, raw));
  const latencies = Float64Array.from(story.latencies).sort();
  /** @param {'run' | 'idle' | 'unknown'} kind */
  const perCpu = (kind) => lanes.map((intervals) => total(intervals.filter((interval) => interval.kind === kind)));
  return {
    report,
    lanes,
    stats: {
      first_ns: report.first,
      last_ns: report.last,
      ...deriveCurves(report, lanes, story.waits),
      idle_ns_per_cpu: perCpu('idle'),
      busy_ns_per_cpu: perCpu('run'),
      unknown_ns_per_cpu: perCpu('unknown'),
      migrations: story.migrations,
      wakeups: {
        count: latencies.length,
        latency_ns: {
          p50: percentile(latencies, 50),
          p90: percentile(latencies, 90),
          p99: percentile(latencies, 99),
          max: latencies.at(-1),
        },
      },
    },
    commands: commands(report, lanes),
    tasks: story.tasks,
    contradictions: story.contradictions,
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
 * @param {import('./report.mjs').Report} report
 * @param {import('./lanes.mjs').Interval[][]} lanes
 */
function commands(report, lanes) {
  /** @type {Map<string, Command>} */
  const byComm = new Map();
  /** @param {string} comm */
  const command = (comm) => {
    let found = byComm.get(comm);
    if (!found) {
      found = { first: Infinity, last: -Infinity, execution: 0, switchesTo: 0, pids: new Set() };
      byComm.set(comm, found);
    }
    return found;
  };
  for (const { kind, comm, pid, start, end } of lanes.flat()) {
    if (kind !== 'run') continue;
    const entry = command(comm);
    entry.first = Math.min(entry.first, start);
    entry.last = Math.max(entry.last, end);
    entry.execution += end - start;
    entry.pids.add(pid);
  }
  for (const { kind, next, nextComm } of report.events) {
    if (kind === 'sched_switch' && next !== 0) command(nextComm).switchesTo++;
  }
  return byComm;
}

/** @param {import('./lanes.mjs').Interval[]} intervals */
function total(intervals) {
  return intervals.reduce((sum, { start, end }) => sum + (end - start), 0);
}

/**
 * Nearest rank: the smallest value that at least `percent` of all values do not exceed.
 *
 * @param {Float64Array} ascending
 * @param {number} percent
 */
function percentile(ascending, percent) {
  return ascending[Math.ceil((percent / 100) * ascending.length) - 1];
}
