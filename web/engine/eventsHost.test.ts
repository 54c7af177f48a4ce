import { expect, test } from 'vitest';
import { EventsHost, type EventsReply, type EventsRequest, type EventsWorker, type SeekWorker } from './eventsHost';
import type { SeekerStart } from './seekers';

class FakeWorker implements EventsWorker {
  onmessage: EventsWorker['onmessage'] = null;
  onerror: EventsWorker['onerror'] = null;
  readonly requests: EventsRequest[] = [];
  readonly transferred: Transferable[] = [];

  postMessage(request: EventsRequest, transfer: Transferable[]): void {
    this.requests.push(request);
    this.transferred.push(...transfer);
  }

  terminate(): void {}
}

class FakeSeeker implements SeekWorker {
  onmessage: SeekWorker['onmessage'] = null;
  onerror: SeekWorker['onerror'] = null;
  readonly starts: SeekerStart[] = [];
  isEnded = false;

  postMessage(start: SeekerStart): void {
    this.starts.push(start);
  }

  terminate(): void {
    this.isEnded = true;
  }
}

const QUERY = { type: 'query', session: 2, key: 'names', query: { type: 'event_names' } } as const;
const ANSWER: EventsReply = { type: 'answer', session: 2, id: 5, answer: { type: 'event_names', names: [] } };

const FILE = new Blob();
const START = { type: 'start', blob: FILE, baseNs: '7', cpus: 2, hasText: true } as const;

function host() {
  const workers: FakeWorker[] = [];
  const replies: EventsReply[] = [];
  const died: string[] = [];
  const start = () => {
    const worker = new FakeWorker();
    workers.push(worker);
    return worker;
  };
  const seekers: FakeSeeker[] = [];
  const startSeeker = () => {
    const seeker = new FakeSeeker();
    seekers.push(seeker);
    return seeker;
  };
  const listener = {
    reply: (reply: EventsReply) => replies.push(reply),
    listed: () => undefined,
    died: (what: string) => died.push(what),
  };
  const made = new EventsHost({ start, startSeeker, seekers: 2 }, listener);
  return { workers, seekers, replies, died, host: made };
}

const dies = (worker: FakeWorker | undefined) =>
  worker?.onerror?.(new Event('error', { cancelable: true }) as ErrorEvent);

test('queries go to the worker and its replies come back', () => {
  const { workers, replies, host: events } = host();
  events.open(START);
  events.ask({ ...QUERY, id: 5 });
  expect(workers[0]?.requests).toEqual([START, { ...QUERY, id: 5 }]);
  workers[0]?.onmessage?.({ data: ANSWER } as MessageEvent<EventsReply>);
  expect(replies).toEqual([ANSWER]);
});

test('the worker is started once, by the first query or before, and is then told all that came before', () => {
  const early = host();
  early.host.ask({ ...QUERY, id: 5 });
  early.host.start();
  expect(early.workers).toHaveLength(0);
  early.host.open(START);
  expect(early.workers[0]?.requests).toEqual([START, { ...QUERY, id: 5 }]);

  const late = host();
  late.host.open(START);
  late.host.add(new ArrayBuffer(3));
  late.host.list();
  expect(late.workers).toHaveLength(0);
  late.host.start();
  late.host.start();
  expect(late.workers).toHaveLength(1);
  expect(late.workers[0]?.requests.map(({ type }) => type)).toEqual(['start', 'index', 'list']);
});

test('after a refusal every query is told why', () => {
  const { workers, replies, host: events } = host();
  events.ask({ ...QUERY, id: 5 });
  const error = { kind: 'io', what: 'the file went away', where: null, advice: '' } as const;
  events.refuse(error);
  events.ask({ ...QUERY, id: 6 });
  events.start();
  expect(workers).toEqual([]);
  expect(replies).toEqual([5, 6].map((id) => ({ type: 'queryFailed', session: 2, id, error })));
});

test('indexes are handed over, not copied', () => {
  const { workers, host: events } = host();
  const index = new ArrayBuffer(3);
  events.open(START);
  events.start();
  events.add(index);
  events.list();
  events.name(Int32Array.of(7), ['bash']);
  expect(workers[0]?.transferred).toEqual([index]);
  expect(workers[0]?.requests.map(({ type }) => type)).toEqual(['start', 'index', 'list', 'names']);
});

