import { describe, expect, it } from 'vitest';
import type { CellSegment } from '../../../gl/cells';
import { type PaintedRow, type Picture, paintRows, type TaskInks } from './taskPaint';
import { DRAWN_STATES, type DrawnState, mergeShares, noBucket, noShares, type TaskCells } from './taskShares';

/** A lane of 20 rows, one device pixel for each CSS pixel. */
const HEIGHT = 20;
const RUN = 7;
const FADED = 13;
const inks: TaskInks = {
  background: 0,
  runnable: 1,
  runnableFill: 2,
  blocked: 3,
  blockedFill: 4,
  stopped: 5,
  throttled: 11,
  throttledFill: 12,
  sleeping: 6,
  hatch: 8,
};

type Bytes = Partial<Record<DrawnState, number>>;

function tile(...buckets: readonly Bytes[]): TaskCells {
  const cells = new Uint32Array(2 * buckets.length);
  buckets.forEach((bytes, i) => {
    const { running = 0, runnable = 0, blocked = 0, sleeping = 0, unknown = 0, stopped = 0, throttled = 0 } = bytes;
    const { others = 0 } = bytes;
    cells[2 * i] = running + runnable * 2 ** 8 + blocked * 2 ** 16 + sleeping * 2 ** 24;
    cells[2 * i + 1] = unknown + stopped * 2 ** 8 + others * 2 ** 16 + throttled * 2 ** 24;
  });
  return { buckets: buckets.length, cells };
}

const segment = (columns: number, bucketsPerPixel: number, bucketEnd: number, fraction = 0): CellSegment => ({
  x0: 0,
  x1: columns,
  bucket: 0,
  fraction,
  bucketsPerPixel,
  slots: [0],
  bucketEnd,
  palette: 0,
});

/** The inks of one column from the lane's foot upwards, as `[ink, rows]`. */
function column(bytes: Bytes, x = 0): [number, number][] {
  const picture: Picture = { pixels: new Uint32Array(HEIGHT), width: 1, height: HEIGHT, rowRatio: 1, phase: x };
  const row: PaintedRow = {
    top: 0,
    height: HEIGHT,
    parts: [{ segment: segment(1, 1, 1), tiles: [tile(bytes)], row: 0 }],
    runs: [{ until: Number.POSITIVE_INFINITY, ink: RUN, faded: FADED }],
    inks,
  };
  paintRows(picture, [row]);
  const spans: [number, number][] = [];
  for (const ink of [...picture.pixels].reverse()) {
    const last = spans.at(-1);
    if (last?.[0] === ink) last[1]++;
    else spans.push([ink, 1]);
  }
  return spans;
}

describe('a column of one state', () => {
  it('has a height and a pattern of its own', () => {
    expect(column({ running: 255 })).toEqual([[RUN, 20]]);
    expect(column({ runnable: 255 })).toEqual([
      [inks.runnableFill, 9],
      [inks.runnable, 2],
      [inks.background, 9],
    ]);
    expect(column({ blocked: 255 }, 0)).toEqual([
      [inks.blocked, 7],
      [inks.background, 13],
    ]);
    expect(column({ blocked: 255 }, 2)).toEqual([
      [inks.blockedFill, 5],
      [inks.blocked, 2],
      [inks.background, 13],
    ]);
    expect(column({ throttled: 255 })).toEqual([
      [inks.throttledFill, 5],
      [inks.throttled, 2],
      [inks.background, 13],
    ]);
    expect(column({ stopped: 255 })).toEqual([
      [inks.stopped, 4],
      [inks.background, 16],
    ]);
    expect(column({ sleeping: 255 })).toEqual([
      [inks.sleeping, 1],
      [inks.background, 19],
    ]);
    expect(column({})).toEqual([[inks.background, 20]]);
    expect(column({ unknown: 255 }).filter(([ink]) => ink === inks.hatch).length).toBeGreaterThanOrEqual(3);
  });
});

