import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { afterRest, restsUnderWay } from './rest';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('timers run once, and are counted until then', () => {
  const run = vi.fn(() => expect(restsUnderWay()).toBe(1));
  const cancel = afterRest(100, run);
  afterRest(200, () => undefined);
  expect(restsUnderWay()).toBe(2);
  vi.advanceTimersByTime(100);
  expect(run).toHaveBeenCalledTimes(1);
  cancel();
  expect(restsUnderWay()).toBe(1);
  vi.advanceTimersByTime(100);
  expect(restsUnderWay()).toBe(0);
});

test('a timer that is prevented does not run, and is counted no more', () => {
  const run = vi.fn();
  const cancel = afterRest(100, run);
  cancel();
  cancel();
  expect(restsUnderWay()).toBe(0);
  vi.advanceTimersByTime(200);
  expect(run).not.toHaveBeenCalled();
});
