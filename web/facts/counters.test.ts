import { expect, test } from 'vitest';
import type { EngineClient, Outcome } from '../engine/client';
import type { EngineEvent } from '../engine/protocol';
import { counterOf } from './counters';

const info = { events: 3, least: 0, greatest: 2 };

function engineOf() {
  const listeners: ((event: EngineEvent) => void)[] = [];
  const open: ((outcome: Outcome<unknown>) => void)[] = [];
  const engine = {
    session: 1,
    on: (listener: (event: EngineEvent) => void) => listeners.push(listener),
    query: () => new Promise<Outcome<unknown>>((resolve) => open.push(resolve)),
  };
  return {
    engine: engine as unknown as EngineClient,
    open,
    async answer() {
      open.at(-1)?.({ kind: 'answer', answer: info });
      await Promise.resolve();
    },
    restart() {
      for (const listener of listeners) listener({ type: 'restarted', session: 1, what: 'it stopped' });
    },
  };
}

test('an events worker that takes the place of another is asked for the values again, but not for ever', async () => {
  const { engine, open, answer, restart } = engineOf();
  const counters = counterOf(engine, 'cpu');
  restart();
  expect(open).toHaveLength(0);
  void counters.want('sched:sched_switch:next_prio');
  // The engine asks again for what has no answer.
  restart();
  expect(open).toHaveLength(1);
  await answer();
  for (let again = 1; again <= 2; again++) {
    const { revision } = counters.state.get();
    restart();
    // Without values no tile is asked for.
    expect(counters.state.get()).toMatchObject({ info: null, revision: revision + 1 });
    expect(open).toHaveLength(1 + again);
    await answer();
    expect(counters.state.get()).toMatchObject({ info, revision: revision + 2 });
  }
  restart();
  expect(open).toHaveLength(3);
  expect(counters.state.get()).toMatchObject({ info: null, error: 'it stopped' });
  // Another one is another matter.
  void counters.want('sched:sched_switch:prev_prio');
  await answer();
  restart();
  expect(open).toHaveLength(5);
});
