import { expect, test } from 'vitest';
import type { EngineClient } from '../engine/client';
import { CPU_COLUMNS } from '../engine/protocolTables';
import { busiestCpus, callFacts, dispatchQueues } from './facts';

/** An engine that fails so often before it answers. */
function failing(failures: number) {
  const engine = { session: 1, asked: 0, query: async () => outcome() };
  const outcome = () => {
    engine.asked++;
    return engine.asked > failures
      ? { kind: 'answer', answer: { type: 'queues', queues: [], numbers: [] } }
      : { kind: 'failed', error: { what: 'the worker stopped' } };
  };
  return engine;
}

/** Asks as a pane does: again whenever it is told to. */
function follow(engine: ReturnType<typeof failing>) {
  const seen: unknown[] = [];
  const look = (): void => {
    seen.push(dispatchQueues(engine as unknown as EngineClient, look));
  };
  look();
  return seen;
}

const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

test('a question is asked once for all who want the answer', async () => {
  const engine = failing(0);
  const all = [follow(engine), follow(engine)];
  await rest();
  expect(engine.asked).toBe(1);
  for (const seen of all) expect(seen).toEqual([null, { type: 'queues', queues: [], numbers: [] }]);
  expect(follow(engine)).toHaveLength(1);
});

test('after a failure it is asked again, but not for ever', async () => {
  const passing = failing(2);
  const seen = follow(passing);
  await rest();
  expect(seen.at(-1)).toMatchObject({ type: 'queues' });
  const lasting = failing(Number.POSITIVE_INFINITY);
  follow(lasting);
  await rest();
  follow(lasting);
  await rest();
  expect(lasting.asked).toBe(3);
  // Another trace is asked anew.
  lasting.session = 2;
  follow(lasting);
  await rest();
  expect(lasting.asked).toBe(6);
});

test('facts that change are asked for again with the trace, and the last ones stay until then', async () => {
  let calls = 0;
  const engine = { session: 1, traceRevision: 0, query: async () => ({ kind: 'answer', answer: { calls: ++calls } }) };
  const client = engine as unknown as EngineClient;
  let arrived = 0;
  const look = (): void => void arrived++;
  expect(callFacts(client, look)).toBeNull();
  await rest();
  expect(callFacts(client, look)).toEqual({ calls: 1 });
  engine.traceRevision++;
  expect(callFacts(client, look)).toEqual({ calls: 1 });
  await rest();
  expect(callFacts(client, look)).toEqual({ calls: 2 });
  expect(arrived).toBe(2);
});

test('the busiest CPUs come first, and those that are as busy by number', async () => {
  const values = new Float64Array(4 * CPU_COLUMNS.length);
  for (const [row, [cpu, busy]] of [
    [0, 5],
    [3, 9],
    [2, 9],
    [7, 0],
  ].entries()) {
    values[row * CPU_COLUMNS.length + CPU_COLUMNS.indexOf('cpu')] = cpu ?? 0;
    values[row * CPU_COLUMNS.length + CPU_COLUMNS.indexOf('busy_ns')] = busy ?? 0;
  }
  const engine = { session: 1, query: async () => ({ kind: 'answer', answer: { values } }) } as unknown as EngineClient;
  busiestCpus(engine, () => undefined);
  await rest();
  const order = busiestCpus(engine, () => undefined);
  expect(order).toEqual([2, 3, 0, 7]);
  // The same list each time: lanes are arranged again only for another one.
  expect(busiestCpus(engine, () => undefined)).toBe(order);
});
