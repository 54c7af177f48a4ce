import { expect, it } from 'vitest';
import { rangeTo, rowAfterKey, rowsOf } from './rowRange';

it('selects one row, and with Shift all from there', () => {
  const one = rangeTo(null, 5, false);
  expect(rowsOf(one)).toEqual({ first: 5, end: 6 });
  const down = rangeTo(one, 8, true);
  expect(rowsOf(down)).toEqual({ first: 5, end: 9 });
  const up = rangeTo(down, 3, true);
  expect(rowsOf(up)).toEqual({ first: 3, end: 6 });
  expect(rowsOf(rangeTo(up, 7, false))).toEqual({ first: 7, end: 8 });
  expect(rowsOf(rangeTo(null, 4, true))).toEqual({ first: 4, end: 5 });
});

it.each([
  ['ArrowDown', 5, 6],
  ['ArrowUp', 5, 4],
  ['ArrowUp', 0, 0],
  ['ArrowDown', 99, 99],
  ['ArrowDown', null, 40],
  ['ArrowUp', null, 40],
  ['PageDown', null, 50],
  ['PageDown', 5, 15],
  ['PageDown', 95, 99],
  ['PageUp', 5, 0],
  ['Home', 50, 0],
  ['End', null, 99],
  ['x', 5, null],
])('%s leads from %j to %j', (key, row, target) => {
  expect(rowAfterKey(key, row, 100, 10, 40)).toBe(target);
});

it('has nowhere to go without rows', () => {
  expect(rowAfterKey('End', null, 0, 10, 0)).toBeNull();
});
