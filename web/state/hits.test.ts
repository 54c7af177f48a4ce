import { expect, test, vi } from 'vitest';
import { observable } from '../base/observable';
import type { EngineClient, Outcome } from '../engine/client';
import { expressionOf, hitsOf } from './hits';

test('a plain text becomes an expression, and an expression stays', () => {
  expect(expressionOf(' ')).toBe('');
  expect(expressionOf(' next_prio < 100 ')).toBe('next_prio < 100');
  // In quotes `\\` is a backslash, and in a pattern a backslash says that what follows stands for itself.
  expect(expressionOf('S ==> "a"')).toBe('text ~ "S ==> \\"a\\""');
  expect(expressionOf('[120] *?')).toBe('text ~ "\\\\[120] \\\\*\\\\?"');
  expect(expressionOf('a\\b')).toBe('text ~ "a\\\\\\\\b"');
});

test('hits are asked for with each letter, told of the last one on the way, and dropped with the filter', async () => {
  vi.useFakeTimers();
  const asked: string[] = [];
  let progress: ((value: unknown) => void) | undefined;
  let settle: (outcome: Outcome<unknown>) => void = () => undefined;
  const engine = {
    session: 1,
    passing: observable<number | null>(null),
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
  hits.want('p');
  const tellOfFirst = progress;
  hits.want('prio == 1');
  // It asked before any frame.
  expect(asked).toEqual(['text ~ "p"', 'prio == 1']);
  tellOfFirst?.({ share: 0.5, answer: { total: 9 } });
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
  expect(asked).toHaveLength(2);
  hits.want('x');
  vi.runAllTimers();
  hits.want('');
  vi.runAllTimers();
  expect(asked.slice(2)).toEqual(['text ~ "x"', '']);
  vi.useRealTimers();
});

interface Sent {
  readonly type: string;
  readonly expression?: string;
  readonly words?: Uint32Array;
  readonly place?: number;
  readonly first?: number;
  readonly runs?: number | null;
}

test('when all hits are found, their runs are found in parts, and then the engine hears which count', async () => {
  vi.useFakeTimers();
  const asked: string[] = [];
  const passing = observable<number | null>(null);
  /** By place of a CPU and number of the first one: how many come at once. */
  const parts: Readonly<Record<string, number>> = { '0 0': 4, '0 4': 2, '1 0': 0, '2 0': 3 };
  const answers: Readonly<Record<string, (query: Sent) => object>> = {
    event_hits: () => ({ total: 9, error: null }),
    event_hit_runs: ({ place = 0, first = 0 }) => {
      const count = parts[`${place} ${first}`];
      const more = `${place} ${first + (count || 1)}` in parts;
      const values = new Uint32Array(3 * (count ?? 0));
      return { cpu: count === undefined ? null : 10 + place, count: count ?? 0, more, values };
    },
    passing_runs: () => ({ runs: 5, words: Uint32Array.of(1, 2) }),
    filter_runs: ({ runs = null }) => {
      passing.set(runs);
      return {};
    },
  };
  const engine = {
    session: 1,
    passing,
    query(_key: string, { type, expression, words, ...rest }: Sent) {
      const sent = words === undefined ? '' : ` with ${words.length}`;
      asked.push(`${type} ${JSON.stringify(rest)}${sent}`);
      return Promise.resolve({ kind: 'answer', answer: answers[type]?.({ type, ...rest }) });
    },
  };
  const hits = hitsOf(engine as unknown as EngineClient);
  hits.want('prio == 1');
  await vi.runAllTimersAsync();
  expect(asked).toEqual([
    'event_hits {}',
    'passing_runs {"step":"begin"} with 0',
    'event_hit_runs {"place":0,"first":0}',
    'passing_runs {"step":{"add":10}} with 12',
    'event_hit_runs {"place":0,"first":4}',
    'passing_runs {"step":{"add":10}} with 6',
    'event_hit_runs {"place":1,"first":0}',
    'event_hit_runs {"place":2,"first":0}',
    'passing_runs {"step":{"add":12}} with 9',
    'event_hit_runs {"place":3,"first":0}',
    'passing_runs {"step":"finish"} with 0',
    'filter_runs {"runs":5} with 2',
  ]);
  // Without a filter all runs count again.
  hits.want('');
  await vi.runAllTimersAsync();
  expect(asked.slice(12)).toEqual(['event_hits {}', 'filter_runs {"runs":null} with 0']);
  expect(passing.get()).toBeNull();
  vi.useRealTimers();
});
