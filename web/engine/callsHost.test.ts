import { beforeEach, expect, test } from 'vitest';
import { CallsHost, type CallsReply, type CallsRequest, type CallsWorker } from './callsHost';
import { internalError } from './errors';
import type { CallsAnyQuery } from './protocol';

class FakeWorker implements CallsWorker {
  onmessage: ((event: MessageEvent<CallsReply>) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  readonly got: CallsRequest[] = [];

  postMessage(request: CallsRequest): void {
    this.got.push(request);
  }

  terminate(): void {}
}

let workers: FakeWorker[];
let replies: unknown[];
let models: number;
let host: CallsHost;

beforeEach(() => {
  workers = [];
  replies = [];
  models = 0;
  host = new CallsHost(
    () => {
      const worker = new FakeWorker();
      workers.push(worker);
      return worker;
    },
    (reply) => replies.push(reply),
  );
});

const ask = (id: number, query: CallsAnyQuery = { type: 'call_facts' }, key = 'facts') =>
  host.ask({ type: 'query', session: 3, id, key, query });
const log = (what: number) => Uint8Array.of(what, 7).buffer;
const open = () =>
  host.open('x86_64', () => {
    models++;
    return new Uint8Array([9]);
  });

test('a trace without calls and interrupts starts no worker, and says so', () => {
  ask(1);
  ask(2);
  host.add([log(0), log(0)]);
  expect(replies).toEqual([]);
  open();
  ask(3, { type: 'call_at', pid: 1, generation: 0, at: 0 as never, net: false }, 'at');
  expect(workers).toEqual([]);
  expect(models).toBe(0);
  expect(replies).toMatchObject([
    { type: 'queryFailed', id: 2, error: { kind: 'empty' } },
    { type: 'queryFailed', id: 3, error: { kind: 'empty' } },
  ]);
});

test('one with some is told all logs and the machine, and answers', () => {
  host.add([log(0)]);
  host.add([log(2)]);
  open();
  expect(workers).toEqual([]);
  ask(1);
  ask(2, { type: 'call_at', pid: 1, generation: 0, at: 0 as never, net: false }, 'at');
  expect(workers).toHaveLength(1);
  expect(models).toBe(1);
  const [start, ...queries] = workers[0]?.got ?? [];
  expect(start).toMatchObject({ type: 'start', machine: 'x86_64' });
  expect(start?.type === 'start' && start.logs.map((one) => new Uint8Array(one)[0])).toEqual([0, 2]);
  expect(queries.map((query) => query.type === 'query' && query.id)).toEqual([1, 2]);
});

test('what a worker that died was given is gone, and it is said how to get it back', () => {
  host.add([log(1)]);
  open();
  ask(1);
  workers[0]?.onmessage?.({ data: { type: 'stopped', error: internalError('no memory') } } as MessageEvent<CallsReply>);
  ask(2);
  expect(workers).toHaveLength(1);
  expect(replies).toMatchObject([
    { type: 'queryFailed', id: 1, error: { what: 'no memory' } },
    { type: 'queryFailed', id: 2, error: { what: expect.stringContaining('open the trace again') } },
  ]);
});

test('a scan that failed fails what waits for it', () => {
  ask(1);
  host.refuse(internalError('gone'));
  ask(2);
  expect(replies).toMatchObject([
    { type: 'queryFailed', id: 1, error: { what: 'gone' } },
    { type: 'queryFailed', id: 2, error: { what: 'gone' } },
  ]);
});

test('another worker is given what it needs for the same calls, and the page hears nothing of it', () => {
  const taken: unknown[] = [];
  host.stored((stored) => taken.push(stored));
  host.add([log(2)]);
  open();
  const worker = workers[0];
  const query = worker?.got[1];
  expect(query).toMatchObject({ type: 'query', query: { type: 'calls_stored' } });
  const id = query?.type === 'query' ? query.id : 0;
  const bytes = new Uint8Array([5]);
  const reply = { type: 'answer', session: 0, id, answer: { type: 'calls_stored', bytes } } as const;
  worker?.onmessage?.(new MessageEvent('message', { data: reply }));
  expect(taken).toEqual([bytes]);
  host.stored((stored) => taken.push(stored));
  worker?.onmessage?.(new MessageEvent('message', { data: { type: 'stopped', error: internalError('gone') } }));
  expect(taken).toEqual([bytes, internalError('gone')]);
  expect(replies).toEqual([]);
});

test('a trace without any has nothing to give', () => {
  const taken: unknown[] = [];
  open();
  host.stored((stored) => taken.push(stored));
  expect(taken).toMatchObject([{ kind: 'empty' }]);
  expect(replies).toEqual([]);
});

test('what another scan finds, or that it fails, changes nothing', () => {
  host.add([log(1)]);
  open();
  host.add([log(1), log(1)]);
  open();
  host.refuse(internalError('cut off'));
  ask(1);
  const [start] = workers[0]?.got ?? [];
  expect(start?.type === 'start' && start.logs).toHaveLength(1);
  expect(replies).toEqual([]);
});
