import { beforeEach, expect, test } from 'vitest';
import { internalError } from './errors';
import { FiguresHost, type FiguresStart, type FiguresWorker } from './figuresHost';
import type { ModelReply, ModelRequest } from './modelHost';
import type { EngineError, FigureAnswer, FigureQuery } from './protocol';

class FakeWorker implements FiguresWorker {
  onmessage: ((event: MessageEvent<ModelReply<FigureAnswer>>) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  readonly got: ModelRequest<FiguresStart, FigureQuery>[] = [];

  postMessage(request: ModelRequest<FiguresStart, FigureQuery>): void {
    this.got.push(request);
  }

  terminate(): void {}
}

let workers: FakeWorker[];
let replies: unknown[];
let asked: ((stored: Uint8Array<ArrayBuffer> | EngineError) => void)[];
let host: FiguresHost;

beforeEach(() => {
  workers = [];
  replies = [];
  asked = [];
  host = new FiguresHost(
    () => {
      const worker = new FakeWorker();
      workers.push(worker);
      return worker;
    },
    (reply) => replies.push(reply),
    { stored: (taken) => asked.push(taken) },
  );
});

const ask = (id: number, calls: boolean, interrupts = false) =>
  host.ask({
    type: 'query',
    session: 3,
    id,
    key: 'figure',
    query: { type: 'figure', figure: { calls, interrupts } } as unknown as FigureQuery,
  });
const open = () => host.open(() => new Uint8Array([9]));

test('a figure without calls and interrupts needs the model alone', () => {
  open();
  ask(1, false);
  expect(asked).toHaveLength(0);
  expect(workers[0]?.got[0]).toMatchObject({ type: 'start', calls: null });
});

test('the first one with some waits for them, and the next ones have them', async () => {
  open();
  ask(1, true);
  ask(2, false, true);
  expect([asked.length, workers.length]).toEqual([1, 0]);
  asked[0]?.(new Uint8Array([5, 6]));
  const [start, ...queries] = workers[0]?.got ?? [];
  const calls = start?.type === 'start' ? start.calls : null;
  expect(new Uint8Array((await calls?.arrayBuffer()) ?? new ArrayBuffer(0))).toEqual(new Uint8Array([5, 6]));
  // The later one of a key supersedes the other.
  expect(queries.map((query) => query.type === 'query' && query.id)).toEqual([2]);
  ask(3, true);
  expect([asked.length, workers.length, workers[0]?.got.length]).toEqual([1, 1, 3]);
});

test('without them the figure fails with the reason, and the next one asks again', () => {
  open();
  ask(1, true);
  asked[0]?.(internalError('no calls'));
  expect(replies).toEqual([{ type: 'queryFailed', session: 3, id: 1, error: internalError('no calls') }]);
  ask(2, true);
  expect(asked).toHaveLength(2);
});

test('asked before the trace is open, it is made then', () => {
  ask(1, true);
  open();
  asked[0]?.(new Uint8Array([5]));
  expect(workers[0]?.got.map(({ type }) => type)).toEqual(['start', 'query']);
});
