import { expect, test } from 'vitest';
import { ns } from '../../base/units';
import type { EngineClient, Outcome } from '../../engine/client';
import type { EventHit, Interval } from '../../engine/protocol';
import { createStore } from '../../state/store';
import type { Action } from '../../state/viewState';
import type { Page } from '../page';
import { stepHit } from './stepHit';

/** CPU 0 idles, runs `a`, runs `b`, idles. */
const LANE = [
  { kind: 'idle', cpu: 0, start: 0, end: 100 },
  { kind: 'run', cpu: 0, start: 100, end: 200, pid: 1, comm: 'a' },
  { kind: 'run', cpu: 0, start: 200, end: 300, pid: 2, comm: 'b' },
  { kind: 'idle', cpu: 0, start: 300, end: 1000 },
] as unknown as readonly Interval[];

/** Where the run begins that a step to the switch at `at` selects; null: none is. */
async function selectedBy(filter: string, at: number, pid: number): Promise<number | null> {
  const store = createStore();
  store.setLimits({ span: ns(1000), afterSleep: null, lanes: 1 });
  store.dispatch({ type: 'filter', filter });
  const hit: EventHit = { number: 0, cpu: 0, at: ns(at), pid, comm: 'x', event: 'sched_switch', text: '' };
  const query = async (_key: string, asked: { type: string; at: number }): Promise<Outcome<unknown>> => {
    const item = LANE.find(({ start, end }) => start <= asked.at && asked.at < end) ?? null;
    return { kind: 'answer', answer: asked.type === 'event_hit_at' ? { hit } : { item } };
  };
  const engine = { session: 1, on: () => () => {}, query } as unknown as EngineClient;
  const page = {
    engine,
    store,
    selected: { selectKnown: (_: unknown, action: Action) => store.dispatch(action) },
    announce: () => {},
  };
  await stepHit(page as unknown as Page, 1);
  expect(store.getState().event).toEqual({ cpu: 0, at });
  return store.getState().selection?.start ?? null;
}

test.each([
  ['the task before it idles', 100, 0, 100, null],
  ['another task was before it', 200, 1, 200, 100],
  ['the CPU idles behind it', 300, 2, null, 200],
])(
  'a switch stands for the run that it begins where the filter names the next task: %s',
  async (_, at, pid, next, prev) => {
    expect(await selectedBy('next_prio < 200', at, pid)).toBe(next);
    expect(await selectedBy('prev_prio < 200', at, pid)).toBe(prev);
  },
);
