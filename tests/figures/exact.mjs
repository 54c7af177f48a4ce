// @ts-check
// Checks a figure in which nothing is merged: every interval and every step, to the nanosecond.

import { expectedCurves, expectedPieces, joined } from './expected.mjs';

/**
 * @typedef {import('../derive/differences.mjs').Differences} Differences
 * @typedef {import('../derive/numbers.mjs').DerivedTrace} DerivedTrace
 * @typedef {import('../derive/numbers.mjs').Selection} Selection
 * @typedef {import('./picture.mjs').Lanes} Lanes
 * @typedef {import('./picture.mjs').Curve} Curve
 */

/** What the groups of a timeline say about their runs, by what its colours show. */
const TOLD = {
  /** @param {{pid: any, generation: any, comm: any}} of */
  pid: ({ pid, generation, comm }) => `${pid}#${generation} ${comm}`,
  /** @param {{comm: any}} of */
  command: ({ comm }) => comm,
  none: () => '',
};

/**
 * Compares the lanes of one panel with the derivation; returns how many pieces there are.
 *
 * @param {Differences} differences
 * @param {string} name
 * @param {DerivedTrace} trace
 * @param {Selection} selection
 * @param {Lanes} lanes
 * @param {{by?: keyof typeof TOLD, keep?: Parameters<typeof expectedPieces>[2]}} [how] what its colours tell, which
 *   runs of the selection are shown
 */
export function compareLanes(differences, name, trace, selection, lanes, { by = 'pid', keep } = {}) {
  const { origin, first, last } = trace.report;
  const { from = first, to = last, cpus } = selection;
  const absolute = (/** @type {number} */ t) => origin + BigInt(t);
  differences.expect(`${name} start`, absolute(from), lanes.start);
  differences.expect(`${name} end`, absolute(to), lanes.end);
  const all = cpus ?? trace.lanes.map((_, cpu) => cpu);
  differences.expect(
    `${name} CPUs`,
    [...all].sort((a, b) => a - b),
    [...lanes.rows].sort((a, b) => a - b),
  );
  differences.expect(`${name} precision`, 1, lanes.precision);
  differences.expect(`${name} dot`, undefined, lanes.dot);

  const told = TOLD[by];
  const expected = expectedPieces(trace, selection, keep).map(({ kind, cpu, start, end, ...of }) => {
    const who = kind === 'unknown' ? '' : told(of);
    return `${kind} on ${cpu} from ${absolute(start)} to ${absolute(end)} ${who}`;
  });
  const actual = lanes.pieces
    .filter(({ kind }) => kind !== 'ticks')
    .map(({ kind, cpu, start, end, pid, generation, comm }) => {
      const who = kind === 'unknown' ? '' : told({ pid, generation, comm });
      return `${kind} on ${cpu} from ${start} to ${end} ${who}`;
    });
  compareLists(differences, name, expected, actual);
  compareTicks(differences, name, lanes);
  return expected.length;
}

/**
 * Compares lines in any order.
 *
 * @param {Differences} differences
 * @param {string} name
 * @param {string[]} expected
 * @param {string[]} actual
 */
export function compareLists(differences, name, expected, actual) {
  expected.sort();
  actual.sort();
  differences.compared += expected.length;
  for (let i = 0, k = 0; i < expected.length || k < actual.length; ) {
    if (expected[i] === actual[k]) {
      i++;
      k++;
    } else if (k >= actual.length || (i < expected.length && expected[i] < actual[k])) {
      differences.expect(name, expected[i++], undefined);
    } else {
      differences.expect(name, undefined, actual[k++]);
    }
  }
}

/**
 * Checks that runs that are too short to be seen have a tick, and no others.
 *
 * @param {Differences} differences
 * @param {string} name
 * @param {Lanes} lanes
 */
function compareTicks(differences, name, { pieces }) {
  const ticks = pieces.filter(({ kind }) => kind === 'ticks');
  const runs = pieces.filter(({ kind }) => kind === 'runs' || kind === 'inferred');
  const widths = ticks.map(({ mm }) => mm.right - mm.left);
  const dot = widths.reduce((most, width) => Math.max(most, width), 0);
  // Those as wide as a dot may or may not have one, because positions on paper are rounded.
  const narrower = (/** @type {number} */ dots) =>
    runs.filter(({ mm }) => mm.right - mm.left < (dot || MIN_DOT) * dots);
  const short = narrower(0.999);
  if (ticks.length === 0) {
    differences.expect(`${name}: runs that cannot be seen`, 0, short.length);
    return;
  }
  const covered = new Cover(ticks);
  const lost = short.filter((run) => !covered.holds(run.cpu, (run.mm.left + run.mm.right) / 2));
  differences.expect(`${name}: short runs without a tick`, [], lost.slice(0, 3));
  const spans = new Cover(
    narrower(1.001).map((run) => ({ ...run, mm: { ...run.mm, left: run.mm.left - dot, right: run.mm.right + dot } })),
  );
  const idle = ticks.filter(({ cpu, mm }) => !spans.holds(cpu, (mm.left + mm.right) / 2));
  differences.expect(`${name}: ticks without a run`, [], idle.slice(0, 3));
}

/** The least width in mm at which a run can be seen. */
const MIN_DOT = 0.1;

/** The places on each CPU where there is something. */
class Cover {
  /** @param {{cpu: number, mm: {left: number, right: number}}[]} pieces */
  constructor(pieces) {
    /** @type {Map<number, {left: number, right: number}[]>} disjoint, ascending */
    this.lanes = new Map();
    for (const { cpu, mm } of [...pieces].sort((a, b) => a.mm.left - b.mm.left)) {
      const lane = this.lanes.get(cpu) ?? [];
      this.lanes.set(cpu, lane);
      const last = lane.at(-1);
      if (last && mm.left <= last.right) last.right = Math.max(last.right, mm.right);
      else lane.push({ left: mm.left, right: mm.right });
    }
  }

  /** @param {number} cpu @param {number} x */
  holds(cpu, x) {
    const lane = this.lanes.get(cpu) ?? [];
    let low = 0;
    for (let high = lane.length; low < high; ) {
      const middle = (low + high) >>> 1;
      if (lane[middle].left <= x + 1e-6) low = middle + 1;
      else high = middle;
    }
    return low > 0 && x <= lane[low - 1].right + 1e-6;
  }
}

/**
 * Compares the curves of one panel; returns how many steps there are.
 *
 * @param {Differences} differences
 * @param {string} name
 * @param {DerivedTrace} trace
 * @param {Selection} selection
 * @param {Curve} curve
 */
export function compareCurves(differences, name, trace, selection, curve) {
  const { origin } = trace.report;
  const { running, runnable } = expectedCurves(trace, selection);
  let count = 0;
  for (const [kind, steps] of Object.entries({ running, runnable })) {
    const line = (/** @type {{start: bigint, end: bigint, value: number}} */ { start, end, value }) =>
      `${kind} ${value} from ${start} to ${end}`;
    const expected = steps.map(({ start, end, value }) => ({
      start: origin + BigInt(start),
      end: origin + BigInt(end),
      value,
    }));
    count += expected.length;
    compareLists(differences, name, expected.map(line), joined(curve.areas.get(kind) ?? []).map(line));
  }
  return count;
}
