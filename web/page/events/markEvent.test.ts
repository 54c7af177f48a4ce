import { expect, test } from 'vitest';
import { observable } from '../../base/observable';
import { ns } from '../../base/units';
import type { EngineClient, Outcome } from '../../engine/client';
import type { EventRow } from '../../engine/protocol';
import { createStore } from '../../state/store';
import type { Page } from '../page';
import { markEvent } from './markEvent';

const event = { cpu: 1, at: ns(500) };

/** A page at an event, without a list of events; its engine's answers come by hand. */
function pageAtEvent() {
  const store = createStore();
  store.setLimits({ span: ns(1000), afterSleep: null, lanes: 2 });
  store.dispatch({ type: 'showEvent', event, selection: undefined });
  const open: ((outcome: Outcome<unknown>) => void)[] = [];
  const engine = {
    session: 1,
    query: () => new Promise<Outcome<unknown>>((resolve) => open.push(resolve)),
  };
  const page = {
    store,
    engine: engine as unknown as EngineClient,
    eventRow: observable<EventRow | null>(null),
    noting: observable(null),
    announce: () => {},
  };
  const answer = async (outcome: Outcome<unknown>): Promise<void> => {
    open.shift()?.(outcome);
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { page: page as unknown as Page, engine, store, answer };
}

const row: Outcome<unknown> = { kind: 'answer', answer: { row: 7 } };
const rows: Outcome<unknown> = { kind: 'answer', answer: { rows: [{ ...event, event: 'sched_switch' }] } };

test('an event is marked with its name, or without where that is not known', async () => {
  const { page, store, answer } = pageAtEvent();
  const marked = markEvent(page);
  await answer(row);
  await answer(rows);
  await marked;
  expect(store.getState().marks).toEqual([{ ...event, note: 'sched_switch' }]);
  expect(page.noting.get()).toEqual(event);
  const other = pageAtEvent();
  const failed = markEvent(other.page);
  await other.answer({ kind: 'failed', error: { kind: 'io', what: 'it was deleted', where: null, advice: '' } });
  await failed;
  expect(other.store.getState().marks).toEqual([{ ...event, note: '' }]);
});

test('a trace that is opened meanwhile gets no mark of another', async () => {
  const superseded = pageAtEvent();
  const first = markEvent(superseded.page);
  await superseded.answer({ kind: 'superseded' });
  await first;
  expect(superseded.store.getState().marks).toEqual([]);
  expect(superseded.page.noting.get()).toBeNull();
  const { page, engine, store, answer } = pageAtEvent();
  const second = markEvent(page);
  await answer(row);
  engine.session = 2;
  await answer(rows);
  await second;
  expect(store.getState().marks).toEqual([]);
});
