import { beforeEach, expect, test } from 'vitest';
import { ns } from '../base/units';
import { EngineClient, type EngineWorker } from './client';
import type { EngineEvent, EngineMessage, EngineRequest, TraceSource } from './protocol';

class FakeWorker implements EngineWorker {
  onmessage: EngineWorker['onmessage'] = null;
  onerror: EngineWorker['onerror'] = null;
  onmessageerror: EngineWorker['onmessageerror'] = null;
  readonly requests: EngineRequest[] = [];
  terminated = false;

  postMessage(request: EngineRequest): void {
    this.requests.push(request);
  }

  terminate(): void {
    this.terminated = true;
  }

  say(message: EngineMessage): void {
    this.onmessage?.({ data: message } as MessageEvent<EngineMessage>);
  }
}

const SOURCE: TraceSource = { kind: 'url', url: 'https://example.org/trace.dat' };
const ERROR = { kind: 'io', what: 'gone', where: null, advice: 'Choose it again.' } as const;

let workers: FakeWorker[];
let client: EngineClient;
let events: EngineEvent[];

const worker = (index: number): FakeWorker => {
  const found = workers[index];
  if (found === undefined) throw new Error(`worker ${index} was not started`);
  return found;
};

beforeEach(() => {
  workers = [];
  events = [];
  client = new EngineClient(() => {
    const started = new FakeWorker();
    workers.push(started);
    return started;
  });
  client.on((event) => events.push(event));
});

test('opening starts a worker and numbers the session', () => {
  expect(client.open(SOURCE)).toBe(1);
  expect(worker(0).requests).toEqual([{ type: 'open', session: 1, source: SOURCE }]);
});

test('a second trace terminates the first, whose queries are superseded and whose last words are ignored', async () => {
  client.open(SOURCE);
  const outcome = client.query('cells', { type: 'commands', window: null });
  const late = worker(0).onmessage;
  expect(client.open(SOURCE)).toBe(2);
  expect(worker(0).terminated).toBe(true);
  expect(await outcome).toEqual({ kind: 'superseded' });
  late?.({ data: { type: 'failed', session: 1, error: ERROR } } as MessageEvent<EngineMessage>);
  expect(events).toEqual([{ type: 'closed' }]);
  expect(worker(1).terminated).toBe(false);
});

test('a failure ends the worker, fails what is pending, and leaves a client that can open again', async () => {
  client.open(SOURCE);
  const outcome = client.query('table', { type: 'commands', window: null });
  worker(0).say({ type: 'failed', session: 1, error: ERROR });
  expect(worker(0).terminated).toBe(true);
  expect(await outcome).toEqual({ kind: 'failed', error: ERROR });
  expect(events).toEqual([{ type: 'failed', session: 1, error: ERROR }]);
  expect(await client.query('table', { type: 'commands', window: null })).toEqual({ kind: 'superseded' });
  expect(client.open(SOURCE)).toBe(2);
});

test('a worker that cannot be loaded is a failure with a message', () => {
  client.open(SOURCE);
  worker(0).onerror?.(new Event('error', { cancelable: true }) as ErrorEvent);
  expect(events).toMatchObject([
    { type: 'failed', error: { kind: 'internal', what: 'the engine could not be started' } },
  ]);
});

test('one query may fail while the trace stays open', async () => {
  client.open(SOURCE);
  const outcome = client.query('table', { type: 'commands', window: null });
  worker(0).say({ type: 'queryFailed', session: 1, id: 1, error: ERROR });
  expect(await outcome).toEqual({ kind: 'failed', error: ERROR });
  expect(worker(0).terminated).toBe(false);
});

test('the revision grows with the view, as soon as it is told, and the trace, not with progress', async () => {
  const seen: number[] = [];
  client.onRevision(() => seen.push(client.revision));
  client.open(SOURCE);
  worker(0).say({
    type: 'progress',
    session: 1,
    progress: { bytes: 1, totalBytes: 2, events: 1, cpusDone: 0, cpus: 1, stage: 'reading', built: 0 },
  });
  expect(seen).toEqual([]);
  const view = client.query('view', {
    type: 'set_view',
    spec: { forked: true, movable: false, highlight: { kind: 'none' } },
  });
  // What is asked from now on is about that view.
  expect(seen).toEqual([1]);
  worker(0).say({ type: 'answer', session: 1, id: 1, answer: { type: 'set_view' } });
  expect(await view).toEqual({ kind: 'answer', answer: { type: 'set_view' } });
  expect(seen).toEqual([1]);
  client.close();
  expect(seen).toEqual([1, 2]);
});

test('how far a filter is goes to those who asked for it, and changes nothing else', () => {
  const heard: number[] = [];
  const revisions: number[] = [];
  client.open(SOURCE);
  client.onRevision(() => revisions.push(client.revision));
  const off = client.onEventProgress(({ total }) => heard.push(total));
  const progress = { type: 'eventProgress', session: 1, of: 'filter', done: 5, all: 9, complete: false } as const;
  worker(0).say({ ...progress, total: 2 });
  worker(0).say({ ...progress, session: 7, total: 3 });
  off();
  worker(0).say({ ...progress, total: 4 });
  expect(heard).toEqual([2]);
  expect(revisions).toEqual([]);
  expect(events).toEqual([]);
});

test('a listener that was taken off hears nothing', () => {
  const heard: EngineEvent[] = [];
  const off = client.on((event) => heard.push(event));
  off();
  client.open(SOURCE);
  worker(0).say({ type: 'failed', session: 1, error: ERROR });
  expect(heard).toEqual([]);
  expect(events).toHaveLength(1);
});

test('a job tells how far it is until it is answered', async () => {
  client.open(SOURCE);
  worker(0).say({ type: 'opened', session: 1, summary: {} as never });
  const told: unknown[] = [];
  const query = { type: 'cascade_of', cpu: 0, at: ns(5) } as const;
  const outcome = client.query('cascade', query, (progress) => told.push([progress.share, progress.answer]));
  const id = 1;
  worker(0).say({ type: 'jobProgress', session: 1, id, share: 0.5, answer: null });
  worker(0).say({ type: 'answer', session: 1, id, answer: { type: 'cascade_of', cascade: null } });
  worker(0).say({ type: 'jobProgress', session: 1, id, share: 0.7, answer: null });
  expect(await outcome).toEqual({ kind: 'answer', answer: { type: 'cascade_of', cascade: null } });
  expect(told).toEqual([[0.5, null]]);
  expect(events.map(({ type }) => type)).toEqual(['opened']);
});

test('another view asks for another answer, but not of the trace', () => {
  client.open(SOURCE);
  const before = [client.revision, client.traceRevision];
  void client.query('view', {
    type: 'set_view',
    spec: { forked: true, movable: false, highlight: { kind: 'none' } },
  });
  expect([client.revision, client.traceRevision]).toEqual([(before[0] ?? 0) + 1, before[1]]);
  worker(0).say({ type: 'opened', session: 1, summary: {} as never });
  expect(client.traceRevision).toBe((before[1] ?? 0) + 1);
});
