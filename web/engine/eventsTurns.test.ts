import { beforeEach, expect, test } from 'vitest';
import { ns } from '../base/units';
import type { EventsReply } from './eventsHost';
import { type EventSource, EventsTurns } from './eventsTurns';
import type { EventFilter, EventsQuery } from './protocol';

const ALL: EventFilter = { cpus: null, pids: null, events: null, text: '', window: null };

const rows = (text = ''): EventsQuery => ({
  type: 'event_rows',
  filter: { ...ALL, text },
  mode: 'kernel',
  first: 0,
  count: 9,
});
const search = (text: string): EventsQuery => ({
  type: 'event_search',
  filter: ALL,
  mode: 'kernel',
  text,
  from: -1,
  direction: 1,
});

/**
 * A trace of 50 000 events: a step takes 4 ms, a search ends after `needs` events, a filter at the end of the trace.
 */
class FakeEvents implements EventSource {
  readonly asked: string[] = [];
  done = 0;
  needs = 10_000;
  now = 0;
  /** Hits that are known. */
  hits = 2;
  /** Whether the walk for hits needs the file in its next step. */
  readsNow = true;
  /** What is looked at next is with a seeker. */
  elsewhere = false;

  /** How many there are. */
  all = 50_000;

  ask(text: string, budget: number): string | undefined {
    const query = JSON.parse(text) as EventsQuery;
    this.asked.push(`${query.type} ${budget}`);
    if (query.type === 'event_names') throw new Error('unreachable executed');
    if (query.type === 'event_row_at') throw JSON.stringify({ kind: 'io', what: 'gone', where: null, advice: '' });
    if (query.type === 'event_rows') {
      if (query.filter.text === '') this.done = 50_000;
      return JSON.stringify({ type: 'event_rows', ...this.#progress(), total: 3, first: 0, rows: [] });
    }
    this.now += budget === 0 ? 0 : 4;
    this.needs -= budget;
    if (query.type === 'event_hits') {
      this.done += budget;
      return this.done >= this.all ? this.hitsProgress() : undefined;
    }
    if (query.type === 'pairs') {
      return this.needs <= 0 ? JSON.stringify({ type: 'pairs', pairs: [], error: null }) : undefined;
    }
    return this.needs <= 0 ? JSON.stringify({ type: 'event_search', row: 7 }) : undefined;
  }

  rowReads(): string {
    return JSON.stringify([{ start: this.done, end: this.done + 9 }]);
  }

  advance(budget: number): void {
    this.now += 4;
    this.done += budget;
  }

  filterProgress(): string {
    return JSON.stringify({ ...this.#progress(), total: this.done / 1000 });
  }

  searchProgress(): string {
    return JSON.stringify({ done: 50_000 - this.needs, all: 50_000, complete: false, total: 3 });
  }

  pairsProgress(): string {
    return this.searchProgress();
  }

  hitsProgress(): string {
    return JSON.stringify({ type: 'event_hits', ...this.#progress(), total: this.hits, error: null });
  }

  hitsReads(): string {
    return JSON.stringify({ now: this.readsNow, coming: [[this.done, 9]] });
  }

  filterReads(): string {
    return JSON.stringify({ now: this.readsNow, elsewhere: this.elsewhere, coming: [[this.done + 1, 9]] });
  }

  searchReads(): string {
    return JSON.stringify({ now: this.readsNow, coming: [[this.needs, 9]] });
  }

  handOut(): string {
    return 'of the filter';
  }

  handOutSearch(): string {
    return 'of the search';
  }

  handOutHits(): string {
    return 'of the hits';
  }

  counterProgress(): string {
    return 'null';
  }

  learnPlaces(): void {
    this.asked.push('places');
  }

  takeValues(): Uint32Array {
    return new Uint32Array([4, 0, 7]);
  }

  #progress() {
    return { done: this.done, all: this.all, complete: this.done === this.all };
  }
}

let events: FakeEvents;
let replies: EventsReply[];
let turns: EventsTurns;

beforeEach(() => {
  events = new FakeEvents();
  replies = [];
  turns = new EventsTurns(
    (reply) => replies.push(reply),
    () => events.now,
  );
});

const ask = (id: number, key: string, query: EventsQuery) => turns.push({ type: 'query', session: 4, id, key, query });
const answers = () => replies.flatMap((reply) => (reply.type === 'answer' ? [reply.id] : []));
const progress = () => replies.flatMap((reply) => (reply.type === 'eventProgress' ? [reply] : []));

function runToEnd(): number {
  let count = 1;
  while (turns.turn()) count++;
  return count;
}

test('queries wait for the list, and are then answered in one turn', () => {
  ask(1, 'rows', rows());
  expect(turns.turn()).toBe(false);
  expect(replies).toEqual([]);
  turns.start(events);
  expect(turns.turn()).toBe(false);
  expect(answers()).toEqual([1]);
  expect(progress()).toEqual([]);
});

test('a filter goes on in slices, tells how far it is ten times a second, and tells its end', () => {
  turns.start(events);
  ask(1, 'rows', rows('x'));
  // There are 50 steps of 4 ms, 4 of them in each slice.
  expect(runToEnd()).toBe(13);
  expect(answers()).toEqual([1]);
  expect(progress().map(({ of, done, complete }) => [of, done, complete])).toEqual([
    ['filter', 4000, false],
    ['filter', 32_000, false],
    ['filter', 50_000, true],
  ]);
  expect(progress().at(-1)).toMatchObject({ session: 4, total: 50, all: 50_000 });
});

test('rows are answered while a search is under way, and the search goes on', () => {
  turns.start(events);
  ask(1, 'search', search('x'));
  expect(turns.turn()).toBe(true);
  ask(2, 'rows', rows());
  expect(turns.turn()).toBe(true);
  expect(answers()).toEqual([2]);
  runToEnd();
  expect(answers()).toEqual([2, 1]);
  expect(progress()[0]).toMatchObject({ of: 'search', done: 44_000 });
});

test('pairs say how far their walk is, as jobs do', () => {
  turns.start(events);
  ask(1, 'pairs', { type: 'pairs', own: null, by: 'group', window: null, cpus: null, pids: [], comms: [], top: 5 });
  runToEnd();
  const jobs = replies.flatMap((reply) => (reply.type === 'jobProgress' ? [reply] : []));
  expect(jobs[0]).toMatchObject({ session: 4, id: 1, share: 0.88, answer: null });
  expect(answers()).toEqual([1]);
});

test('hits wait for the part of the file that they need next, and for no other', () => {
  let isThere = false;
  const wanted: (readonly (readonly [number, number])[])[] = [];
  const want = (parts: readonly (readonly [number, number])[]) => {
    wanted.push(parts);
    return isThere;
  };
  turns.start(events, { want, prefetch: () => {} });
  ask(1, 'hits', { type: 'event_hits', expression: 'x' });
  // The first one is read at once, the next ones meanwhile.
  expect(turns.turn()).toBe(false);
  expect(wanted).toEqual([[], [[1000, 9]]]);
  // Others are answered meanwhile.
  ask(2, 'rows', rows());
  expect(turns.turn()).toBe(false);
  expect(answers()).toEqual([2]);
  events.done = 0;
  isThere = true;
  expect(turns.turn()).toBe(true);
  isThere = false;
  events.readsNow = false;
  runToEnd();
  expect(answers()).toEqual([2, 1]);
});

test('a search and the filter of the list wait for their own parts of the file, and what knows no parts does not wait', () => {
  let isThere = false;
  const wanted: number[] = [];
  const want = ([part]: readonly (readonly [number, number])[]) => {
    wanted.push(part?.[0] ?? -1);
    return isThere;
  };
  turns.start(events, { want, prefetch: () => {} });
  ask(1, 'rows', rows('x'));
  expect(turns.turn()).toBe(false);
  ask(2, 'search', search('x'));
  expect(turns.turn()).toBe(false);
  expect([wanted, events.done, events.needs]).toEqual([[1, 10_000], 0, 10_000]);
  ask(3, 'pairs', { type: 'pairs', own: null, by: 'group', window: null, cpus: null, pids: [], comms: [], top: 5 });
  expect(turns.turn()).toBe(true);
  expect(wanted).toEqual([1, 10_000]);
  isThere = true;
  runToEnd();
  expect([answers(), events.done]).toEqual([[1, 3, 2], 50_000]);
});

test('what rows need of the file is read at once', () => {
  const read: unknown[] = [];
  turns.start(events, { want: () => true, prefetch: (ranges) => read.push(...ranges) });
  ask(1, 'names', search('x'));
  ask(2, 'rows', rows());
  turns.turn();
  expect(read).toEqual([{ start: 0, end: 9 }]);
});

test('seekers are asked for once, where much work is left, and get parts of that alone', () => {
  const fed: (string | undefined)[] = [];
  const places: Uint32Array[] = [];
  const seekers = {
    feed: (next: () => string | undefined) => fed.push(next()),
    learnPlaces: (words: Uint32Array) => places.push(words),
  };
  const slices = (count: number) => {
    for (let slice = 0; slice < count; slice++) turns.turn();
  };
  const wanted = () => replies.filter(({ type }) => type === 'seekersWanted').length;
  turns.start(events, { want: () => true, prefetch: () => {} });
  ask(0, 'places', { type: 'event_places', places: Uint32Array.of(3) });
  ask(1, 'rows', rows('x'));
  // It takes 0.2 s.
  runToEnd();
  expect(wanted()).toBe(0);
  turns.help(seekers);
  expect(places).toEqual([Uint32Array.of(3)]);
  // It takes 8 s.
  events.all = 2_000_000;
  ask(2, 'rows', rows('y'));
  slices(5);
  expect(fed).toEqual([]);
  slices(20);
  expect([wanted(), [...new Set(fed)]]).toEqual([1, ['of the filter']]);
  fed.length = 0;
  ask(3, 'hits', { type: 'event_hits', expression: 'x' });
  slices(30);
  expect([wanted(), [...new Set(fed)]]).toEqual([1, ['of the hits']]);
  fed.length = 0;
  events.needs = 30_000;
  ask(4, 'search', search('x'));
  slices(7);
  expect(fed).toEqual([]);
});

test('where all that is left is with seekers, nothing is done before one answers', () => {
  turns.start(events, { want: () => true, prefetch: () => {} });
  ask(1, 'rows', rows('x'));
  events.elsewhere = true;
  expect(turns.turn()).toBe(false);
  expect(events.done).toBe(0);
  events.elsewhere = false;
  runToEnd();
  expect(events.done).toBe(50_000);
});

test('the first hits are told at once, and then how many there are ten times a second', () => {
  turns.start(events);
  events.hits = 0;
  ask(1, 'hits', { type: 'event_hits', expression: 'x' });
  turns.turn();
  turns.turn();
  events.hits = 3;
  turns.turn();
  events.hits = 4;
  runToEnd();
  const told = replies.flatMap((reply) => (reply.type === 'jobProgress' ? [reply] : []));
  expect(told.map(({ share, answer }) => [share, answer])).toMatchObject([
    [0.24, { total: 3 }],
    [0.8, { total: 4 }],
  ]);
});

test('as long as there are no hits, it is told ten times a second how many events were looked at, and not at once', () => {
  turns.start(events);
  events.hits = 0;
  ask(1, 'hits', { type: 'event_hits', expression: 'x' });
  runToEnd();
  const told = replies.flatMap((reply) => (reply.type === 'jobProgress' ? [reply.share] : []));
  expect(told).toEqual([0.56]);
});

test('a later query of a key ends the earlier one, whether it was begun or not', () => {
  turns.start(events);
  ask(1, 'search', search('x'));
  turns.turn();
  ask(2, 'search', search('y'));
  ask(3, 'search', search('z'));
  runToEnd();
  expect(answers()).toEqual([3]);
});

test('what cannot be read fails its query alone', () => {
  turns.start(events);
  ask(1, 'at', { type: 'event_row_at', filter: ALL, mode: 'raw', at: ns(5), cpu: null });
  ask(2, 'rows', rows());
  expect(turns.turn()).toBe(false);
  expect(replies[0]).toMatchObject({ type: 'queryFailed', session: 4, id: 1, error: { kind: 'io', what: 'gone' } });
  expect(answers()).toEqual([2]);
});

test('when the list is lost, all queries fail: those that wait and those to come', () => {
  turns.start(events);
  ask(1, 'search', search('x'));
  turns.turn();
  ask(2, 'names', { type: 'event_names' });
  expect(turns.turn()).toBe(false);
  ask(3, 'rows', rows());
  expect(turns.turn()).toBe(false);
  const failed = replies.flatMap((reply) => (reply.type === 'queryFailed' ? [reply.id] : []));
  expect(failed.sort()).toEqual([1, 2, 3]);
});