test('a worker that dies is replaced, told everything and asked again', () => {
  const { workers, died, replies, host: events } = host();
  events.open(START);
  const other = { ...QUERY, key: 'other', id: 4 };
  events.ask(other);
  events.ask({ ...QUERY, id: 5 });
  const told: (() => boolean)[] = [];
  events.opened((isWanted) => told.push(isWanted), true);
  workers[0]?.onmessage?.({ data: ANSWER } as MessageEvent<EventsReply>);
  dies(workers[0]);
  expect(died).toEqual(['the events worker stopped: it could not be started']);
  expect(workers[1]?.requests).toEqual([START, other]);
  expect(told.map((isWanted) => isWanted())).toEqual([true]);
  events.list();
  expect(workers[1]?.requests.at(-1)).toEqual({ type: 'list' });
  expect(replies).toEqual([ANSWER]);

  // What two workers died of is not asked of a third.
  dies(workers[1]);
  expect(told.map((isWanted) => isWanted())).toEqual([false]);
  expect(workers).toHaveLength(2);
  expect(replies.slice(1)).toMatchObject([{ type: 'queryFailed', id: 4 }]);
  events.ask({ ...QUERY, id: 6 });
  expect(workers[2]?.requests).toEqual([START, { ...QUERY, id: 6 }]);
  expect(told).toHaveLength(2);
});

test('a worker that dies while the trace loads is replaced when the trace is open', () => {
  const { workers, host: events } = host();
  events.open(START);
  events.start();
  dies(workers[0]);
  events.add(new ArrayBuffer(3));
  events.ask({ ...QUERY, id: 4 });
  expect(workers).toHaveLength(1);
  let told = 0;
  events.opened(() => told++, true);
  expect(workers[1]?.requests).toEqual([START, { ...QUERY, id: 4 }]);
  expect(told).toBe(1);
});

test('a trace whose model was stored is told of when it is open', () => {
  const { host: events } = host();
  events.open(START);
  let told = 0;
  events.opened(() => told++, false);
  expect(told).toBe(1);
});

test('seekers are started once, when the worker wants them, and end with it', () => {
  const { workers, seekers, host: events } = host();
  events.open(START);
  events.start();
  const want = () => workers.at(-1)?.onmessage?.({ data: { type: 'seekersWanted' } } as MessageEvent<EventsReply>);
  want();
  want();
  expect(seekers).toHaveLength(2);
  const [start] = seekers[0]?.starts ?? [];
  expect(start).toMatchObject({ blob: FILE, baseNs: '7', cpus: 2 });
  expect(workers[0]?.requests.at(-1)).toMatchObject({ type: 'seekers', ports: [{}, {}] });
  // One ends by itself: the events worker is told.
  seekers[1]?.onerror?.(new Event('error', { cancelable: true }) as ErrorEvent);
  expect(workers[0]?.requests.at(-1)).toEqual({ type: 'seekerLost', place: 1 });
  expect(seekers.map(({ isEnded }) => isEnded)).toEqual([false, true]);
  dies(workers[0]);
  expect(seekers.map(({ isEnded }) => isEnded)).toEqual([true, true]);
});

test('what is listed in memory has no seekers', () => {
  const { workers, seekers, host: events } = host();
  events.open({ ...START, hasText: false });
  events.start();
  workers[0]?.onmessage?.({ data: { type: 'seekersWanted' } } as MessageEvent<EventsReply>);
  expect(seekers).toEqual([]);
});

test('of the queries of a key the last is asked again, and for none no worker is started', () => {
  const { workers, host: events } = host();
  events.open(START);
  events.opened(() => {}, true);
  events.ask({ ...QUERY, id: 5 });
  events.ask({ ...QUERY, id: 6 });
  dies(workers[0]);
  expect(workers[1]?.requests).toEqual([START, { ...QUERY, id: 6 }]);
  workers[1]?.onmessage?.({ data: { ...ANSWER, id: 6 } } as MessageEvent<EventsReply>);
  dies(workers[1]);
  expect(workers).toHaveLength(2);
});
