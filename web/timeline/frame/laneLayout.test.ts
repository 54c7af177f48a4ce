import { describe, expect, it } from 'vitest';
import { cssPx } from '../../base/units';
import { labelStep, laneAt, laneBands, lanesShown, laneTop, layoutLanes, mostFilled } from './laneLayout';

const height = cssPx(640);

describe('lanes', () => {
  it('all fit at scale 1', () => {
    const layout = layoutLanes(128, height, 1, 0);
    expect(layout).toMatchObject({ pitch: 5, top: 0 });
    expect(lanesShown(layout)).toBe(128);
  });

  it('of few CPUs do not fill the screen', () => {
    expect(layoutLanes(2, height, 1, 0).pitch).toBeLessThan(100);
    expect(layoutLanes(1, cssPx(1300), 1, 0).pitch).toBeLessThan(200);
  });

  it('of few CPUs fill exactly the height that they can', () => {
    for (const lanes of [1, 2, 4, 7]) {
      const most = cssPx(mostFilled(lanes) ?? 0);
      expect(layoutLanes(lanes, most, 1, 0).pitch * lanes).toBe(most);
    }
    expect(mostFilled(8)).toBeUndefined();
  });

  it('of eight fill the screen, however high', () => {
    expect(lanesShown(layoutLanes(8, cssPx(1300), 1, 0)) * layoutLanes(8, cssPx(1300), 1, 0).pitch).toBe(1300);
  });

  it('scroll when they are taller, but not beyond the last', () => {
    expect(laneTop(layoutLanes(128, height, 2, 10), 10)).toBe(0);
    expect(layoutLanes(128, height, 2, 1000).top).toBe(-640);
  });

  it('are picked by where they are', () => {
    const layout = layoutLanes(128, height, 2, 10);
    expect([0, 9.9, 10, 639].map((y) => laneAt(layout, cssPx(y)))).toEqual([10, 10, 11, 73]);
    expect([-1, 640].map((y) => laneAt(layout, cssPx(y)))).toEqual([null, null]);
    expect(laneAt(layoutLanes(2, height, 1, 0), cssPx(600))).toBeNull();
  });

  it('have a gap where they are tall enough for one', () => {
    expect(laneBands(layoutLanes(512, height, 1, 0), 1).gap).toBe(0);
    expect(laneBands(layoutLanes(128, height, 1, 0), 1).gap).toBe(1);
    expect(laneBands(layoutLanes(8, height, 1, 0), 2).gap).toBe(8);
  });
});

describe('labels of lanes', () => {
  it('are there for every n-th lane, so that each has room', () => {
    expect(labelStep(layoutLanes(8, height, 1, 0), cssPx(13))).toBe(1);
    expect(labelStep(layoutLanes(128, height, 1, 0), cssPx(13))).toBe(4);
    expect(labelStep(layoutLanes(512, height, 1, 0), cssPx(13))).toBe(16);
  });
});
