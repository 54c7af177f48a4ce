import { expect, test, vi } from 'vitest';
import { observable } from '../base/observable';
import type { EngineClient, Outcome } from '../engine/client';
import type { EngineError, EngineEvent } from '../engine/protocol';
import { hitsOf } from './hits';

const internalError = (what: string): EngineError => ({ kind: 'internal', what, where: null, advice: '' });

test('hits are asked for with each letter, told of the last one on the way, and dropped with the filter', async () => {
  vi.useFakeTimers();
  const asked: string[] = [];
  let progress: ((value: unknown) => void) | undefined;
  let settle: (outcome: Outcome<unknown>) => void = () => undefined;
  const engine = {
    session: 1,
    on: () => () => {},
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
    on: () => () => {},
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

/** What a worker says that was not told of the first step. */
const LOST = 'the runs that pass the filter were lost';

/** An engine whose workers stop where `stop` says so: by the number of the query, before it is answered. */
function engineThat(stop: (count: number, query: Sent) => 'events' | 'studies' | 'failed' | null, hasRuns = true) {
  const listeners: ((event: EngineEvent) => void)[] = [];
  const asked: string[] = [];
  /** What the workers know: hits, where tasks ran, and how many runs pass as far as that is known. */
  let [hits, places, runs]: [boolean, boolean, number | null] = [false, false, null];
  const stopEvents = (): void => {
    [hits, places] = [false, false];
    for (const listener of listeners) listener({ type: 'restarted', session: 1, what: 'it stopped' });
  };
  const words = Uint32Array.of(1);
  const answers: Readonly<Record<string, (query: Sent & { readonly step?: unknown }) => object | null>> = {
    event_places: () => {
      places = true;
      return {};
    },
    event_hits: ({ expression }) => {
      hits = true;
      return { total: expression?.includes('distance') && !places ? 0 : 3, error: null };
    },
    event_hit_runs: ({ place = 0 }) => ({
      cpu: place < 2 ? place : null,
      count: hits ? 1 : 0,
      more: false,
      values: new Uint32Array(3),
    }),
    passing_runs: ({ step }) => {
      if (step === 'begin') runs = 0;
      if (runs === null) return null;
      if (step !== 'begin' && step !== 'finish' && hasRuns) runs++;
      const answer = { runs, words: step === 'finish' && hasRuns ? words : new Uint32Array() };
      if (step === 'finish') runs = null;
      return answer;
    },
    run_places: () => ({ words }),
    filter_runs: () => ({}),
  };
  const engine = {
    session: 1,
    passing: observable<number | null>(null),
    on: (listener: (event: EngineEvent) => void) => listeners.push(listener),
    async query(_key: string, query: Sent) {
      const { expression: _, words: __, ...rest } = query;
      asked.push(
        Object.values(rest)
          .map((value) => (typeof value === 'object' ? 'add' : value))
          .join(' '),
      );
      const stopped = stop(asked.length, query);
      if (stopped === 'events') stopEvents();
      if (stopped === 'studies') runs = null;
      if (stopped === 'failed') return { kind: 'failed', error: internalError('the studies worker stopped') };
      const answer = answers[query.type]?.(query);
      return answer === null ? { kind: 'failed', error: internalError(LOST) } : { kind: 'answer', answer };
    },
  };
  return { engine: engine as unknown as EngineClient, asked, stopEvents };
}

const settled = async (asked: readonly string[]): Promise<void> => {
  let before = -1;
  while (before !== asked.length) {
    before = asked.length;
    await new Promise((resolve) => setTimeout(resolve));
  }
};

const WALK = ['event_hit_runs 0 0', 'passing_runs add', 'event_hit_runs 1 0', 'passing_runs add', 'event_hit_runs 2 0'];
const CARRY = ['passing_runs begin', ...WALK, 'passing_runs finish'];

test('an events worker that takes the place of another is asked for the hits again, but not for ever', async () => {
  const { engine, asked, stopEvents } = engineThat(() => null);
  const hits = hitsOf(engine);
  hits.want('distance > 1');
  await settled(asked);
  const all = ['run_places ', 'event_places', 'event_hits', ...CARRY, 'filter_runs 2 '];
  const steps = asked.map((step) => step.split(' ')[0]);
  expect(steps).toEqual(all.map((step) => step.split(' ')[0]));
  for (let again = 0; again < 2; again++) {
    const { revision } = hits.state.get();
    asked.length = 0;
    stopEvents();
    // Tiles that were fetched meanwhile are asked for again, now and when all is known.
    expect(hits.state.get()).toMatchObject({ total: 0, complete: false, revision: revision + 1 });
    await settled(asked);
    expect(asked.map((step) => step.split(' ')[0])).toEqual(steps);
    expect(hits.state.get()).toMatchObject({ total: 3, complete: true, revision: revision + 2 });
  }
  asked.length = 0;
  stopEvents();
  await settled(asked);
  expect(asked).toEqual([]);
  expect(hits.state.get()).toMatchObject({ total: 0, complete: true, error: 'it stopped' });
});

test('when the events worker stops while the hits are carried, they are found again first', async () => {
  // The second part is asked of the worker that has no hits.
  const { engine, asked } = engineThat((count) => (count === 5 ? 'events' : null));
  hitsOf(engine).want('prio == 1');
  await settled(asked);
  expect(asked).toEqual(['event_hits', ...CARRY.slice(0, 4), 'event_hits', ...CARRY, 'filter_runs 2']);
});

test.each([
  ['fails at the first step', (count: number) => (count === 2 ? 'failed' : null)],
  ['fails at a step', (count: number) => (count === 4 ? 'failed' : null)],
  ['forgets all between two steps', (count: number) => (count === 6 ? 'studies' : null)],
  ['forgets all before the first events', (count: number) => (count === 3 ? 'studies' : null)],
  ['forgets all before the last step', (count: number) => (count === 8 ? 'studies' : null)],
] as const)('when the worker that knows the runs %s, they are carried again', async (_, stop) => {
  const { engine, asked } = engineThat(stop);
  const hits = hitsOf(engine);
  hits.want('prio == 1');
  await settled(asked);
  expect(asked.slice(-CARRY.length - 1)).toEqual([...CARRY, 'filter_runs 2']);
  expect(hits.state.get().error).toBeNull();
});

test('runs that are lost again and again are told, and no filter is left', async () => {
  const { engine, asked } = engineThat((_, { type, place }) =>
    type === 'event_hit_runs' && place === 2 ? 'studies' : null,
  );
  const hits = hitsOf(engine);
  hits.want('prio == 1');
  await settled(asked);
  expect(asked.filter((step) => step === WALK[0])).toHaveLength(3);
  expect(asked.at(-1)).toBe('filter_runs add');
  expect(hits.state.get().error).toBe(LOST);
});

test('a trace without runs has none to lose', async () => {
  const { engine, asked } = engineThat(() => null, false);
  const hits = hitsOf(engine);
  hits.want('prio == 1');
  await settled(asked);
  expect(asked).toEqual(['event_hits', ...CARRY, 'filter_runs 0']);
  expect(hits.state.get().error).toBeNull();
});
