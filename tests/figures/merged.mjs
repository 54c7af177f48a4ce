// @ts-check
// Checks a figure in which short runs are merged: what it shows must be true to the precision that it states.

import { expectedCurves, expectedPieces } from './expected.mjs';

/**
 * @typedef {import('../derive/differences.mjs').Differences} Differences
 * @typedef {import('../derive/numbers.mjs').DerivedTrace} DerivedTrace
 * @typedef {import('../derive/numbers.mjs').Selection} Selection
 * @typedef {import('./picture.mjs').Lanes} Lanes
 * @typedef {import('./picture.mjs').Piece} Piece
 * @typedef {import('./picture.mjs').Curve} Curve
 * @typedef {import('./expected.mjs').Shown} Shown
 */

/**
 * Checks the lanes of one panel; returns how many pieces there are.
 *
 * @param {Differences} differences
 * @param {string} name
 * @param {DerivedTrace} trace
 * @param {Selection} selection
 * @param {Lanes} lanes
 */
export function compareMergedLanes(differences, name, trace, selection, lanes) {
  const { origin } = trace.report;
  differences.expect(`${name} start`, origin + BigInt(selection.from ?? trace.report.first), lanes.start);
  differences.expect(`${name} end`, origin + BigInt(selection.to ?? trace.report.last), lanes.end);
  const perNs = lanes.pieces.length === 0 ? 0 : lanes.mm(lanes.start + 1_000_000_000n) - lanes.mm(lanes.start);
  const dot = ((lanes.dot ?? 0) / perNs) * 1e9;
  differences.expect(`${name} says what it merged`, true, dot > 0);
  const runs = byCpu(expectedPieces(trace, selection));
  const pieces = byCpu(
    lanes.pieces.map((piece) => ({
      ...piece,
      start: Number(piece.start - origin),
      end: Number(piece.end - origin),
    })),
  );
  for (const cpu of lanes.rows) {
    const lane = new MergedLane(runs.get(cpu) ?? [], pieces.get(cpu) ?? [], dot, lanes.precision);
    for (const [what, first] of lane.faults()) differences.found.push(`${name} CPU ${cpu}: ${what}: ${show(first)}`);
    differences.compared += lane.compared;
  }
  return lanes.pieces.length;
}

/** @typedef {Omit<Piece, 'start' | 'end'> & {start: number, end: number}} Drawn */

class MergedLane {
  /**
   * @param {Shown[]} runs everything that has to be visible, by start
   * @param {Drawn[]} pieces
   * @param {number} dot ns
   * @param {number} unit the precision of times in ns
   */
  constructor(runs, pieces, dot, unit) {
    this.runs = runs;
    this.exact = pieces.filter(({ kind }) => kind !== 'merged' && kind !== 'ticks');
    this.merged = pieces.filter(({ kind }) => kind === 'merged');
    this.ticks = pieces.filter(({ kind }) => kind === 'ticks');
    this.dot = dot;
    this.unit = unit;
    this.compared = 0;
  }

