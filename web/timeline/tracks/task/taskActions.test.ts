import { describe, expect, it } from 'vitest';
import { observable } from '../../../base/observable';
import { cssPx, devPx, ns } from '../../../base/units';
import type { EngineClient } from '../../../engine/client';
import type { TaskInfo, TaskInterval, TaskState } from '../../../engine/protocol';
import { createHoverStore } from '../../../state/hover';
import { createStore } from '../../../state/store';
import { Timescale } from '../../frame/timescale';
import { TaskActions, type TaskCursor, type TouchedTasks } from './taskActions';
import { layoutTaskLanes } from './taskLayout';

const window = { start: ns(0), end: ns(1000) };
/** The states of every task, each for 250 ns. */
const STATES: readonly TaskState[] = ['sleeping', 'runnable', 'running', 'blocked'];

function stateAt(task: number, at: number): TaskInterval | null {
  const i = Math.floor(at / 250);
  const state = STATES[i];
  if (state === undefined) return null;
  const run = i === 0 ? null : { cpu: task, start: ns(500) };
  const of = {
    task,
    pid: task,
    generation: 0,
    comm: 'a',
    cpu: null,
    letters: null,
    cause: null,
    open: false,
    throttled: false,
    yielded: false,
  };
  return { ...of, state, start: ns(i * 250), end: ns(i * 250 + 250), run };
}

type Asked = { type: string; kind: string; key: number; at: number; direction: number };

const engine = {
  query: async (_key: string, { type, kind, key, at, direction }: Asked) => {
    const item =
      kind === 'cpu'
        ? { cpu: key, start: ns(500), end: ns(750) }
        : stateAt(key, type === 'step' ? at + 250 * direction : at);
    return { kind: 'answer', answer: { type, kind, item } };
  },
} as unknown as EngineClient;

function setUp() {
  const store = createStore();
  store.setLimits({ span: ns(1_000_000), afterSleep: null, lanes: 8 });
  store.dispatch({ type: 'showWindow', window });
  const cursor = observable<TaskCursor | null>(null);
  const shown: number[] = [];
  const hover = createHoverStore();
  const actions = new TaskActions({
    engine,
    store,
    hover,
    cursor,
    showCpu: (cpu) => shown.push(cpu),
    selectKnown: (_, action) => store.dispatch(action),
  });
  const lanes = [3, 5, 7].map((task) => ({ task, pid: task, generation: 0 }) as TaskInfo);
  const touched: TouchedTasks = {
    tracks: {
      trace: 0,
      kind: 'task',
      keys: lanes.map(({ task }) => task),
      layout: layoutTaskLanes(3, cssPx(40), 20, 0),
      scale: new Timescale(window, devPx(1000), 1),
    },
    lanes,
    bands: null,
    strip: 0,
  };
  const settled = async (): Promise<void> => {
    do await new Promise((resolve) => setTimeout(resolve));
    while (!actions.idle);
  };
  const press = async (...keys: readonly string[]): Promise<readonly boolean[]> => {
    const used: boolean[] = [];
    for (const key of keys) {
      used.push(actions.key(key, touched));
      await settled();
    }
    return used;
  };
  return { store, cursor, hover, actions, shown, touched, settled, press };
}

describe('keys on the task lanes', () => {
  it('go from lane to lane, and scroll to what is out of sight', async () => {
    const { cursor, store, press } = setUp();
    await press('ArrowDown');
    expect(cursor.get()).toMatchObject({ task: 3, state: { state: 'running' } });
    await press('ArrowDown', 'ArrowDown');
    expect(cursor.get()?.task).toBe(7);
    expect(store.getState().tasks.scroll).toBe(1);
    await press('ArrowDown');
    expect(cursor.get()?.task).toBe(7);
    await press('Home');
    expect(cursor.get()?.task).toBe(3);
    expect(await press('x')).toEqual([false]);
  });

  it('go along the states; runs are selected, waits lead to theirs with Enter', async () => {
    const { cursor, store, shown, press } = setUp();
    await press('ArrowDown', ',');
    expect(cursor.get()?.state?.state).toBe('runnable');
    expect(store.getState().selection).toBeNull();
    await press('Enter');
    expect(store.getState().selection).toEqual({ cpu: 3, start: 500 });
    expect(shown).toEqual([3]);
    await press(',');
    expect(cursor.get()?.state?.state).toBe('sleeping');
    expect(await press('Enter')).toEqual([false]);
    await press('.', '.');
    expect(cursor.get()?.state?.state).toBe('running');
  });
});

describe('the pointer on the task lanes', () => {
  it('hovers over a state, and a click selects the run that it leads to', async () => {
    const { actions, hover, store, touched, settled } = setUp();
    actions.act({ type: 'hover', x: 300, y: 25 }, touched);
    await settled();
    expect(hover.get()).toMatchObject({ task: 5, state: { state: 'runnable', start: 250 } });
    actions.act({ type: 'click', x: 300, y: 25 }, touched);
    await settled();
    expect(store.getState().selection).toEqual({ cpu: 5, start: 500 });
    // If a pixel and its neighbours hold a run beside a wait, the run is meant.
    actions.act({ type: 'hover', x: 499, y: 5 }, touched);
    await settled();
    expect(hover.get()).toMatchObject({ task: 3, state: { state: 'running' } });
    actions.act({ type: 'leave' }, touched);
    expect(hover.get()).toMatchObject({ task: null, state: null });
  });

  it('scrolls, and makes lanes taller where it is', () => {
    const { actions, store, touched } = setUp();
    actions.act({ type: 'scroll', by: -15 }, touched);
    expect(store.getState().tasks.scroll).toBe(0.75);
    actions.act({ type: 'scroll', by: -500 }, touched);
    expect(store.getState().tasks.scroll).toBe(1);
    actions.act({ type: 'laneHeight', y: 20, factor: 2 }, touched);
    expect(store.getState().tasks).toMatchObject({ pitch: 40, scroll: 0.5 });
  });
});
