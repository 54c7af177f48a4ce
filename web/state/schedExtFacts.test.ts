import { expect, test } from 'vitest';
import type { EngineClient } from '../engine/client';
import { dispatchQueues } from './schedExtFacts';

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
