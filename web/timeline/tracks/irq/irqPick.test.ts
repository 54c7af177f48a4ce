import { expect, test } from 'vitest';
import { cssPx } from '../../../base/units';
import { layoutLanes } from '../../frame/laneLayout';
import { isOnBand } from './irqPick';

test('the bands are at the upper edge of every lane', () => {
  const layout = { ...layoutLanes(4, cssPx(80), 1, 0), top: cssPx(-10), pitch: cssPx(20) };
  const hits = [-10, 0, 9, 10, 13, 14, 29.5, 31].map((y) => isOnBand(layout, 3, y));
  expect(hits).toEqual([true, false, false, true, true, true, false, true]);
  expect(isOnBand(layout, 0, 10)).toBe(false);
  expect(isOnBand({ ...layout, pitch: cssPx(6) }, 3, 2)).toBe(false);
});
