import { describe, expect, it } from 'vitest';
import { devPx, ns } from '../../base/units';
import { levelFor, plan, tileBuckets, tileNs, tileRange } from './tiles';

const window = (start: number, end: number) => ({ start: ns(start), end: ns(end) });

describe('the level of a zoom', () => {
  it('has buckets not wider than a device pixel, and not narrower than half of one', () => {
    for (const nsPerPx of [1, 1.5, 2, 3.999, 4, 1000, 2 ** 20, 2 ** 20 + 1, 2 ** 31 - 1, 123456789.123]) {
      const width = 2 ** levelFor(nsPerPx);
      expect(width).toBeLessThanOrEqual(nsPerPx);
      expect(width * 2).toBeGreaterThan(nsPerPx);
    }
  });

  it('is 0 for pixels below one nanosecond', () => {
    expect([0.5, 0.001, 0, Number.NaN].map(levelFor)).toEqual([0, 0, 0, 0]);
  });

  it('is exact at powers of two', () => {
    for (let level = 0; level <= 50; level++) expect(levelFor(2 ** level)).toBe(level);
  });
});

describe('tiles', () => {
  it('are those that the window and the trace have in common', () => {
    const width = tileNs(3);
    expect(tileRange(3, window(0, width), ns(10 * width))).toEqual({ first: 0, end: 1 });
    expect(tileRange(3, window(width - 1, width + 1), ns(10 * width))).toEqual({ first: 0, end: 2 });
    expect(tileRange(3, window(-5 * width, 100 * width), ns(2.5 * width))).toEqual({ first: 0, end: 3 });
    expect(tileRange(3, window(5 * width, 6 * width), ns(2 * width))).toEqual({ first: 5, end: 5 });
  });

  it('end with the trace', () => {
    expect(tileBuckets({ level: 2, index: 0 }, ns(401))).toBe(101);
    expect(tileBuckets({ level: 2, index: 0 }, ns(4 * 1024))).toBe(1024);
    expect(tileBuckets({ level: 2, index: 1 }, ns(4 * 1024))).toBe(0);
  });
});

describe('the plan', () => {
  const span = ns(6e9);
  const everything = window(0, 6e9);

  it('begins with what is on the screen, and has each tile once', () => {
    const tiles = plan(window(2e9, 2.1e9), devPx(1600), everything, span);
    const level = levelFor(1e8 / 1600);
    const { first, end } = tileRange(level, window(2e9, 2.1e9), span);
    const visible = tiles.slice(0, end - first);
    expect(visible.every((tile) => tile.level === level && tile.index >= first && tile.index < end)).toBe(true);
    expect(new Set(tiles.map((tile) => `${tile.level}/${tile.index}`)).size).toBe(tiles.length);
  });

  it('has neighbours, a coarser level, and the overview', () => {
    const tiles = plan(window(2e9, 2.1e9), devPx(1600), everything, span);
    const level = levelFor(1e8 / 1600);
    const { first, end } = tileRange(level, window(2e9, 2.1e9), span);
    expect(tiles).toContainEqual({ level, index: first - 1 });
    expect(tiles).toContainEqual({ level, index: end });
    expect(tiles.some((tile) => tile.level === level + 1)).toBe(true);
    expect(tiles.some((tile) => tile.level === levelFor(6e9 / 1600))).toBe(true);
  });

  it('has what is in sight and the overview alone, where nothing is asked ahead', () => {
    const target = window(2e9, 2.1e9);
    const level = levelFor(1e8 / 1600);
    const { first, end } = tileRange(level, target, span);
    const tiles = plan(target, devPx(1600), everything, span, false);
    const overview = levelFor(6e9 / 1600);
    expect(tiles.filter((tile) => tile.level === level)).toHaveLength(end - first);
    expect(tiles.filter((tile) => tile.level !== level).every((tile) => tile.level === overview)).toBe(true);
    const ahead = plan(target, devPx(1600), everything, span);
    expect(ahead.slice(0, tiles.length)).toEqual(tiles);
    expect(ahead.length).toBeGreaterThan(tiles.length);
  });

  it('asks for nothing beside the trace', () => {
    const tiles = plan(everything, devPx(1600), everything, span);
    expect(tiles.every((tile) => tile.index >= 0 && tile.index * tileNs(tile.level) < span)).toBe(true);
    expect(plan(window(0, 1), devPx(1600), window(0, 1), ns(0))).toEqual([]);
  });
});
