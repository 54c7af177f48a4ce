// @ts-check
// Which tasks wait behind another while a third CPU could take them, which of them no other could take, and which only wait
// for their idle CPU; from the lanes and the parts of waits alone.

import { isBound } from './bound.mjs';
import { StepCurve } from './curves.mjs';

/**
 * @typedef {import('./lanes.mjs').Interval} Interval
 * @typedef {import('./queues.mjs').Queued} Queued
 * @typedef {{start: number, end: number, cost: number, waitingMax: number}} Stretch
 */

/**
 * @typedef {object} Standing
 * @property {Queued[]} behind parts of waits while the CPU of their runqueue runs a task
 * @property {Queued[]} bound the same of kernel threads that are bound to that CPU, which are in no other list
 * @property {Queued[]} leaving the same while it is idle
 * @property {{cpu: number, start: number, end: number}[]} spare while a CPU is idle and nobody waits on its runqueue
 */

/**
 * @param {Interval[][]} lanes by CPU
 * @param {Queued[]} queued the parts of all waits
 * @param {(part: Queued) => boolean} counts whether a wait counts; one that does not still takes its idle CPU
 * @param {(cpu: number) => boolean} hasCpu
 * @returns {Standing}
 */
export function deriveStanding(lanes, queued, counts, hasCpu) {
  /** @type {Standing} */
  const standing = { behind: [], bound: [], leaving: [], spare: [] };
  for (const [cpu, lane] of lanes.entries()) {
    if (!hasCpu(cpu)) continue;
    const here = queued.filter((part) => part.cpu === cpu);
    const [busy, idle] = [merged(lane, 'run'), merged(lane, 'idle')];
    for (const part of here.filter(counts)) {
      const behind = isBound(part.task, part.comm, cpu) ? standing.bound : standing.behind;
      behind.push(...common(part, busy).map((period) => ({ ...part, ...period })));
      standing.leaving.push(...common(part, idle).map((period) => ({ ...part, ...period })));
    }
    const waits = union(here);
    for (const period of idle) {
      let { start } = period;
      for (const taken of common(period, waits)) {
        if (start < taken.start) standing.spare.push({ cpu, start, end: taken.start });
        start = taken.end;
      }
      if (start < period.end) standing.spare.push({ cpu, start, end: period.end });
    }
  }
  return standing;
}

/**
 * @param {{first: number, last: number}} window
 * @param {Standing} standing clipped to it
 */
export function deriveBehind({ first, last }, { behind, bound, leaving, spare }) {
  const curves = [behind, spare, leaving, bound].map((periods) => new StepCurve(periods));
  const sums = {
    behind_ns: 0,
    behind_cost_task_ns: 0,
    behind_intervals: 0,
    bound_ns: 0,
    bound_task_ns: 0,
    leaving_idle_ns: 0,
    leaving_idle_task_ns: 0,
  };
  /** @type {Stretch[]} */
  const stretches = [];
  for (let t = first; t < last; ) {
    const [waits, idles, leaves, bounds] = curves.map((curve) => curve.at(t));
    const end = Math.min(last, ...curves.map((curve) => curve.nextStep()));
    const width = end - t;
    const cost = Math.min(waits, idles);
    if (cost > 0) {
      let stretch = stretches.at(-1);
      if (stretch?.end !== t) {
        stretch = { start: t, end: t, cost: 0, waitingMax: 0 };
        stretches.push(stretch);
      }
      stretch.end = end;
      stretch.cost += cost * width;
      stretch.waitingMax = Math.max(stretch.waitingMax, waits);
      sums.behind_ns += width;
      sums.behind_cost_task_ns += cost * width;
    }
    const stay = Math.min(bounds, idles);
    if (stay > 0) sums.bound_ns += width;
    sums.bound_task_ns += stay * width;
    if (leaves > 0) sums.leaving_idle_ns += width;
    sums.leaving_idle_task_ns += leaves * width;
    t = end;
  }
  sums.behind_intervals = stretches.length;
  return { sums, stretches };
}

/**
 * The time that a period shares with others, which do not overlap each other.
 *
 * @param {{start: number, end: number}} one
 * @param {{start: number, end: number}[]} others in time order
 */
export function common({ start, end }, others) {
  let [low, high] = [0, others.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (others[middle].end <= start) low = middle + 1;
    else high = middle;
  }
  const found = [];
  for (let index = low; index < others.length && others[index].start < end; index++) {
    found.push({ start: Math.max(start, others[index].start), end: Math.min(end, others[index].end) });
  }
  return found;
}

/**
 * The time that is covered by any of some periods.
 *
 * @param {{start: number, end: number}[]} periods
 */
export function union(periods) {
  /** @type {{start: number, end: number}[]} */
  const found = [];
  for (const { start, end } of [...periods].sort((a, b) => a.start - b.start)) {
    const last = found.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else found.push({ start, end });
  }
  return found;
}

/** @param {Interval[]} lane @param {Interval['kind']} kind */
function merged(lane, kind) {
  return union(lane.filter((interval) => interval.kind === kind));
}
