import { expect, it } from 'vitest';
import { cssPx, devPx, ns, type TimeWindow } from '../../base/units';
import type { EngineClient } from '../../engine/client';
import type { Interval } from '../../engine/protocol';
import { createHoverStore } from '../../state/hover';
import { createStore } from '../../state/store';
import type { LaneLayout } from '../frame/laneLayout';
import { Timescale } from '../frame/timescale';
import { Actions } from './actions';

/** Actions on a trace of a ms; `engine`: what answers. */
function actionsOn(selected: TimeWindow | null, engine = {} as EngineClient, cpus = [0, 5]) {
  const [store, hover] = [createStore(), createHoverStore()];
  store.setLimits({ span: ns(1e6), afterSleep: null, lanes: 8 });
  const announced: string[] = [];
  const actions = new Actions({
    ...{ store, engine, hover, trace: { id: 0, offset: ns(0) } },
    ...{ jump: () => {}, draft: () => {}, overMark: () => {}, cpus: () => cpus, firstCpu: () => 0 },
    announce: (text) => announced.push(text),
    selectKnown: (_, action) => store.dispatch(action),
    selected: () => selected && ({ ...selected, cpu: 0 } as Interval),
  });
  return { store, hover, actions, announced };
}

/** Presses `F` so often; returns what is shown then, null for the whole trace. */
function focused(presses: number, selected: TimeWindow | null, range: TimeWindow | null): TimeWindow | null {
  const { store, actions } = actionsOn(selected);
  store.dispatch({ type: 'range', range });
  for (let i = 0; i < presses; i++) {
    void actions.key({ type: 'focus' });
    store.dispatch({ type: 'settle' });
  }
  return store.getState().window;
}

const span = (start: number, end: number): TimeWindow => ({ start: ns(start), end: ns(end) });

it.each([
  ['in the middle', span(500_000, 500_101)],
  ['that begins the trace', span(0, 5000)],
  ['that ends the trace', span(990_000, 1_000_000)],
  ['that is narrower than windows may be', span(700_000, 700_001)],
])('F goes from a run %s to the range, to the whole trace, and to the run again', (_, run) => {
  const range = span(200_000, 400_000);
  const [first, second, third, fourth] = [1, 2, 3, 4].map((presses) => focused(presses, run, range));
  expect(first?.start).toBeLessThanOrEqual(run.start);
  expect(first?.end).toBeGreaterThanOrEqual(run.end);
  expect((first?.end ?? 0) - (first?.start ?? 0)).toBeLessThan(25_000);
  expect(second).toEqual(range);
  expect(third).toBeNull();
  expect(fourth).toEqual(first);
  expect(focused(2, run, null)).toBeNull();
});

it('F passes over a run that fills the trace, and shows ranges that are narrower than windows may be', () => {
  expect(focused(1, span(100_000, 900_000), span(0, 10_000))).toEqual(span(0, 10_000));
  expect(focused(1, null, span(5000, 5010))).toEqual(span(5000, 6000));
  expect(focused(2, null, span(5000, 5010))).toBeNull();
});

it.each([
  ['this trace', 0, 5],
  ['another trace', 1, 0],
])('keys begin at the hovered CPU of %s alone', async (_, trace, expected) => {
  const asked: number[] = [];
  const query = async (_key: string, { key }: { key: number }) => {
    asked.push(key);
    return { kind: 'superseded' };
  };
  const { hover, actions } = actionsOn(null, { query } as unknown as EngineClient);
  hover.set({ at: ns(10), cpu: 5, trace });
  await actions.key({ type: 'step', direction: 1 });
  await actions.key({ type: 'lane', direction: 1 });
  expect(new Set(asked)).toEqual(new Set([expected]));
});

it('a double click zooms to the run that it means, in the time of the view', async () => {
  const run = { kind: 'run', cpu: 5, start: ns(400_000), end: ns(440_000) } as Interval;
  const engine = { query: async () => ({ kind: 'answer', answer: { item: run } }) } as unknown as EngineClient;
  const { store, actions } = actionsOn(null, engine);
  const scale = new Timescale({ start: ns(0), end: ns(1e6) }, devPx(1000), 1);
  const layout: LaneLayout = { count: 2, height: cssPx(40), pitch: cssPx(20), top: cssPx(0) };
  const tracks = { trace: 0, kind: 'cpu', keys: [0, 5], layout, scale } as const;
  actions.act({ type: 'doubleClick', x: 420, y: 25 }, { scale, marks: [], bands: null, tracks });
  await expect.poll(() => store.getState().window).toEqual({ start: 380_000, end: 460_000 });
});

it('keys that come faster than answers go a CPU each', async () => {
  const runs = new Map([0, 5, 7].map((cpu) => [cpu, { kind: 'run', cpu, start: ns(cpu), end: ns(20) } as Interval]));
  const query = async (_key: string, { key }: { key: number }) => ({
    kind: 'answer',
    answer: { item: runs.get(key) ?? null },
  });
  const { store, actions } = actionsOn(null, { query } as unknown as EngineClient, [0, 5, 7]);
  store.dispatch({ type: 'select', selection: { cpu: 0, start: ns(0) } });
  await Promise.all([actions.key({ type: 'lane', direction: 1 }), actions.key({ type: 'lane', direction: 1 })]);
  expect(store.getState().selection).toEqual({ cpu: 7, start: 7 });
});
