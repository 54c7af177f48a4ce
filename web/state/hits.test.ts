import { expect, test, vi } from 'vitest';
import type { EngineClient, Outcome } from '../engine/client';
import { expressionOf, hitsOf } from './hits';

test('a plain text becomes an expression, and an expression stays', () => {
  expect(expressionOf(' ')).toBe('');
  expect(expressionOf(' next_prio < 100 ')).toBe('next_prio < 100');
  expect(expressionOf('S ==> "a\\b"')).toBe('text ~ "S ==> \\"a\\\\b\\""');
});

test('hits are asked for once typing rests, told on the way, and dropped with the filter', async () => {
  vi.useFakeTimers();
  const asked: string[] = [];
  let progress: ((value: unknown) => void) | undefined;
  let settle: (outcome: Outcome<unknown>) => void = () => undefined;
  const engine = {
    session: 1,
    query(_key: string, query: { type: string; expression: string }, onProgress: (value: unknown) => void) {
      // What follows when all are found is not of this test.
      if (query.type !== 'event_hits') return Promise.resolve({ kind: 'superseded' as const });
      asked.push(query.expression);
      progress = onProgress;
      return new Promise<Outcome<unknown>>((resolve) => {
        settle = resolve;
      });
    },
  };
  const hits = hitsOf(engine as unknown as EngineClient);
  for (const text of ['p', 'pr', 'prio == 1']) hits.want(text);
  vi.runAllTimers();
  expect(asked).toEqual(['prio == 1']);
  expect(hits.state.get()).toMatchObject({ total: 0, complete: false });
  progress?.({ share: 0.5, answer: { total: 3 } });
  const { revision } = hits.state.get();
  expect(hits.state.get()).toMatchObject({ total: 3, share: 0.5, complete: false });
  settle({ kind: 'answer', answer: { total: 7, error: null } });
  await vi.runAllTimersAsync();
  expect(hits.state.get()).toMatchObject({ total: 7, share: 1, complete: true });
  expect(hits.state.get().revision).toBeGreaterThan(revision);
  // Of a scan that is over, nothing has to be ended.
  hits.want('');
  vi.runAllTimers();
  expect(hits.state.get()).toMatchObject({ expression: '', total: 0, complete: true });
  expect(asked).toHaveLength(1);
  hits.want('x');
  vi.runAllTimers();
  hits.want('');
  vi.runAllTimers();
  expect(asked).toEqual(['prio == 1', 'text ~ "x"', '']);
  vi.useRealTimers();
});
