import { beforeEach, expect, test } from 'vitest';
import { ns } from '../base/units';
import type { EngineMessage, ModelSelection, TraceAnswer, TraceQuery } from './protocol';
import { type Job, Turns } from './turns';

const SELECTION: ModelSelection = {
  window: null,
  forked: false,
  movable: false,
  target: null,
  comms: [],
  pids: [],
  cpus: null,
};

/** A job of `steps` steps, each of which takes a millisecond. */
class FakeJob implements Job {
  readonly asked: TraceQuery;
  readonly isUrgent: boolean;
  readonly #steps: number;
  #done = 0;
  freed = false;

  constructor(query: TraceQuery, steps: number) {
    this.asked = query;
    this.#steps = steps;
    this.isUrgent = !('selection' in query);
  }

  step(): boolean {
    if (this.freed) throw new Error('a step of a job that was dropped');
    this.#done++;
    clock++;
    return this.#done < this.#steps;
  }

  share(): number {
    return this.#done / this.#steps;
  }

  partial(): TraceAnswer | null {
    return this.asked.type === 'findings' ? { type: 'findings', findings: [], done: false } : null;
  }

  answer(): TraceAnswer {
    return { type: this.asked.type, steps: this.#done } as unknown as TraceAnswer;
  }

  free(): void {
    this.freed = true;
  }
}

let clock: number;
let started: FakeJob[];
let said: EngineMessage[];
let turns: Turns;

beforeEach(() => {
  clock = 0;
  started = [];
  said = [];
  turns = new Turns(
    (message) => said.push(message),
    () => clock,
  );
});

const open = (steps: number) =>
  turns.open((query) => {
    const job = new FakeJob(query, steps);
    started.push(job);
    return job;
  });

const ask = (id: number, key: string, type: 'findings' | 'waits' = 'waits') =>
  turns.push({ session: 1, id, key, query: { type, selection: SELECTION, top: id } });

const at = (id: number, key: string) =>
  turns.push({ session: 1, id, key, query: { type: 'at', kind: 'cpu', key: 0, at: ns(id) } });

const setView = (id: number, forked: boolean) =>
  turns.push({
    session: 1,
    id,
    key: 'view',
    query: { type: 'set_view', spec: { forked, movable: false, highlight: { kind: 'none' } } },
  });

const run = () => {
  while (turns.busy) turns.turn();
};

const ids = (type: EngineMessage['type']) =>
  said.filter((each) => each.type === type).map((each) => 'id' in each && each.id);

test('a job waits for the trace, runs in slices and answers once', () => {
  ask(1, 'a');
  turns.turn();
  expect(turns.busy).toBe(false);
  expect(said).toEqual([]);
  open(30);
  turns.turn();
  expect(clock).toBe(4);
  turns.turn();
  expect(clock).toBe(16);
  expect(ids('answer')).toEqual([]);
  run();
  expect(clock).toBe(30);
  expect(said.at(-1)).toEqual({ type: 'answer', session: 1, id: 1, answer: { type: 'waits', steps: 30 } });
  expect(ids('answer')).toEqual([1]);
});

test('jobs take turns: a short one does not wait for a long one', () => {
  open(100);
  ask(1, 'long');
  turns.turn();
  open(3);
  ask(2, 'short');
  run();
  expect(ids('answer')).toEqual([2, 1]);
});

test('a later job of a key drops the earlier one, whether it has begun or not', () => {
  open(100);
  ask(1, 'a');
  turns.turn();
  ask(2, 'a');
  ask(3, 'a');
  expect(started.map(({ freed }) => freed)).toEqual([true]);
  run();
  expect(ids('answer')).toEqual([3]);
  expect(started.map(({ asked }) => 'top' in asked && asked.top)).toEqual([1, 3]);
});

test('progress is told now and then, with what is known already', () => {
  open(300);
  ask(1, 'a', 'findings');
  ask(2, 'b');
  run();
  const told = said.filter((each) => each.type === 'jobProgress');
  expect(told.length).toBeLessThan(16);
  const of = (id: number) => told.filter((each) => each.id === id);
  const shares = of(1).map(({ share }) => share);
  expect(shares.length).toBeGreaterThan(2);
  expect(shares).toEqual([...shares].sort((a, b) => a - b));
  expect(of(1)[0]?.answer).toEqual({ type: 'findings', findings: [], done: false });
  expect(of(2)[0]?.answer).toBeNull();
});

test('an error of the wasm side fails its query; one that stopped it fails the trace', () => {
  turns.open((query) => {
    if ('top' in query && query.top === 1)
      throw JSON.stringify({ kind: 'internal', what: 'no', where: null, advice: '' });
    throw new Error('unreachable');
  });
  ask(1, 'a');
  ask(2, 'b');
  run();
  expect(ids('queryFailed')).toEqual([1]);
  expect(said.at(-1)?.type).toBe('failed');
});

test('a job that fails in the middle of its work is freed, unless it stopped the wasm side', () => {
  for (const [error, freed] of [
    ['no', true],
    [new Error('unreachable'), false],
  ] as const) {
    open(100);
    ask(1, 'a');
    turns.turn();
    const job = started.at(-1);
    if (job === undefined) throw new Error('no job was started');
    job.step = () => {
      throw error;
    };
    run();
    expect(job.freed).toBe(freed);
  }
});

test('the latest of each key, in the order of asking', () => {
  for (const [id, key] of [...'abaca'].entries()) at(id + 1, key);
  open(1);
  run();
  expect(ids('answer')).toEqual([2, 4, 5]);
});

test('a query is not answered before a view that was set before it, and a superseding view keeps its place', () => {
  open(1);
  at(1, 'a');
  setView(2, true);
  at(3, 'a');
  setView(4, false);
  run();
  expect(ids('answer')).toEqual([4, 3]);
});

test('what was begun before a view is begun again; what the view does not concern goes on', () => {
  open(20);
  at(1, 'a');
  ask(2, 'long');
  turns.turn();
  turns.turn();
  expect(started).toHaveLength(2);
  setView(3, true);
  run();
  expect(started.map(({ asked, freed }) => [asked.type, freed])).toEqual([
    ['at', true],
    ['waits', false],
    ['set_view', false],
    ['at', false],
  ]);
  expect(ids('answer')).toEqual([3, 1, 2]);
});

test('what somebody watches the screen for goes before what takes longer', () => {
  open(100);
  ask(1, 'long');
  turns.turn();
  at(2, 'a');
  run();
  expect(ids('answer')).toEqual([2, 1]);
});

test('lanes are drawn before what stands beside them, and that before what takes longer', () => {
  open(100);
  const tile = (id: number, kind: 'conservation' | 'cpu' | 'curve') =>
    turns.push({
      session: 1,
      id,
      key: `${id}`,
      query: { type: 'tile', kind, variant: null, keys: [0], level: 0, first_bucket: 0, buckets: 8 },
    });
  ask(1, 'long');
  tile(2, 'conservation');
  tile(3, 'curve');
  tile(4, 'cpu');
  tile(5, 'cpu');
  turns.push({ session: 1, id: 6, key: 'commands', query: { type: 'commands', window: null } });
  run();
  expect(ids('answer')).toEqual([4, 5, 3, 6, 2, 1]);
});

test('what cannot be answered yet waits without holding up the rest', () => {
  turns.open((query) => (query.type === 'at' ? new FakeJob(query, 1) : null));
  ask(1, 'a');
  at(2, 'b');
  run();
  expect(ids('answer')).toEqual([2]);
  open(1);
  run();
  expect(ids('answer')).toEqual([2, 1]);
});
