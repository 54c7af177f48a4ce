import { expect, test } from 'vitest';
import { ns } from '../../base/units';
import { alignmentOf, firstOffset, offsetFor } from './align';

const slow = { span: ns(1000), after_sleep: ns(300) };
const fast = { span: ns(700), after_sleep: ns(100) };
const marks = { a: ns(50.4), b: null };

test('traces are aligned at their start, their end, the end of their sleep, or a mark', () => {
  expect(offsetFor('start', slow, fast, marks)).toBe(0);
  expect(offsetFor('end', slow, fast, marks)).toBe(300);
  expect(offsetFor('sleep', slow, fast, marks)).toBe(200);
  expect(offsetFor('a', slow, fast, marks)).toBe(50);
});

test('traces are aligned at the first event that passes the filter in both', () => {
  expect(offsetFor('filter', { ...slow, passing: ns(420) }, { ...fast, passing: ns(20) }, marks)).toBe(400);
  expect(offsetFor('filter', { ...slow, passing: ns(420) }, { ...fast, passing: null }, marks)).toBeNull();
  expect(offsetFor('filter', slow, fast, marks)).toBeNull();
});

test('what one of them lacks cannot align them', () => {
  expect(offsetFor('b', slow, fast, marks)).toBeNull();
  expect(offsetFor('sleep', slow, { ...fast, after_sleep: null }, marks)).toBeNull();
});

test('at first their work begins at the same instant, if that is known', () => {
  expect(firstOffset(slow, fast)).toBe(200);
  expect(firstOffset(slow, { ...fast, after_sleep: null })).toBe(0);
  expect(alignmentOf(ns(200), slow, fast, marks)).toBe('sleep');
  expect(alignmentOf(ns(7), slow, fast, marks)).toBeNull();
});
