import { expect, test } from 'vitest';
import { EventsHost, type EventsReply, type EventsRequest, type EventsWorker } from './eventsHost';

class FakeWorker implements EventsWorker {
  onmessage: EventsWorker['onmessage'] = null;
  onerror: EventsWorker['onerror'] = null;
  readonly requests: EventsRequest[] = [];
  readonly transferred: Transferable[] = [];

  postMessage(request: EventsRequest, transfer: Transferable[]): void {
    this.requests.push(request);
    this.transferred.push(...transfer);
  }
}

const QUERY = { type: 'query', session: 2, key: 'names', query: { type: 'event_names' } } as const;
const ANSWER: EventsReply = { type: 'answer', session: 2, id: 5, answer: { type: 'event_names', names: [] } };

function host() {
  const worker = new FakeWorker();
  const replies: EventsReply[] = [];
  return { worker, replies, host: new EventsHost(worker, (reply) => replies.push(reply)) };
}

test('queries go to the worker and its replies come back', () => {
  const { worker, replies, host: events } = host();
  events.ask({ ...QUERY, id: 5 });
  expect(worker.requests).toEqual([{ ...QUERY, id: 5 }]);
  worker.onmessage?.({ data: ANSWER } as MessageEvent<EventsReply>);
  expect(replies).toEqual([ANSWER]);
});

test('indexes are handed over, not copied', () => {
  const { worker, host: events } = host();
  const index = new ArrayBuffer(3);
  events.add(index);
  events.list();
  events.name(Int32Array.of(7), ['bash']);
  expect(worker.transferred).toEqual([index]);
  expect(worker.requests.map(({ type }) => type)).toEqual(['index', 'list', 'names']);
});

test('a worker that stops fails the queries that wait, and later ones', () => {
  const { worker, replies, host: events } = host();
  events.ask({ ...QUERY, id: 4 });
  events.ask({ ...QUERY, id: 5 });
  worker.onmessage?.({ data: ANSWER } as MessageEvent<EventsReply>);
  worker.onerror?.(new Event('error', { cancelable: true }) as ErrorEvent);
  events.ask({ ...QUERY, id: 6 });
  expect(replies.slice(1)).toMatchObject([
    { type: 'queryFailed', id: 4, error: { what: 'the events worker stopped: it could not be started' } },
    { type: 'queryFailed', id: 6 },
  ]);
});