describe('a column of several states', () => {
  it('stacks them by their shares', () => {
    expect(column({ running: 128, runnable: 127 })).toEqual([
      [RUN, 10],
      [inks.runnableFill, 3],
      [inks.runnable, 2],
      [inks.background, 5],
    ]);
  });

  it('loses none of them, however short', () => {
    const spans = column({ running: 255, runnable: 1, blocked: 1, sleeping: 1 });
    expect(spans).toEqual([
      [RUN, 16],
      [inks.runnable, 2],
      [inks.blocked, 2],
    ]);
    // Runs that a filter leaves out, above those that pass.
    expect(column({ running: 1, others: 254 })).toEqual([
      [RUN, 2],
      [FADED, 18],
    ]);
    expect(column({ running: 255, others: 1 })).toEqual([[RUN, 20]]);
    expect(column({ runnable: 1, sleeping: 255 })).toEqual([
      [inks.runnable, 2],
      [inks.background, 18],
    ]);
  });
});

describe('merging cells into columns', () => {
  /** Overlap of half-open ranges: what the merge has to give, computed anew for every column. */
  function naive(buckets: readonly Bytes[], from: number, to: number): number[] {
    return DRAWN_STATES.map((state) =>
      buckets.reduce((sum, bytes, i) => {
        const overlap = Math.max(0, Math.min(to, i + 1) - Math.max(from, i));
        return sum + ((bytes[state] ?? 0) / 255) * (overlap / (to - from));
      }, 0),
    );
  }

  it('equals the naive sums, at any zoom', () => {
    let seed = 7;
    const random = (): number => {
      seed = (seed * 48271) % 2147483647;
      return seed / 2147483647;
    };
    const buckets = Array.from({ length: 50 }, (): Bytes => {
      const running = Math.floor(random() * 256);
      return { running, sleeping: 255 - running, unknown: random() < 0.1 ? 255 : 0, runnable: random() < 0.2 ? 1 : 0 };
    });
    const shares = noShares();
    for (const perPixel of [0.13, 0.5, 1, 1.7, 2, 7.3]) {
      const fraction = random();
      const columns = Math.floor((50 - fraction) / perPixel);
      const same = noBucket();
      for (let x = 0; x < columns; x++) {
        mergeShares(segment(columns, perPixel, 50, fraction), [tile(...buckets)], 0, x, shares, same);
        const expected = naive(buckets, fraction + x * perPixel, fraction + (x + 1) * perPixel);
        for (const [i, state] of DRAWN_STATES.entries()) expect(shares[state]).toBeCloseTo(expected[i] ?? 0, 9);
      }
    }
  });

  it('reads the row that is asked for, and nothing beside what is there', () => {
    const cells = new Uint32Array([...tile({ running: 255 }).cells, ...tile({ blocked: 255 }).cells]);
    const shares = noShares();
    mergeShares(segment(1, 1, 1), [{ buckets: 1, cells }], 1, 0, shares, noBucket());
    expect(DRAWN_STATES.filter((state) => shares[state] > 0)).toEqual(['blocked']);
    mergeShares(segment(1, 1, 1), [undefined], 0, 0, shares, noBucket());
    expect(Object.values(shares).every((share) => share === 0)).toBe(true);
  });
});

describe('the colour of runs', () => {
  it('changes with the comm, and stays where it is beside the screen', () => {
    const picture: Picture = { pixels: new Uint32Array(4 * 2), width: 4, height: 2, rowRatio: 1, phase: 0 };
    const all = tile(...Array.from({ length: 4 }, () => ({ running: 255 })));
    paintRows(picture, [
      {
        top: 0,
        height: 2,
        parts: [{ segment: segment(4, 1, 4), tiles: [all], row: 0 }],
        runs: [
          { until: -5, ink: 9, faded: 0 },
          { until: 3, ink: 10, faded: 0 },
          { until: Number.POSITIVE_INFINITY, ink: 11, faded: 0 },
        ],
        inks,
      },
    ]);
    expect([...picture.pixels]).toEqual([10, 10, 10, 11, 10, 10, 10, 11]);
  });
});