  /** @returns {Generator<[string, unknown]>} what is wrong, and where first */
  *faults() {
    const { runs, exact, merged, dot, unit } = this;
    const both = [...exact, ...merged].sort((a, b) => a.start - b.start || a.end - b.end);
    for (const [index, piece] of both.entries()) {
      const next = both[index + 1];
      const hatched = piece.kind === 'unknown' || next?.kind === 'unknown';
      if (next && next.start < piece.end && !hatched) yield ['pieces overlap', [piece, next]];
      if (piece.end <= piece.start) yield ['a piece has no width', piece];
    }
    // A run that is drawn exactly ran then, to the unit; it may have been narrower than a unit.
    const near = (/** @type {number} */ a, /** @type {number} */ b) => Math.abs(a - b) <= unit;
    for (const piece of exact) {
      this.compared++;
      const under = overlapping(runs, { start: piece.start - unit, end: piece.end + unit });
      const run = under.find((run) => near(run.start, piece.start) && near(run.end, piece.end) && same(run, piece));
      // The unknown part of a column is one rectangle from its begin to its end.
      const hatched =
        this.merged.some(({ start, end }) => start < piece.end && piece.start < end) &&
        piece.kind === 'unknown' &&
        under.some(({ kind, start }) => kind === 'unknown' && start <= piece.start + unit) &&
        under.some(({ kind, end }) => kind === 'unknown' && piece.end - unit <= end);
      if (!run && !hatched) yield ['drawn, but nothing ran so', piece];
    }
    for (const run of runs) {
      this.compared++;
      const wide = { start: run.start - unit, end: run.end + unit };
      // Each is sorted separately, because unknown parts lie on merged columns.
      const inMerged = covers(overlapping(merged, wide), run, unit);
      const found = overlapping(exact, wide);
      const own = found.some((piece) => near(run.start, piece.start) && near(run.end, piece.end) && same(run, piece));
      // A run narrower than a unit has no width, and only its tick shows it.
      const ticked = run.end - run.start < unit && overlapping(this.ticks, wide).some((tick) => same(run, tick));
      if (!own && !inMerged && !ticked) yield ['ran, but is not drawn', run];
      if (!own && run.end - run.start >= dot + unit) yield ['as wide as a dot, but merged', run];
    }
    for (const piece of merged) {
      this.compared++;
      yield* this.mergedFaults(piece);
    }
    yield* this.busyFaults();
    for (const tick of this.ticks) {
      this.compared++;
      const near = [...overlapping(exact, tick), ...overlapping(merged, tick), ...overlapping(runs, tick)];
      if (near.every((under) => !same(under, tick))) yield ['a tick without a run', tick];
    }
  }

  /** @param {Drawn} piece @returns {Generator<[string, unknown]>} */
  *mergedFaults(piece) {
    const within = overlapping(this.runs, piece)
      .filter(({ kind }) => kind !== 'unknown')
      .map((run) => ({ ...run, start: Math.max(run.start, piece.start), end: Math.min(run.end, piece.end) }));
    const busy = sum(within);
    const width = piece.end - piece.start;
    const [low, high] = piece.busy;
    // Both ends are drawn at whole units.
    const slack = 2 * this.unit;
    if (busy < low * width - slack || high * width + slack < busy)
      yield [`busy ${busy} of ${width} ns, tint ${low}-${high}`, piece];
    /** @type {Map<string, number>} */
    const perTask = new Map();
    for (const run of within) perTask.set(key(run), (perTask.get(key(run)) ?? 0) + run.end - run.start);
    const most = Math.max(0, ...perTask.values());
    if (piece.comm !== undefined && (perTask.get(key(piece)) ?? 0) < most - slack)
      yield ['another task ran more there', piece];
    let idleSince = piece.start;
    const known = [...overlapping(this.runs, piece), { start: piece.end, end: piece.end }];
    for (const { start, end } of known) {
      if (start - idleSince > this.dot + this.unit) yield [`idle for ${start - idleSince} ns in it`, piece];
      idleSince = Math.max(idleSince, end);
    }
  }

  /** @returns {Generator<[string, unknown]>} */
  *busyFaults() {
    const known = (/** @type {{kind: string}} */ { kind }) => kind !== 'unknown';
    const busy = sum(this.runs.filter(known));
    const exact = sum(this.exact.filter(known));
    const slack = (this.exact.length + this.merged.length) * 2 * this.unit;
    const [low, high] = [0, 1].map((bound) =>
      this.merged.reduce((total, piece) => total + (piece.end - piece.start) * piece.busy[bound], 0),
    );
    this.compared++;
    if (busy < exact + low - slack || exact + high + slack < busy)
      yield [`busy for ${busy} ns, drawn ${exact + low}-${exact + high}`, undefined];
  }
}

/** @param {{pid: any, generation: any, comm: any}} of */
function key({ pid, generation, comm }) {
  return `${pid}#${generation} ${comm}`;
}

/**
 * @param {Shown | Drawn} run
 * @param {Drawn} piece
 */
function same(run, piece) {
  // With very many tasks, rectangles are distinguished only by their colours.
  if (piece.comm === undefined && piece.kind !== 'unknown') return run.kind !== 'unknown';
  if (piece.kind === 'ticks' || piece.kind === 'merged') return run.kind !== 'unknown' && key(run) === key(piece);
  return run.kind === piece.kind && (run.kind === 'unknown' || key(run) === key(piece));
}

/**
 * Finds the parts that overlap a period, among disjoint parts in order of start.
 *
 * @template {{start: number, end: number}} T
 * @param {T[]} parts
 * @param {{start: number, end: number}} period
 */
