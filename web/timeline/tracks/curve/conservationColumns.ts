/**
 * Work conservation for each device-pixel column: for how much of it some task waits behind another while some CPU
 * idles, and for how much some task only waits for its CPU to leave idle.
 */
import { CONSERVATION_WORDS } from '../../../engine/protocolTracks';
import type { Timescale } from '../../frame/timescale';
import { eachBucket } from '../../tiles/columnBuckets';
import type { Stretch } from '../../tiles/cover';

/** Shares in 65535ths; never 0 where they are more than nothing. */
export interface ConservationColumns {
  readonly width: number;
  readonly behind: Uint32Array;
  readonly leavingIdle: Uint32Array;
}

export function emptyConservation(width: number): ConservationColumns {
  return { width, behind: new Uint32Array(width), leavingIdle: new Uint32Array(width) };
}

/** Fills `out`, which is as wide as the scale; `stretches` hold the words of `TileAnswer`. */
export function conservationColumns(
  stretches: readonly Stretch<{ readonly values: Uint32Array }>[],
  scale: Timescale,
  out: ConservationColumns,
): void {
  out.behind.fill(0);
  out.leavingIdle.fill(0);
  const buckets = new Uint32Array(out.width);
  eachBucket(stretches, scale, CONSERVATION_WORDS, (x, data, at) => {
    buckets[x] = (buckets[x] ?? 0) + 1;
    out.behind[x] = (out.behind[x] ?? 0) + (data[at] ?? 0);
    out.leavingIdle[x] = (out.leavingIdle[x] ?? 0) + (data[at + 1] ?? 0);
  });
  for (let x = 0; x < out.width; x++) {
    const count = Math.max(1, buckets[x] ?? 0);
    out.behind[x] = Math.ceil((out.behind[x] ?? 0) / count);
    out.leavingIdle[x] = Math.ceil((out.leavingIdle[x] ?? 0) / count);
  }
}

/** Neighbouring columns of the same strength. */
export interface Strip {
  readonly x: number;
  readonly width: number;
  /** More than 0, at most 1. */
  readonly share: number;
}

/** How many strengths there are: few, so that a long violation is painted as one strip. */
const STRENGTHS = 8;

/** The strips where a task waits behind another while a CPU idles: each such time gets at least one column. */
export function violationStrips({ width, behind }: ConservationColumns): Strip[] {
  const strips: Strip[] = [];
  const strength = (x: number): number => Math.ceil(((behind[x] ?? 0) * STRENGTHS) / 65535);
  for (let x = 0; x < width; ) {
    const here = strength(x);
    let end = x + 1;
    while (end < width && strength(end) === here) end++;
    if (here > 0) strips.push({ x, width: end - x, share: here / STRENGTHS });
    x = end;
  }
  return strips;
}
