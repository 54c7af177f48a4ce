import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ns } from '../base/units';
import { createStore } from './store';
import { connectUndo } from './undo';

function setUp() {
  const store = createStore();
  store.setLimits({ span: ns(1e9), afterSleep: null, lanes: 4 });
  const undo = connectUndo(store, 300);
  undo.begin('aa');
  const zoom = (): void => store.dispatch({ type: 'zoom', at: ns(0), factor: 0.9 });
  return { store, undo, zoom, end: () => store.getState().window?.end ?? null };
}

describe('undo', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('takes what changes without a rest of 300 ms for one step', () => {
    const { undo, zoom, end } = setUp();
    for (let turn = 0; turn < 20; turn++) {
      zoom();
      vi.advanceTimersByTime(299);
    }
    vi.advanceTimersByTime(1);
    zoom();
    vi.advanceTimersByTime(300);
    undo.undo();
    expect(end()).toBe(Math.round(1e9 * 0.9 ** 20));
    undo.undo();
    expect(end()).toBeNull();
    expect(undo.undo()).toBe(false);
  });

  it('undoes what has not rested yet', () => {
    const { undo, zoom, end } = setUp();
    zoom();
    vi.advanceTimersByTime(300);
    zoom();
    expect(undo.undo()).toBe(true);
    expect(end()).toBe(9e8);
    expect(undo.redo()).toBe(true);
    expect(end()).toBe(8.1e8);
  });

  it('restores the whole view: selection, range, marks and notes, highlighted commands, lanes', () => {
    const { store, undo } = setUp();
    store.dispatch({ type: 'select', selection: { cpu: 1, start: ns(7) } });
    store.dispatch({ type: 'range', range: { start: ns(10), end: ns(20) } });
    store.dispatch({ type: 'mark', mark: { cpu: 1, at: ns(8), note: 'here' } });
    store.dispatch({ type: 'toggleHighlight', comm: 'make' });
    store.dispatch({ type: 'lanes', scale: 2, scroll: 1 });
    const view = store.getState();
    vi.advanceTimersByTime(300);
    store.dispatch({ type: 'note', mark: { cpu: 1, at: ns(8), note: 'there' } });
    store.dispatch({ type: 'clear' });
    vi.advanceTimersByTime(300);
    undo.undo();
    expect(store.getState()).toBe(view);
  });

  it('forgets the steps of another trace, keeps those of the same one, and makes none between traces', () => {
    const { store, undo, zoom, end } = setUp();
    zoom();
    undo.pause();
    store.dispatch({ type: 'restore', view: { ...store.getState(), window: null } });
    expect(undo.undo()).toBe(false);
    undo.begin('aa');
    expect(undo.undo()).toBe(true);
    expect(end()).toBe(9e8);
    undo.pause();
    undo.begin('bb');
    expect(undo.undo()).toBe(false);
    expect(undo.redo()).toBe(false);
  });
});
