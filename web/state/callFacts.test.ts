import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EngineClient } from '../engine/client';
import { callFacts } from './callFacts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

test('facts are asked for once, and again some time after a failure', async () => {
  const outcomes = [{ kind: 'failed' }, { kind: 'answer', answer: { calls: 3 } }];
  const query = vi.fn(async () => outcomes.shift());
  const engine = { session: 1, traceRevision: 0, query } as unknown as EngineClient;
  const arrived = vi.fn();
  expect(callFacts(engine, arrived)).toBeNull();
  expect(callFacts(engine, arrived)).toBeNull();
  await Promise.resolve();
  await Promise.resolve();
  expect(callFacts(engine, arrived)).toBeNull();
  expect(query).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(6000);
  expect(callFacts(engine, arrived)).toBeNull();
  await Promise.resolve();
  await Promise.resolve();
  expect(query).toHaveBeenCalledTimes(2);
  expect(arrived).toHaveBeenCalledTimes(1);
  expect(callFacts(engine, arrived)).toEqual({ calls: 3 });
});
