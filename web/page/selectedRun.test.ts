import { beforeEach, expect, it } from 'vitest';
import { ns } from '../base/units';
import { EngineClient, type EngineWorker } from '../engine/client';
import type { EngineMessage, EngineRequest, Interval, Query } from '../engine/protocol';
import { presentInterval } from '../state/selectedRun';
import { createStore, type Store } from '../state/store';
import { SelectedRunOwner } from './selectedRun';

type Asked = Extract<EngineRequest, { type: 'query' }>;

let asked: Asked[];
let say: (message: EngineMessage) => void;
let engine: EngineClient;
let store: Store;
let selected: SelectedRunOwner;

const run = (cpu: number, start: number): Interval =>
  ({ kind: 'run', cpu, start: ns(start), end: ns(start + 10), pid: 7, comm: 'a', task: 3 }) as unknown as Interval;

const select = (cpu: number, start: number): void =>
  store.dispatch({ type: 'select', selection: { cpu, start: ns(start) } });

const typesAsked = (): Query['type'][] => asked.map(({ query }) => query.type);

async function answer(type: Query['type'], body: object): Promise<void> {
  const { id } = asked.findLast(({ query }) => query.type === type) ?? {};
  if (id === undefined) throw new Error(`${type} was not asked`);
  say({ type: 'answer', session: 1, id, answer: { type, ...body } } as unknown as EngineMessage);
  await new Promise((resolve) => setTimeout(resolve));
}

beforeEach(() => {
  asked = [];
  let worker: EngineWorker | null = null;
  engine = new EngineClient(() => {
    worker = {
      onmessage: null,
      onerror: null,
      onmessageerror: null,
      postMessage: (request) => {
        if (request.type === 'query') asked.push(request);
      },
      terminate: () => {},
    };
    return worker;
  });
  say = (message) => worker?.onmessage?.({ data: message } as MessageEvent<EngineMessage>);
  store = createStore();
  store.setLimits({ span: ns(1000), afterSleep: null, lanes: 4 });
  selected = new SelectedRunOwner({ engine, store });
  engine.open({ kind: 'url', url: 'a.dat' });
});

it('asks once for each part of a selection that only the URL knows', async () => {
  select(1, 100);
  expect(typesAsked()).toEqual(['at', 'chain', 'cascade_of']);
  expect(selected.get()).toMatchObject({ status: 'asking', interval: null });
  await answer('at', { kind: 'cpu', item: run(1, 100) });
  expect(selected.get()).toMatchObject({ status: 'known', interval: run(1, 100) });
  expect(selected.idle).toBe(false);
  await answer('chain', { chain: null });
  await answer('cascade_of', { cascade: null });
  expect(selected.idle).toBe(true);
  expect(asked).toHaveLength(3);
});

it('does not ask again for what was picked in order to select it', async () => {
  selected.selectKnown(run(1, 100), { type: 'select', selection: { cpu: 1, start: ns(100) } });
  await answer('chain', { chain: null });
  expect(typesAsked()).toEqual(['chain', 'cascade_of']);
  expect(selected.get()).toMatchObject({ status: 'known', interval: run(1, 100) });
});

it('takes nothing for the selection that it is not', () => {
  selected.selectKnown(run(1, 100), { type: 'select', selection: { cpu: 2, start: ns(100) } });
  select(1, 100);
  expect(typesAsked().filter((type) => type === 'at')).toHaveLength(2);
});

it('keeps what is shown until the next is known, and says that it is of the one before', async () => {
  select(1, 100);
  await answer('at', { kind: 'cpu', item: run(1, 100) });
  select(2, 200);
  expect(selected.get()).toMatchObject({ status: 'asking', interval: run(1, 100), isPresent: false });
  expect(presentInterval(selected.get())).toBeNull();
  await answer('at', { kind: 'cpu', item: run(2, 200) });
  expect(presentInterval(selected.get())).toEqual(run(2, 200));
});

it('asks again when the view of the trace is another one, but not for the cascade, which is of the trace', async () => {
  select(1, 100);
  await answer('at', { kind: 'cpu', item: run(1, 100) });
  void engine.query('view', { type: 'set_view', spec: { forked: true, movable: false, highlight: { kind: 'none' } } });
  await answer('set_view', {});
  expect(typesAsked()).toEqual(['at', 'chain', 'cascade_of', 'set_view', 'at', 'chain']);
  expect(selected.get()).toMatchObject({ status: 'asking', isPresent: true });
  await answer('at', { kind: 'cpu', item: null });
  expect(selected.get()).toMatchObject({ status: 'known', interval: null });
});

it('tells keys as soon as the interval and the chain are known', async () => {
  select(1, 100);
  const settled = selected.settled();
  await answer('at', { kind: 'cpu', item: run(1, 100) });
  await answer('chain', { chain: { run: run(1, 100) } });
  expect((await settled).chain).toEqual({ run: run(1, 100) });
});

it('knows nothing when nothing is selected, and when the trace is gone', async () => {
  select(1, 100);
  await answer('at', { kind: 'cpu', item: run(1, 100) });
  store.dispatch({ type: 'select', selection: null });
  expect(selected.get().status).toBe('none');
  select(1, 100);
  engine.close();
  await new Promise((resolve) => setTimeout(resolve));
  expect(selected.get().status).toBe('none');
  expect(selected.idle).toBe(true);
});
