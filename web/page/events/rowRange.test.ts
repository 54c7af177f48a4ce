import { expect, it } from 'vitest';
import { rangeTo, rowsOf } from './rowRange';

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
