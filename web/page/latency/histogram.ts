/**
 * The geometry of a histogram of durations: buckets of powers of two side by side, all of the same width, so that the
 * axis is logarithmic. Zero, which has no logarithm, has a separate bucket at the left. Pure.
 */
import { format } from 'd3-format';
import { type ScaleLogarithmic, scaleLog } from 'd3-scale';
import type { Spread } from '../../engine/protocol';

type Counts = Spread['histogram'];

/** A bucket of durations of at least `from` and less than `to`. */
export interface Bucket {
  readonly from: number;
  readonly to: number;
  /** How many there are in all, and in the group that is compared with all (0 without a group). */
  readonly all: number;
  readonly group: number;
}

/** The buckets from the lowest to the highest that is not empty, with the empty ones in between. */
export function bucketsOf(all: Counts, group: Counts): Bucket[] {
  const count = (counts: Counts) => new Map(counts.map(([from, many]) => [from, many]));
  const [ofAll, ofGroup] = [count(all), count(group)];
  const at = (from: number, to: number): Bucket => ({
    from,
    to,
    all: ofAll.get(from) ?? 0,
    group: ofGroup.get(from) ?? 0,
  });
  const froms = [...ofAll.keys(), ...ofGroup.keys()].filter((from) => from > 0);
  const buckets = ofAll.has(0) || ofGroup.has(0) ? [at(0, 1)] : [];
  const highest = Math.max(...froms);
  for (let from = Math.min(...froms); from <= highest; from *= 2) {
    buckets.push(at(from, from * 2));
  }
  return buckets;
}

/** Maps durations to CSS pixels from the left of the plot. */
export class DurationScale {
  readonly bucketWidth: number;
  readonly #log: ScaleLogarithmic<number, number>;
  readonly #zero: boolean;

  constructor(
    readonly buckets: readonly Bucket[],
    readonly width: number,
  ) {
    this.bucketWidth = width / Math.max(1, buckets.length);
    this.#zero = buckets[0]?.from === 0;
    const lowest = buckets[this.#zero ? 1 : 0]?.from ?? 1;
    this.#log = scaleLog()
      .domain([lowest, buckets.at(-1)?.to ?? 2])
      .range([this.#zero ? this.bucketWidth : 0, width]);
  }

  x(duration: number): number {
    // A single bucket of zeros has no logarithmic scale.
    return duration < 1 || (this.#zero && this.buckets.length === 1) ? this.bucketWidth / 2 : this.#log(duration);
  }

  /** The index of the bucket at an x; null outside the plot. */
  bucketAt(x: number): number | null {
    const index = Math.floor(x / this.bucketWidth);
    return index >= 0 && index < this.buckets.length ? index : null;
  }

  /** Ticks at powers of ten, at least `room` CSS pixels apart. */
  ticks(room: number): { readonly x: number; readonly duration: number }[] {
    const [low = 1, high = 1] = this.#log.domain();
    if (this.buckets.every(({ from }) => from === 0)) {
      return [];
    }
    const decade = this.x(10) - this.x(1);
    const every = Math.max(1, Math.ceil(room / decade));
    const ticks: { x: number; duration: number }[] = [];
    for (let power = Math.ceil(Math.log10(low) - 1e-9); 10 ** power <= high; power += 1) {
      if (power % every === 0) {
        ticks.push({ x: this.x(10 ** power), duration: 10 ** power });
      }
    }
    return ticks;
  }
}

export interface PlacedLabel {
  readonly text: string;
  readonly x: number;
  readonly left: number;
  /** The row, counted from the top, in which the label hides no other. */
  readonly row: number;
}

/**
 * Places the labels of vertical lines in as few rows as possible, each centred on its line, or as near to that as the
 * plot allows.
 */
export function placeLineLabels(
  lines: readonly { readonly text: string; readonly x: number }[],
  width: number,
  charWidth: number,
): PlacedLabel[] {
  const ends: number[] = [];
  return lines.map(({ text, x }) => {
    const wide = text.length * charWidth;
    const left = Math.min(Math.max(0, x - wide / 2), Math.max(0, width - wide));
    const free = ends.findIndex((end) => end + 4 <= left);
    const row = free < 0 ? ends.length : free;
    ends[row] = left + wide;
    return { text, x, left, row };
  });
}

export const PERCENTILES = ['p50', 'p90', 'p99', 'p99.9', 'max'] as const;

/** The percentiles that are known, with their durations, the lowest first. */
export function percentilesOf(spread: Spread): { readonly text: string; readonly duration: number }[] {
  const values = [spread.p50, spread.p90, spread.p99, spread.p999, spread.max];
  return PERCENTILES.flatMap((text, index) => {
    const duration = values[index] ?? null;
    return duration === null ? [] : [{ text, duration }];
  });
}

const short = format('.0s');

/** The label of a power of ten on the axis: `10 µs`, or `10k ticks` for a clock that counts ticks. */
export function tickText(isNs: boolean, duration: number): string {
  if (!isNs) {
    return `${short(duration)} ticks`;
  }
  const units = ['ns', 'µs', 'ms', 's'] as const;
  const unit = Math.min(units.length - 1, Math.floor(Math.log10(duration) / 3 + 1e-9));
  return `${Math.round(duration / 1000 ** unit)} ${units[unit]}`;
}
