import { beforeEach, expect, test } from 'vitest';
import { type Job, Jobs } from './jobs';
import type { EngineMessage } from './protocol';
import type { JobAnswer, JobQuery, ModelSelection } from './protocolExplain';

const SELECTION: ModelSelection = {
  window: null,
  forked: false,
  movable: false,
  target: null,
  comms: [],
  pids: [],
  cpus: null,
};

/** Takes `steps` steps of a millisecond each. */
class FakeJob implements Job {
  readonly asked: JobQuery;
  readonly #steps: number;
  #done = 0;
  freed = false;

  constructor(query: JobQuery, steps: number) {
    this.asked = query;
    this.#steps = steps;
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

  partial(): JobAnswer | null {
    return this.asked.type === 'findings' ? { type: 'findings', findings: [], done: false } : null;
  }

  answer(): JobAnswer {
    return { type: this.asked.type, steps: this.#done } as unknown as JobAnswer;
  }

  free(): void {
    this.freed = true;
  }
}

let clock: number;
let started: FakeJob[];
let said: EngineMessage[];
let jobs: Jobs;

beforeEach(() => {
  clock = 0;
  started = [];
  said = [];
  jobs = new Jobs(
    (message) => said.push(message),
    () => clock,
  );
});

const open = (steps: number) =>
  jobs.open((query) => {
    const job = new FakeJob(query, steps);
    started.push(job);
    return job;
  });

const ask = (id: number, key: string, type: 'findings' | 'waits' = 'waits') =>
  jobs.push({ type: 'query', session: 1, id, key, query: { type, selection: SELECTION, top: id } });

const run = () => {
  while (jobs.busy) jobs.turn();
};

const ids = (type: EngineMessage['type']) =>
  said.filter((each) => each.type === type).map((each) => 'id' in each && each.id);

test('a job waits for the trace, runs in slices and answers once', () => {
  ask(1, 'a');
  expect(jobs.busy).toBe(false);
  jobs.turn();
  expect(said).toEqual([]);
  open(30);
  jobs.turn();
  expect(clock).toBe(12);
  expect(ids('answer')).toEqual([]);
  run();
  expect(clock).toBe(30);
  expect(said.at(-1)).toEqual({ type: 'answer', session: 1, id: 1, answer: { type: 'waits', steps: 30 } });
  expect(ids('answer')).toEqual([1]);
});

test('jobs take turns: a short one does not wait for a long one', () => {
  open(100);
  ask(1, 'long');
  jobs.turn();
  open(3);
  ask(2, 'short');
  run();
  expect(ids('answer')).toEqual([2, 1]);
});

test('a later job of a key drops the earlier one, whether it has begun or not', () => {
  open(100);
  ask(1, 'a');
  jobs.turn();
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
  jobs.open((query) => {
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
