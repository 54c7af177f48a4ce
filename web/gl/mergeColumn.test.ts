import { describe, expect, it } from 'vitest';
import { CELL_HIGHLIGHT, CELL_INFERRED, CELL_MERGED, CELL_UNKNOWN, EMPTY_KEY } from '../base/cellWords';
import { barShares, type CellSegment, type CellStyle, laneBand, visibleLanes } from './cells';
import { columnTexel, mergeColumn, newColumn, texelColour } from './mergeColumn';
import { LEVELS, PATTERNS } from './shaders';

const FULL = 65535;

/** Merges one lane of cells `[key, busy of 65535, flags]`; there are two buckets per pixel unless `change` differs. */
function merged(cells: readonly (readonly [number, number, number?])[], change: Partial<CellSegment> = {}, x = 0) {
  const words = Uint32Array.from(cells.flatMap(([key, busy, flags = 0]) => [key, busy | flags]));
  const segment: CellSegment = {
    x0: 0,
    x1: 100,
    bucket: 0,
    fraction: 0,
    bucketsPerPixel: 2,
    slots: [0],
    bucketEnd: cells.length,
    palette: 0,
    ...change,
  };
  const column = newColumn();
  mergeColumn(segment, [{ buckets: cells.length, cells: words }], 0, x, column);
  return column;
}

const idle: readonly [number, number] = [EMPTY_KEY, 0];

describe('merging cells below a pixel', () => {
  it('shows the most busy key and how busy both are', () => {
    const column = merged([
      [7, FULL],
      [8, FULL / 5],
    ]);
    expect(column).toMatchObject({ key: 7, highlight: false, merged: true });
    expect(column.full).toBeCloseTo(0.6);
  });

  it('adds up the shares of one key', () => {
    const column = merged(
      [
        [7, FULL * 0.4],
        [8, FULL * 0.6],
        [7, FULL * 0.4],
      ],
      { bucketsPerPixel: 3 },
    );
    expect(column.key).toBe(7);
  });

  it('lets a highlighted sliver win over a full run, and keeps it visible', () => {
    const column = merged([
      [7, FULL],
      [8, 1, CELL_HIGHLIGHT],
    ]);
    expect(column).toMatchObject({ key: 8, highlight: true });
    expect(merged([[8, 1, CELL_HIGHLIGHT], idle]).full).toBeGreaterThan(0.5);
  });

  it('never shows a nanosecond as idle', () => {
    const column = merged([[3, 1], idle]);
    expect(column.key).toBe(3);
    expect(column.full).toBeGreaterThan(0);
    const texel = columnTexel(column, [1, 0, 0], style, [0, 0]);
    expect(texel.level).toBe(LEVELS);
    expect(texel.colour[1]).toBeLessThan(0.8);
  });

  it('counts partly covered buckets by what is covered', () => {
    // The pixel covers the last half of an idle bucket and the first half of a busy one.
    const column = merged([idle, [5, FULL]], { fraction: 0.5, bucketsPerPixel: 1 });
    expect(column.full).toBeCloseTo(0.5);
    expect(column.merged).toBe(false);
  });

  it('reads single buckets far from the origin when a pixel is less than one', () => {
    const change = { bucket: 1, fraction: 0.25, bucketsPerPixel: 0.125 };
    const cells = [idle, [5, FULL], [6, FULL]] as const;
    expect(Array.from({ length: 8 }, (_, x) => merged(cells, change, x).key)).toEqual([5, 5, 5, 5, 5, 5, 6, 6]);
  });

  it('does not read beyond the last bucket', () => {
    expect(merged([[5, FULL]], { bucketEnd: 1 }, 3)).toMatchObject({ key: EMPTY_KEY, full: 0 });
  });

  it('says what is unknown before what is inferred', () => {
    expect(merged([idle, [EMPTY_KEY, 0, CELL_UNKNOWN]]).pattern).toBe(PATTERNS.unknown);
    expect(merged([[5, FULL, CELL_INFERRED], idle]).pattern).toBe(PATTERNS.inferred);
    expect(
      merged([
        [5, FULL, CELL_INFERRED],
        [EMPTY_KEY, 0, CELL_UNKNOWN],
      ]).pattern,
    ).toBe(PATTERNS.unknown);
  });

  it('keeps the flag of merged cells', () => {
    expect(merged([[5, FULL / 2, CELL_MERGED], idle]).merged).toBe(true);
    expect(
      merged([
        [5, FULL],
        [5, FULL],
      ]).merged,
    ).toBe(false);
  });
});

