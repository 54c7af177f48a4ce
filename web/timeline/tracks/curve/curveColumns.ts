/** Running and runnable for each device-pixel column: the least and the most of every bucket that the column touches. */
import { CURVE_WORDS } from '../../../engine/protocolTracks';
import type { Timescale } from '../../frame/timescale';
import { eachBucket } from '../../tiles/columnBuckets';
import type { Stretch } from '../../tiles/cover';

export interface CurveColumns {
  readonly width: number;
  /** 1 where something is known. */
  readonly known: Uint8Array;
  readonly leastRunning: Uint32Array;
  readonly mostRunning: Uint32Array;
  readonly leastRunnable: Uint32Array;
  readonly mostRunnable: Uint32Array;
  /** For how many CPUs it is known what they do; columns in which it is known for none are not `known`. */
  readonly leastCpus: Uint32Array;
  readonly mostCpus: Uint32Array;
  /** 1 where the trace does not tell for any CPU what it does. */
  readonly untold: Uint8Array;
}

export function emptyColumns(width: number): CurveColumns {
  return {
    width,
    known: new Uint8Array(width),
    leastRunning: new Uint32Array(width),
    mostRunning: new Uint32Array(width),
    leastRunnable: new Uint32Array(width),
    mostRunnable: new Uint32Array(width),
    leastCpus: new Uint32Array(width),
    mostCpus: new Uint32Array(width),
    untold: new Uint8Array(width),
  };
}

/** Fills `out`, which is as wide as the scale. A peak of one nanosecond is still the greatest value of its column. */
export function curveColumns(
  stretches: readonly Stretch<{ readonly values: Uint32Array }>[],
  scale: Timescale,
  out: CurveColumns,
): void {
  out.known.fill(0);
  out.untold.fill(0);
  eachBucket(stretches, scale, CURVE_WORDS, (x, data, at) => widen(out, x, data, at));
  for (let x = 0; x < out.width; x++) {
    if (out.known[x] === 0 || out.mostCpus[x] !== 0) continue;
    out.known[x] = 0;
    out.untold[x] = 1;
  }
}

function widen(out: CurveColumns, x: number, data: Uint32Array, at: number): void {
  const leastRunning = data[at] ?? 0;
  const mostRunning = data[at + 1] ?? 0;
  const leastRunnable = data[at + 2] ?? 0;
  const mostRunnable = data[at + 3] ?? 0;
  const leastCpus = data[at + 4] ?? 0;
  const mostCpus = data[at + 5] ?? 0;
  if (out.known[x] === 0) {
    out.known[x] = 1;
    out.leastRunning[x] = leastRunning;
    out.mostRunning[x] = mostRunning;
    out.leastRunnable[x] = leastRunnable;
    out.mostRunnable[x] = mostRunnable;
    out.leastCpus[x] = leastCpus;
    out.mostCpus[x] = mostCpus;
    return;
  }
  out.leastRunning[x] = Math.min(out.leastRunning[x] ?? 0, leastRunning);
  out.mostRunning[x] = Math.max(out.mostRunning[x] ?? 0, mostRunning);
  out.leastRunnable[x] = Math.min(out.leastRunnable[x] ?? 0, leastRunnable);
  out.mostRunnable[x] = Math.max(out.mostRunnable[x] ?? 0, mostRunnable);
  out.leastCpus[x] = Math.min(out.leastCpus[x] ?? 0, leastCpus);
  out.mostCpus[x] = Math.max(out.mostCpus[x] ?? 0, mostCpus);
}

/** A number of CPUs that holds over some columns. */
export interface CpuStep {
  /** First column, and first one after it. */
  readonly x0: number;
  readonly x1: number;
  readonly cpus: number;
}

/** For how many CPUs it is known what they do: the fewest in each column, and all where nothing has arrived yet. */
export function cpuSteps({ width, known, untold, leastCpus }: CurveColumns, all: number): CpuStep[] {
  const steps: CpuStep[] = [];
  const at = (x: number): number => (known[x] === 1 ? (leastCpus[x] ?? 0) : untold[x] === 1 ? 0 : all);
  for (let x = 0; x < width; ) {
    const cpus = at(x);
    let end = x + 1;
    while (end < width && at(end) === cpus) end++;
    steps.push({ x0: x, x1: end, cpus });
    x = end;
  }
  return steps;
}

/** Stretches of columns about which the trace tells nothing. */
export function untoldStretches({ width, untold }: CurveColumns): { readonly x0: number; readonly x1: number }[] {
  const stretches: { x0: number; x1: number }[] = [];
  for (let x = 0; x < width; x++) {
    if (untold[x] === 0) continue;
    const last = stretches.at(-1);
    if (last?.x1 === x) last.x1 = x + 1;
    else stretches.push({ x0: x, x1: x + 1 });
  }
  return stretches;
}

/** Two y values for each column of a line, alternating up and down so that the strip has no needless jumps. */
export function linePoints(least: Uint32Array, most: Uint32Array, known: Uint8Array): Float32Array {
  const points = new Float32Array(2 * least.length);
  let last = 0;
  for (let x = 0; x < least.length; x++) {
    const low = known[x] === 1 ? (least[x] ?? 0) : 0;
    const high = known[x] === 1 ? (most[x] ?? 0) : 0;
    const rising = Math.abs(last - low) <= Math.abs(last - high);
    points[2 * x] = rising ? low : high;
    points[2 * x + 1] = rising ? high : low;
    last = rising ? high : low;
  }
  return points;
}

/**
 * Two y values for each column of an area: a strip that fills every column from `low` (null: 0) to `high`. Where the
 * two are equal, only a line is left.
 */
export function areaPoints(low: Uint32Array | null, high: Uint32Array, known: Uint8Array): Float32Array {
  const points = new Float32Array(2 * high.length);
  for (let x = 0; x < high.length; x++) {
    const top = known[x] === 1 ? (high[x] ?? 0) : 0;
    const bottom = Math.min(top, known[x] === 1 ? (low?.[x] ?? 0) : 0);
    points[2 * x] = x % 2 === 0 ? bottom : top;
    points[2 * x + 1] = x % 2 === 0 ? top : bottom;
  }
  return points;
}
