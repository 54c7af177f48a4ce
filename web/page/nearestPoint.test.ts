import { expect, test } from 'vitest';
import { nearestPoint } from './nearestPoint';

test('the nearest point within reach is found', () => {
  const points = [
    { x: 0, y: 0 },
    { x: 10, y: 0 },
    { x: 10, y: 3 },
  ];
  expect(nearestPoint(points, 9, 1, 5)).toBe(1);
  expect(nearestPoint(points, 9, 2.5, 5)).toBe(2);
  expect(nearestPoint(points, 5, 40, 5)).toBeNull();
  expect(nearestPoint([], 0, 0, 5)).toBeNull();
});
