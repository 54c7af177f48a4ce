// @ts-check
// Which task ran where: the run intervals of every CPU, from its own switches and gaps alone.

import { pidBefore } from './takeovers.mjs';

/**
 * @typedef {object} Interval half-open, of one CPU
 * @property {number} start
 * @property {number} end
 * @property {'run' | 'idle' | 'unknown'} kind
 * @property {number} pid -1 when unknown
 * @property {string} comm the comm that the task was switched in with; empty when unknown
 * @property {boolean} inferred not switched in during the trace: it must have run since the trace's start
 */

/**
 * One lane for each CPU, tiling `[first, last)`.
 *
 * @param {import('./report.mjs').Report} report
 * @returns {Interval[][]}
 */
export function deriveLanes(report) {
  /** @type {import('./report.mjs').Event[][]} */
  const perCpu = Array.from({ length: report.cpus }, () => []);
  for (const event of report.events) {
    if (event.kind === 'sched_switch' || event.kind === 'lost') perCpu[event.cpu].push(event);
    else if (event.kind === 'takeover' && event.target !== undefined) perCpu[event.target].push(event);
  }
  return perCpu.map((events) => lane(events, report.first, report.last));
}

/**
 * @param {import('./report.mjs').Event[]} events switches and gaps of one CPU
 * @param {number} first
 * @param {number} last
 */
function lane(events, first, last) {
  /** @type {Interval[]} */
  const intervals = [];
  /** @type {Interval} */
  let open = unknown(first);
  const opening = events.find(({ kind }) => kind !== 'takeover');
  if (opening?.kind === 'sched_switch') {
    // The task that is switched out first ran there before: no other could have been switched in unseen.
    open = occupied(first, pidBefore(events, opening), opening.comm, true);
  }
  /** @param {number} t */
  const closeAt = (t) => {
    open.end = t;
    if (open.start < t) intervals.push(open);
  };
  for (const event of events) {
    if (event.kind === 'lost') {
      const t = Math.max(event.t, first);
      if (open.kind === 'unknown') continue;
      closeAt(t);
      open = unknown(t);
    } else if (event.kind === 'takeover') {
      closeAt(event.t);
      open = occupied(event.t, event.pid, open.comm, false);
    } else {
      closeAt(event.t);
      open = occupied(event.t, event.next, event.nextComm, false);
    }
  }
  closeAt(last);
  return intervals;
}

/**
 * An interval whose end is not known yet.
 *
 * @param {number} start
 * @param {number} pid
 * @param {string} comm
 * @param {boolean} inferred
 * @returns {Interval}
 */
function occupied(start, pid, comm, inferred) {
  return { start, end: start, kind: pid === 0 ? 'idle' : 'run', pid, comm, inferred };
}

/**
 * @param {number} start
 * @returns {Interval}
 */
function unknown(start) {
  return { start, end: start, kind: 'unknown', pid: -1, comm: '', inferred: false };
}