const style: CellStyle = {
  background: [1, 1, 1],
  hatch: [0.5, 0.5, 0.5],
  other: [0, 0, 0],
  otherAmount: 1,
  hatchPhase: 0,
  pixelRatio: 1,
  grounds: null,
  byShare: false,
};
const run = { ...newColumn(), key: 5, full: 1, highlight: true };

describe('colouring a column', () => {
  it('paints a solid run in its colour over all of the lane', () => {
    expect(columnTexel(run, [1, 0, 0], style, [0.9, 0.1])).toEqual({ colour: [1, 0, 0], level: LEVELS, pattern: 0 });
  });

  it('tells merged columns from solid ones, however busy', () => {
    const bar = columnTexel({ ...run, merged: true }, [1, 0, 0], style, [0.9, 0.1]);
    expect(bar.level).toBeLessThan(LEVELS);
    const thin = columnTexel({ ...run, merged: true }, [1, 0, 0], style, [0, 0]);
    expect(thin.colour).not.toEqual([1, 0, 0]);
  });

  it('shows the busy fraction as the height of a bar', () => {
    const half = columnTexel({ ...run, merged: true, full: 0.5 }, [1, 0, 0], style, [1, 0]);
    expect(half.level).toBe(LEVELS / 2);
    expect(texelColour(half, true, false, style)).toEqual([1, 0, 0]);
    expect(texelColour(half, false, false, style)[1]).toBeGreaterThan(0.7);
  });

  it('mixes what is not highlighted towards the other colour', () => {
    expect(columnTexel({ ...run, highlight: false }, [1, 0, 0], style, [0, 0]).colour).toEqual([0, 0, 0]);
  });

  it('hatches what is unknown, but not a run beside it', () => {
    const texel = columnTexel({ ...newColumn(), pattern: PATTERNS.unknown }, [0, 0, 0], style, [0, 0]);
    expect(texelColour(texel, false, true, style)).toEqual([0.5, 0.5, 0.5]);
    expect(texelColour(texel, false, false, style)).toEqual([1, 1, 1]);
    const beside = columnTexel({ ...run, pattern: PATTERNS.unknown }, [1, 0, 0], style, [0, 0]);
    expect(texelColour(beside, true, true, style)).toEqual([1, 0, 0]);
  });
});

describe('lanes in device pixels', () => {
  it('tile without overlaps or holes, but for the gap', () => {
    const lanes = { count: 128, top: 0, pitch: 5.47, gap: 1 };
    for (let lane = 1; lane < lanes.count; lane++) {
      const before = laneBand(lanes, lane - 1);
      expect(before.top + before.height + lanes.gap).toBe(laneBand(lanes, lane).top);
    }
  });

  it('knows which are on the screen', () => {
    expect(visibleLanes({ count: 8, top: -25, pitch: 10, gap: 1 }, 30)).toEqual({ first: 2, end: 6 });
    expect(visibleLanes({ count: 8, top: 0, pitch: 10, gap: 1 }, 1000)).toEqual({ first: 0, end: 8 });
    expect(visibleLanes({ count: 0, top: 0, pitch: 10, gap: 1 }, 1000)).toEqual({ first: 0, end: 0 });
  });

  it('have bars only where they can be seen', () => {
    expect(barShares({ count: 1, top: 0, pitch: 5, gap: 1 }, { pixelRatio: 1, grounds: null })).toEqual([0, 0]);
    const lanes = { count: 1, top: 0, pitch: 22, gap: 2 };
    expect(barShares(lanes, { pixelRatio: 2, grounds: null })).toEqual([0.9, 0.1]);
    expect(barShares(lanes, { pixelRatio: 2, grounds: new Uint8Array(4) })).toEqual([1, 0.1]);
  });
});
