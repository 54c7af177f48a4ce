import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { afterRest, restsUnderWay, underWay } from './rest';

// Other tests of this thread may have left timers behind.
let before = 0;
beforeEach(() => {
  vi.useFakeTimers();
  before = restsUnderWay();
});
afterEach(() => vi.useRealTimers());

test('timers run once, and are counted until then', () => {
  const run = vi.fn(() => expect(restsUnderWay() - before).toBe(1));
  const cancel = afterRest(100, run);
  afterRest(200, () => undefined);
  expect(restsUnderWay() - before).toBe(2);
  vi.advanceTimersByTime(100);
  expect(run).toHaveBeenCalledTimes(1);
  cancel();
  expect(restsUnderWay() - before).toBe(1);
  vi.advanceTimersByTime(100);
  expect(restsUnderWay() - before).toBe(0);
});

test('a timer that is prevented does not run, and is counted no more', () => {
  const run = vi.fn();
  const cancel = afterRest(100, run);
  cancel();
  cancel();
  expect(restsUnderWay() - before).toBe(0);
  vi.advanceTimersByTime(200);
  expect(run).not.toHaveBeenCalled();
});

test('a promise is counted until it settles, however it does', async () => {
  const kept = underWay(Promise.resolve(7));
  const refused = underWay(Promise.reject(new Error('refused')));
  expect(restsUnderWay() - before).toBe(2);
  expect(await kept).toBe(7);
  await expect(refused).rejects.toThrow('refused');
  expect(restsUnderWay() - before).toBe(0);
});
