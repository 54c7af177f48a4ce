import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Throttle } from './throttle';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('an interval may grow', () => {
  const sent: number[] = [];
  let interval = 100;
  const throttle = new Throttle<number>(
    () => interval,
    (value) => sent.push(value),
  );
  throttle.push(1);
  interval = 300;
  throttle.push(2);
  vi.advanceTimersByTime(100);
  expect(sent).toEqual([1, 2]);
  throttle.push(3);
  vi.advanceTimersByTime(299);
  expect(sent).toEqual([1, 2]);
  vi.advanceTimersByTime(1);
  expect(sent).toEqual([1, 2, 3]);
});

test('the first at once, then the last of each interval', () => {
  const sent: number[] = [];
  const throttle = new Throttle<number>(
    () => 100,
    (value) => sent.push(value),
  );
  throttle.push(1);
  throttle.push(2);
  throttle.push(3);
  expect(sent).toEqual([1]);
  vi.advanceTimersByTime(100);
  expect(sent).toEqual([1, 3]);
  vi.advanceTimersByTime(500);
  expect(sent).toEqual([1, 3]);
  throttle.push(4);
  throttle.push(5);
  throttle.flush();
  expect(sent).toEqual([1, 3, 4, 5]);
  throttle.push(6);
  throttle.cancel();
  vi.advanceTimersByTime(500);
  expect(sent).toEqual([1, 3, 4, 5]);
});
