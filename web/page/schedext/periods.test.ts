import { expect, test } from 'vitest';
import { ns } from '../../base/units';
import { periodsOf } from './periods';

const bypass = (start: number, end: number | null) => ({ start: ns(start), end: end === null ? null : ns(end) });
const told = (bypasses: ReturnType<typeof bypass>[]) =>
  periodsOf(bypasses, ns(100), null).map(({ name, window }) => `${name} ${window.start}-${window.end}`);

test('periods lie between bypasses', () => {
  expect(told([])).toEqual(['Whole trace 0-101']);
  expect(told([bypass(10, 12), bypass(50, 55)])).toEqual(['Before 0-10', 'With the scheduler 12-50', 'After 55-101']);
  // The machine was also suspended.
  expect(told([bypass(10, 12), bypass(20, 21), bypass(50, 55)])).toEqual([
    'Before 0-10',
    'With the scheduler 12-50',
    'After 55-101',
  ]);
  expect(told([bypass(10, 12)])).toEqual(['Before 0-10', 'After 12-101']);
  expect(told([bypass(0, 12), bypass(50, null)])).toEqual(['With the scheduler 12-50']);
});

test('what is chosen comes last', () => {
  const window = { start: ns(3), end: ns(4) };
  expect(periodsOf([], ns(9), { name: 'range', title: '', window }).map(({ name }) => name)).toEqual([
    'Whole trace',
    'range',
  ]);
});
