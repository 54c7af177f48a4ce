import { describe, expect, it } from 'vitest';
import { CELL_MERGED, EMPTY_KEY } from '../../../base/cellWords';
import type { CellSegment } from '../../../gl/cells';
import { mergeColumn, newColumn } from '../../../gl/mergeColumn';
import { noHover } from '../../../state/hover';
import { type Emphasis, emphasisOf, PatchSearch, type ShownCells } from './emphasis';
import { KeyedTile } from './keyPlaces';
import { type Patch, Patches } from './patches';

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
    tiles: new Map([[3, new KeyedTile(buckets, cells)]]),
    pixelRatio: 1,
  };
}

function patchesOf(cells: ShownCells, emphasis: Emphasis, height: number): Patch[] {
  const patches = new Patches();
  // What was found before is forgotten.
  patches.add(0, 0, 1, 1);
  expect(new PatchSearch(cells, emphasis, height, patches).step(() => true)).toBe(false);
  expect(patches.list()).toHaveLength(patches.count);
  return patches.list();
}

/** The columns of the key, found by merging every column of every lane. */
function columnsOf({ segments, lanes, tiles }: ShownCells, key: number): string[] {
  const column = newColumn();
  const found: string[] = [];
  for (const segment of segments) {
    const cells = segment.slots.map((slot) => tiles.get(slot));
    for (let lane = 0; lane < lanes.count; lane++) {
      for (let x = segment.x0; x < segment.x1; x++) {
        mergeColumn(segment, cells, lane, x, column);
        if (column.key === key) found.push(`${lane}/${x}`);
      }
    }
  }
  return found.sort();
}

describe('what stands out below the pointer', () => {
  it('is every run of the key, in all lanes, and nothing else', () => {
    const [run, other, idle] = [[7, FULL] as const, [8, FULL] as const, [EMPTY_KEY, 0] as const];
    const cells = shown([
      [run, run, other, run],
      [idle, other, run, run],
    ]);
    const patches = patchesOf(cells, { palette: 0, key: 7 }, 20);
    expect(patches.map(({ x, y, width, height }) => [x, y, width, height])).toEqual([
      [0, 0, 2, 10],
      [3, 0, 1, 10],
      [2, 10, 2, 10],
    ]);
    expect(new Set(patches.map(({ strength }) => strength))).toEqual(new Set([0.35]));
  });

  it('is as high as the bar of merged cells, and weaker where a column is not full', () => {
    const [bar, sliver] = patchesOf(
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

  it('is found lane by lane, too', () => {
    const random = shown(
      Array.from({ length: 9 }, (_, lane) => [
        [lane % 3, FULL],
        [7, lane + 1],
        [7, FULL],
      ]),
    );
    // The last two of these lanes are below the canvas.
    const [patches, height] = [new Patches(), 70];
    const search = new PatchSearch(random, { palette: 0, key: 7 }, height, patches);
    const counts = [];
    while (search.step(() => false)) counts.push(patches.count);
    expect(counts).toEqual([2, 4, 6, 8, 10, 12]);
    expect(patches.list()).toEqual(patchesOf(random, { palette: 0, key: 7 }, height));
  });

  it('is nothing where the keys are those of another kind', () => {
    expect(patchesOf(shown([[[7, FULL]]], 1), { palette: 0, key: 7 }, 10)).toEqual([]);
  });

  it('is what merging all columns finds, at any zoom and across tiles', () => {
    // xorshift, so that the test is the same each time.
    let seed = 42;
    const random = (below: number): number => {
      seed ^= seed << 13;
      seed ^= seed >>> 17;
      seed ^= seed << 5;
      return (seed >>> 0) % below;
    };
    const lanes = { count: 5, top: -13, pitch: 10, gap: 1 };
    for (const bucketsPerPixel of [0.013, 0.4, 1, 1.37, 3.9]) {
      const buckets = 1024;
      const tile = (): KeyedTile => {
        const words = Array.from({ length: lanes.count * buckets }, () => {
          const key = random(4);
          return key === 3 ? [EMPTY_KEY, 0] : [key, 1 + random(FULL)];
        });
        return new KeyedTile(buckets, Uint32Array.from(words.flat()));
      };
      const [x0, bucket] = [random(50), 1000];
      const segment: CellSegment = {
        x0,
        x1: x0 + Math.floor((2048 - bucket) / bucketsPerPixel / 2),
        bucket,
        fraction: random(1000) / 1000,
        bucketsPerPixel,
        slots: [4, 9],
        bucketEnd: 2040,
        palette: 0,
      };
      const cells = {
        segments: [segment],
        lanes,
        tiles: new Map([
          [4, tile()],
          [9, tile()],
        ]),
        pixelRatio: 1,
      };
      for (const key of [0, 1, 2, 3]) {
        const painted = patchesOf(cells, { palette: 0, key }, 1000).flatMap(({ x, y, width, height }) =>
          Array.from({ length: width }, (_, i) => `${Math.floor((y + height - lanes.top) / lanes.pitch)}/${x + i}`),
        );
        // The first lane is above the canvas.
        expect(painted.sort()).toEqual(columnsOf(cells, key).filter((place) => !place.startsWith('0/')));
      }
    }
  });

  it('is the task, or the command where colours are the commands’', () => {
    const trace = { commIds: new Map([['make', 4]]) };
    expect(emphasisOf({ colour: 'pid' }, trace, { ...noHover, task: 9 })).toEqual({ palette: 0, key: 9 });
    expect(emphasisOf({ colour: 'pid' }, trace, { ...noHover, comm: 'make' })).toBeNull();
    expect(emphasisOf({ colour: 'command' }, trace, { ...noHover, comm: 'make' })).toEqual({ palette: 1, key: 4 });
    expect(emphasisOf({ colour: 'command' }, trace, { ...noHover, comm: 'cc' })).toBeNull();
  });
});
