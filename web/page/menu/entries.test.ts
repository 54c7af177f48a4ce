import { expect, test } from 'vitest';
import { ns } from '../../base/units';
import type { Summary } from '../../engine/protocol';
import { createStore } from '../../state/store';
import type { Page } from '../page';
import { menuOf } from './entries';

test('of the window, the window becomes the range, whatever is selected', () => {
  const store = createStore();
  store.setLimits({ span: ns(1000_000), afterSleep: null, lanes: 2 });
  const window = { start: ns(10_000), end: ns(20_000) };
  store.dispatch({ type: 'showWindow', window });
  const keys = [false, true].map((isSelected) => {
    if (isSelected) store.dispatch({ type: 'select', selection: { cpu: 1, start: ns(12_000) } });
    store.dispatch({ type: 'range', range: null });
    const groups = menuOf({ store } as Page, {} as Summary, { cpu: null, at: null, interval: null });
    const entry = groups.find(({ about }) => about === 'The window')?.entries.find(({ text }) => /range$/.test(text));
    entry?.run();
    expect(store.getState().range).toEqual(window);
    return entry?.keys;
  });
  expect(keys).toEqual(['R', '']);
});
