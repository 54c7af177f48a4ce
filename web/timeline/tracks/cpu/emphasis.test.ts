import { describe, expect, it } from 'vitest';
import { CELL_MERGED, EMPTY_KEY } from '../../../base/cellWords';
import type { CellSegment } from '../../../gl/cells';
import { noHover } from '../../../state/hover';
import { emphasisOf, emphasisPatches, type ShownCells } from './emphasis';

const FULL = 65535;

/** Lanes of cells `[key, busy, flags]`, each a pixel wide; a lane is 10 pixels high. */
function shown(lanes: readonly (readonly (readonly [number, number, number?])[])[], palette = 0): ShownCells {
  const buckets = lanes[0]?.length ?? 0;
  const cells = Uint32Array.from(lanes.flat().flatMap(([key, busy, flags = 0]) => [key, busy | flags]));
  const segment: CellSegment = {
    x0: 0,
    x1: buckets,
    bucket: 0,
    fraction: 0,
    bucketsPerPixel: 1,
    slots: [3],
    bucketEnd: buckets,
    palette,
  };
  return {
    segments: [segment],
    lanes: { count: lanes.length, top: 0, pitch: 10, gap: 0 },
    tiles: new Map([[3, { buckets, cells }]]),
    pixelRatio: 1,
  };
}

describe('what stands out below the pointer', () => {
  it('is every run of the key, in all lanes, and nothing else', () => {
    const [run, other, idle] = [[7, FULL] as const, [8, FULL] as const, [EMPTY_KEY, 0] as const];
    const cells = shown([
      [run, run, other, run],
      [idle, other, run, run],
    ]);
    const patches = emphasisPatches(cells, { palette: 0, key: 7 }, 20);
    expect(patches.map(({ x, y, width, height }) => [x, y, width, height])).toEqual([
      [0, 0, 2, 10],
      [3, 0, 1, 10],
      [2, 10, 2, 10],
    ]);
    expect(new Set(patches.map(({ strength }) => strength))).toEqual(new Set([0.35]));
  });

  it('is as high as the bar of merged cells, and weaker where a column is not full', () => {
    const [bar, sliver] = emphasisPatches(
      shown([
        [
          [7, FULL / 2, CELL_MERGED],
          [8, FULL],
          [7, FULL / 2],
        ],
      ]),
      { palette: 0, key: 7 },
      10,
    );
    expect(bar).toMatchObject({ x: 0, width: 1, strength: 0.35 });
    // Half of a bar of 9 of 10 pixels, in steps of 1/84 of the lane: 4.52 pixels, which contain the middles of five
    // rows.
    expect([bar?.y, bar?.height]).toEqual([5, 5]);
    expect(sliver).toMatchObject({ x: 2, y: 0, height: 10 });
    expect(sliver?.strength).toBeLessThan(0.35);
  });

  it('is nothing where the keys are those of another kind', () => {
    expect(emphasisPatches(shown([[[7, FULL]]], 1), { palette: 0, key: 7 }, 10)).toEqual([]);
  });

  it('is the task, or the command where colours are the commands’', () => {
    const trace = { commIds: new Map([['make', 4]]) };
    expect(emphasisOf({ colour: 'pid' }, trace, { ...noHover, task: 9 })).toEqual({ palette: 0, key: 9 });
    expect(emphasisOf({ colour: 'pid' }, trace, { ...noHover, comm: 'make' })).toBeNull();
    expect(emphasisOf({ colour: 'command' }, trace, { ...noHover, comm: 'make' })).toEqual({ palette: 1, key: 4 });
    expect(emphasisOf({ colour: 'command' }, trace, { ...noHover, comm: 'cc' })).toBeNull();
  });
});
