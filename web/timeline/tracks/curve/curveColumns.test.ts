import { describe, expect, it } from 'vitest';
import { devPx, ns } from '../../../base/units';
import { CURVE_WORDS } from '../../../engine/protocolTracks';
import { TILE_BUCKETS } from '../../../gl/cells';
import { Timescale } from '../../frame/timescale';
import { cover } from '../../tiles/cover';
import { TileCache } from '../../tiles/tileCache';
import { tileNs } from '../../tiles/tiles';
import { areaPoints, cpuSteps, curveColumns, emptyColumns, linePoints, untoldStretches } from './curveColumns';

/** A tile with the same running and runnable in every bucket but one, which has a peak. */
function tileWith(peakBucket: number): Uint32Array {
  const data = new Uint32Array(CURVE_WORDS * TILE_BUCKETS);
  for (let bucket = 0; bucket < TILE_BUCKETS; bucket++) data.set([3, 3, 4, 4, 6, 8], CURVE_WORDS * bucket);
  data.set([1, 3, 4, 9, 2, 8], CURVE_WORDS * peakBucket);
  return data;
}

function columnsOf(window: { start: number; end: number }, width: number, peakBucket: number, span = tileNs(4)) {
  const cache = new TileCache<{ values: Uint32Array }>(4);
  cache.put('curve', { level: 4, index: 0 }, 1, TILE_BUCKETS, { values: tileWith(peakBucket) });
  const scale = new Timescale({ start: ns(window.start), end: ns(window.end) }, devPx(width), 1);
  const columns = emptyColumns(width);
  curveColumns(cover(cache, ['curve'], scale, ns(span)), scale, columns);
  return columns;
}

describe('curves in columns', () => {
  it('never lose a peak, however far out', () => {
    for (const width of [256, 700, 1000]) {
      const columns = columnsOf({ start: 0, end: tileNs(4) }, width, 777);
      expect(Math.max(...columns.mostRunnable)).toBe(9);
      expect(Math.min(...columns.leastRunning)).toBe(1);
      expect(columns.mostRunnable.filter((value) => value === 9).length).toBeLessThanOrEqual(2);
    }
  });

  it('are flat over the pixels of one bucket', () => {
    const columns = columnsOf({ start: 10 * 16, end: 14 * 16 }, 64, 12);
    expect([...columns.mostRunnable.slice(28, 52)]).toEqual([4, 4, 4, 4, ...new Array(16).fill(9), 4, 4, 4, 4]);
  });

  it('say where nothing is known', () => {
    const columns = columnsOf({ start: 0, end: 2 * tileNs(4) }, 2000, 0, 4 * tileNs(4));
    expect([columns.known[999], columns.known[1001]]).toEqual([1, 0]);
  });
});

describe('the number of known CPUs', () => {
  it('is a line of steps that loses no hole, and stays at all CPUs where nothing has arrived', () => {
    const columns = columnsOf({ start: 10 * 16, end: 14 * 16 }, 64, 12);
    expect(cpuSteps(columns, 8)).toEqual([
      { x0: 0, x1: 32, cpus: 6 },
      { x0: 32, x1: 48, cpus: 2 },
      { x0: 48, x1: 64, cpus: 6 },
    ]);
    expect(cpuSteps(emptyColumns(5), 8)).toEqual([{ x0: 0, x1: 5, cpus: 8 }]);
    const far = columnsOf({ start: 0, end: tileNs(4) }, 256, 777);
    expect(Math.min(...cpuSteps(far, 8).map(({ cpus }) => cpus))).toBe(2);
  });

  it('of none leaves no curve', () => {
    const cache = new TileCache<{ values: Uint32Array }>(4);
    const data = new Uint32Array(CURVE_WORDS * TILE_BUCKETS);
    for (let bucket = TILE_BUCKETS / 2; bucket < TILE_BUCKETS; bucket++) {
      data.set([1, 1, 1, 1, 1, 2], CURVE_WORDS * bucket);
    }
    cache.put('curve', { level: 4, index: 0 }, 1, TILE_BUCKETS, { values: data });
    const window = { start: ns(0), end: ns(tileNs(4)) };
    const scale = new Timescale(window, devPx(256), 1);
    const columns = emptyColumns(256);
    curveColumns(cover(cache, ['curve'], scale, window.end), scale, columns);
    expect(untoldStretches(columns)).toEqual([{ x0: 0, x1: 128 }]);
    expect([columns.known[127], columns.known[128]]).toEqual([0, 1]);
    expect(cpuSteps(columns, 2)).toEqual([
      { x0: 0, x1: 128, cpus: 0 },
      { x0: 128, x1: 256, cpus: 1 },
    ]);
  });
});

describe('points of a line', () => {
  it('go up and down within a column without needless jumps', () => {
    const least = Uint32Array.of(1, 1, 5);
    const most = Uint32Array.of(4, 6, 5);
    expect([...linePoints(least, most, Uint8Array.of(1, 1, 1))]).toEqual([1, 4, 6, 1, 5, 5]);
  });

  it('of an area reach from one curve to the other', () => {
    expect([...areaPoints(null, Uint32Array.of(2, 3), Uint8Array.of(1, 1))]).toEqual([0, 2, 3, 0]);
    expect([...areaPoints(Uint32Array.of(2, 3), Uint32Array.of(2, 5), Uint8Array.of(1, 1))]).toEqual([2, 2, 5, 3]);
    expect([...areaPoints(null, Uint32Array.of(2, 3), Uint8Array.of(0, 1))]).toEqual([0, 0, 3, 0]);
  });
});
