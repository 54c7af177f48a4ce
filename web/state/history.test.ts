import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ns } from '../base/units';
import { connectHistory } from './history';
import { createStore } from './store';
import type { ViewState } from './viewState';

function fakeHistory() {
  const entries: { state: unknown; url: string }[] = [{ state: null, url: '' }];
  let index = 0;
  return {
    entries,
    get state() {
      return entries[index]?.state;
    },
    pushState(state: unknown, _title: string, url?: string | URL | null) {
      entries.splice(index + 1, entries.length, { state, url: `${url}` });
      index += 1;
    },
    replaceState(state: unknown, _title: string, url?: string | URL | null) {
      entries[index] = { state, url: `${url}` };
    },
    back() {
      index = Math.max(0, index - 1);
    },
    now: () => entries[index]?.url,
  };
}

const urlOf = (view: ViewState): string =>
  `${view.window ? `${view.window.start}-${view.window.end}` : 'all'} ${view.selection?.cpu ?? ''} ${view.colour}`;

function setUp() {
  const store = createStore();
  store.setLimits({ span: ns(1e9), afterSleep: null, lanes: 4 });
  const history = fakeHistory();
  return { store, history, connected: connectHistory({ store, history, urlOf, restMs: 100 }) };
}

describe('the history of views', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('gets an entry for a discrete step', () => {
    const { store, history } = setUp();
    store.dispatch({ type: 'colour', colour: 'command' });
    store.dispatch({ type: 'select', selection: { cpu: 2, start: ns(5) } });
    expect(history.entries.map(({ url }) => url)).toEqual(['', 'all  command', 'all 2 command']);
  });

  it('is changed in place, once, when panning and zooming rest', () => {
    const { store, history } = setUp();
    const replace = vi.spyOn(history, 'replaceState');
    for (let step = 0; step < 20; step += 1) {
      store.dispatch({ type: 'zoom', at: ns(0), factor: 0.9 });
      vi.advanceTimersByTime(10);
    }
    expect(replace).not.toHaveBeenCalled();
    vi.advanceTimersByTime(100);
    expect(replace).toHaveBeenCalledTimes(1);
    expect(history.entries).toHaveLength(1);
    expect(history.now()).toBe(`0-${Math.round(1e9 * 0.9 ** 20)}  pid`);
  });

  it('keeps the last window in the entry that a step leaves', () => {
    const { store, history } = setUp();
    store.dispatch({ type: 'zoom', at: ns(0), factor: 0.5 });
    store.dispatch({ type: 'showWindow', window: null });
    expect(history.entries.map(({ url }) => url)).toEqual(['0-500000000  pid', 'all  pid']);
  });

  it('writes nothing when the history itself changes the view', () => {
    const { store, history } = setUp();
    store.dispatch({ type: 'restore', view: { ...store.getState(), colour: 'command' } });
    vi.advanceTimersByTime(1000);
    expect(history.entries).toEqual([{ state: null, url: '' }]);
  });

  it('writes the same step again after going back, and nothing of the entry that was left', () => {
    const { store, history, connected } = setUp();
    connected.replace();
    const first = store.getState();
    store.dispatch({ type: 'colour', colour: 'command' });
    store.dispatch({ type: 'zoom', at: ns(0), factor: 0.5 });
    history.back();
    connected.moved();
    store.dispatch({ type: 'restore', view: first });
    vi.advanceTimersByTime(1000);
    expect(history.now()).toBe('all  pid');
    store.dispatch({ type: 'colour', colour: 'command' });
    expect(history.now()).toBe('all  command');
  });

  it('has what was undone in the entry that is there', () => {
    const { store, history } = setUp();
    const first = store.getState();
    store.dispatch({ type: 'colour', colour: 'command' });
    store.dispatch({ type: 'recall', view: first });
    vi.advanceTimersByTime(100);
    expect(history.entries.map(({ url }) => url)).toEqual(['', 'all  pid']);
  });
});