function overlapping(parts, { start, end }) {
  let low = 0;
  for (let high = parts.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if (parts[middle].end <= start) low = middle + 1;
    else high = middle;
  }
  /** @type {T[]} */
  const found = [];
  for (; low < parts.length && parts[low].start < end; low++) found.push(parts[low]);
  return found;
}

/**
 * @param {{start: number, end: number}[]} parts disjoint, by start
 * @param {{start: number, end: number}} period
 * @param {number} slack
 */
function covers(parts, { start, end }, slack) {
  let to = start;
  for (const part of parts) if (part.start <= to + slack) to = Math.max(to, part.end);
  return parts.length > 0 && to + slack >= end;
}

/** @param {{start: number, end: number}[]} parts */
function sum(parts) {
  return parts.reduce((total, { start, end }) => total + end - start, 0);
}

/**
 * @template {{cpu: number, start: number}} T
 * @param {T[]} all
 */
function byCpu(all) {
  /** @type {Map<number, T[]>} */
  const lanes = new Map();
  for (const one of [...all].sort((a, b) => a.start - b.start)) {
    const lane = lanes.get(one.cpu);
    if (lane) lane.push(one);
    else lanes.set(one.cpu, [one]);
  }
  return lanes;
}

/** @param {unknown} value */
function show(value) {
  return JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? Number(inner) : inner)) ?? '';
}

/**
 * Checks the curves of one panel: the extremes of each column; returns how many columns there are.
 *
 * @param {Differences} differences
 * @param {string} name
 * @param {DerivedTrace} trace
 * @param {Selection} selection
 * @param {Curve} curve
 */
export function compareMergedCurve(differences, name, trace, selection, curve) {
  const { origin } = trace.report;
  const { running, runnable, waiting } = expectedCurves(trace, selection);
  const kinds = /** @type {const} */ ([
    ['runnable-max', runnable, Math.max],
    ['running-max', running, Math.max],
    ['running-min', running, Math.min],
  ]);
  let count = 0;
  for (const [kind, steps, extreme] of kinds) {
    const drawn = curve.areas.get(kind) ?? [];
    differences.expect(`${name}: has ${kind}`, true, drawn.length > 0);
    for (const { start, end, value } of drawn) {
      const period = { start: Number(start - origin), end: Number(end - origin) };
      const values = overlapping(steps, period).map(({ value }) => value);
      differences.expect(`${name}: ${kind} in ${start}-${end}`, extreme(...values), value);
    }
    count += drawn.length;
  }
  // Each column shows as much red as tasks waited at a time: none if none did.
  for (const { start, end, red, top } of visibleRed(curve)) {
    const period = { start: Number(start - origin), end: Number(end - origin) };
    const most = Math.max(...overlapping(waiting, period).map(({ value }) => value));
    differences.expect(`${name}: red in ${start}-${end}`, most, red);
    if (top !== undefined) differences.expect(`${name}: red is on top in ${start}-${end}`, true, Math.abs(top) < 1e-6);
    count++;
  }
  return count;
}

/**
 * How much red is visible, from each change to the next, and how far the highest red is from the top, in mm.
 *
 * @param {Curve} curve
 */
function* visibleRed({ areas, waiting, mm }) {
  const [runnable, running] = ['runnable-max', 'running-max'].map((kind) => areas.get(kind) ?? []);
  const all = [...runnable, ...running, ...waiting].flatMap(({ start, end }) => [start, end]);
  const times = [...new Set(all)].sort((a, b) => (a < b ? -1 : 1));
  const above = [...waiting].sort((a, b) => (a.start < b.start ? -1 : 1));
  let [i, k, j] = [0, 0, 0];
  for (const [index, start] of times.slice(0, -1).entries()) {
    while (runnable[i] && runnable[i].end <= start) i++;
    while (running[k] && running[k].end <= start) k++;
    while (above[j] && above[j].end <= start) j++;
    const over = above[j] && above[j].start <= start ? above[j] : undefined;
    const height = runnable[i]?.value ?? 0;
    const red = over ? over.value : height - (running[k]?.value ?? 0);
    yield { start, end: times[index + 1], red, top: over && over.top - mm(height) };
  }
}
