import { beforeEach, expect, test } from 'vitest';
import { internalError } from './errors';
import { ModelHost, type ModelReply, type ModelRequest, type ModelWorker } from './modelHost';

interface Start {
  readonly model: Uint8Array<ArrayBuffer>;
}
type Query = { readonly type: 'figure' };
type Request = ModelRequest<Start, Query>;
type Reply = ModelReply<string>;

class FakeWorker implements ModelWorker<Start, Query, string> {
  onmessage: ((event: MessageEvent<Reply>) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  readonly got: Request[] = [];
  terminated = false;

  postMessage(request: Request): void {
    this.got.push(request);
  }

  terminate(): void {
    this.terminated = true;
  }

  says(data: Reply): void {
    this.onmessage?.({ data } as MessageEvent<Reply>);
  }
}

let workers: FakeWorker[];
let replies: Reply[];
let models: number;
let host: ModelHost<Start, Query, string>;

beforeEach(() => {
  workers = [];
  replies = [];
  models = 0;
  host = new ModelHost<Start, Query, string>(
    'figures',
    () => {
      const worker = new FakeWorker();
      workers.push(worker);
      return worker;
    },
    (reply) => replies.push(reply),
  );
});

const request = (id: number, key = 'figure') =>
  ({ type: 'query', session: 3, id, key, query: { type: 'figure' } }) as const;

const openTrace = () =>
  host.open(() => {
    models++;
    return [{ model: new Uint8Array([7]) }, []];
  });

const sent = (worker: FakeWorker | undefined) => worker?.got.map((each) => (each.type === 'start' ? 'start' : each.id));

test('no worker is started before a figure is asked for, and one serves all', () => {
  openTrace();
  expect(workers).toEqual([]);
  host.ask(request(1));
  host.ask(request(2, 'other'));
  expect(workers).toHaveLength(1);
  expect(models).toBe(1);
  expect(sent(workers[0])).toEqual(['start', 1, 2]);
});

test('queries wait for the trace; of each key only the last is asked', () => {
  host.ask(request(1));
  host.ask(request(2));
  host.ask(request(3, 'other'));
  expect(workers).toEqual([]);
  openTrace();
  expect(sent(workers[0])).toEqual(['start', 2, 3]);
});

test('replies come back unchanged', () => {
  openTrace();
  host.ask(request(1));
  const progress = { type: 'jobProgress', session: 3, id: 1, share: 0.5, answer: null } as const;
  const failed = { type: 'queryFailed', session: 3, id: 1, error: internalError('no room') } as const;
  workers[0]?.says(progress);
  workers[0]?.says(failed);
  expect(replies).toEqual([progress, failed]);
});

test('a worker that stops fails what is open, and the next figure starts another', () => {
  openTrace();
  host.ask(request(1));
  workers[0]?.says({ type: 'stopped', error: internalError('panicked') });
  expect(replies).toMatchObject([{ type: 'queryFailed', session: 3, id: 1, error: { what: 'panicked' } }]);
  expect(workers[0]?.terminated).toBe(true);
  host.ask(request(2));
  expect(sent(workers[1])).toEqual(['start', 2]);
});

test('what a worker dies with is asked of another one, and fails when that dies, too', () => {
  openTrace();
  const dies = (worker: FakeWorker | undefined) =>
    worker?.onerror?.({ message: 'gone', preventDefault: () => {} } as unknown as ErrorEvent);
  host.ask(request(1));
  host.ask(request(2, 'other'));
  workers[0]?.says({ type: 'jobProgress', session: 3, id: 1, share: 0.5, answer: null });
  dies(workers[0]);
  expect(workers[0]?.terminated).toBe(true);
  expect(sent(workers[1])).toEqual(['start', 1, 2]);
  expect(models).toBe(2);
  workers[1]?.says({ type: 'answer', session: 3, id: 2, answer: 'a figure' });
  host.ask(request(3, 'other'));
  replies.length = 0;
  dies(workers[1]);
  expect(replies).toMatchObject([
    { type: 'queryFailed', session: 3, id: 1, error: { what: 'the figures worker stopped: gone' } },
  ]);
  expect(sent(workers[2])).toEqual(['start', 3]);
});

test('a model that cannot be had fails each query once', () => {
  host.ask(request(1));
  host.ask(request(2, 'other'));
  host.open(() => {
    if (models++ === 0) throw new Error('no memory');
    return [{ model: new Uint8Array([7]) }, []];
  });
  expect(replies).toMatchObject([
    { type: 'queryFailed', id: 1 },
    { type: 'queryFailed', id: 2 },
  ]);
  expect(workers).toEqual([]);
});

test('a worker that was ended, of whose end one hears late, does not end the next one', () => {
  openTrace();
  const hears = (worker: FakeWorker | undefined) =>
    worker?.onerror?.({ message: 'it ended by itself', preventDefault: () => {} } as unknown as ErrorEvent);
  host.ask(request(1));
  host.cancel(request(1).key);
  host.ask(request(2));
  hears(workers[0]);
  workers[1]?.says({ type: 'stopped', error: internalError('panicked') });
  expect(replies).toMatchObject([{ type: 'queryFailed', id: 2, error: { what: 'panicked' } }]);
  host.ask(request(3));
  hears(workers[1]);
  expect(workers.map(({ terminated }) => terminated)).toEqual([true, true, false]);
  expect(replies).toHaveLength(1);
});
