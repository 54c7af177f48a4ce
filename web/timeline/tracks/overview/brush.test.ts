import { expect, test } from 'vitest';
import { ns } from '../../../base/units';
import { brushed, centred, gripAt } from './brush';

const bounds = { start: ns(0), end: ns(1000) };
const window = { start: ns(200), end: ns(400) };

test('edges can be taken from both sides, and leave room to take hold of a narrow window', () => {
  expect(gripAt(95, 100, 200, false)).toBe('start');
  expect(gripAt(104, 100, 200, false)).toBe('start');
  expect(gripAt(150, 100, 200, false)).toBe('window');
  expect(gripAt(203, 100, 200, false)).toBe('end');
  expect(gripAt(50, 100, 200, false)).toBe('outside');
  expect(gripAt(102, 100, 104, false)).toBe('window');
});

test('of the whole trace a part is drawn', () => {
  expect(gripAt(500, 0, 1000, true)).toBe('outside');
  expect(brushed('outside', bounds, ns(300), ns(100), bounds)).toEqual({ start: 100, end: 300 });
});

test('a moved window keeps its width and stays within the trace', () => {
  expect(brushed('window', window, ns(300), ns(350), bounds)).toEqual({ start: 250, end: 450 });
  expect(brushed('window', window, ns(300), ns(-900), bounds)).toEqual({ start: 0, end: 200 });
  expect(brushed('window', window, ns(300), ns(5000), bounds)).toEqual({ start: 800, end: 1000 });
  expect(centred(window, ns(900), bounds)).toEqual({ start: 800, end: 1000 });
});

test('an edge that is drawn past the other becomes the other', () => {
  expect(brushed('start', window, ns(200), ns(600), bounds)).toEqual({ start: 400, end: 600 });
  expect(brushed('end', window, ns(400), ns(9000), bounds)).toEqual({ start: 200, end: 1000 });
});
