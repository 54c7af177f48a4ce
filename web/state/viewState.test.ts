import { describe, expect, it } from 'vitest';
import { ns, type TimeWindow } from '../base/units';
import { initialEvents, isFiltered, MAX_MARKS, MAX_NOTE, unfiltered } from './events';
import { FINDING_KINDS, withKind } from './findings';
import { reduce } from './reduce';
import {
  type Action,
  indexSpec,
  initialView,
  type Limits,
  MAX_HIGHLIGHTED,
  MIN_WINDOW,
  type ViewState,
  visibleWindow,
} from './viewState';

const limits: Limits = { span: ns(1_000_000_000), afterSleep: ns(100_000_000), lanes: 8 };
const window = (start: number, end: number): TimeWindow => ({ start: ns(start), end: ns(end) });
const run = (view: ViewState, ...actions: Action[]): ViewState =>
  actions.reduce((state, action) => reduce(state, action, limits), view);
const at = (view: ViewState, fraction: number): number => {
  const shown = visibleWindow(view, limits);
  return shown.start + fraction * (shown.end - shown.start);
};

describe('zoom', () => {
  it('keeps the instant below the pointer where it is', () => {
    let view = initialView;
    const instant = at(view, 0.3);
    for (let step = 0; step < 70; step += 1) {
      view = run(view, { type: 'zoom', at: ns(instant), factor: 0.8 });
      expect(at(view, 0.3)).toBeCloseTo(instant, 0);
    }
    expect(at(view, 1) - at(view, 0)).toBeCloseTo(MIN_WINDOW, 3);
  });

  it('ends at the whole trace, and stays in it', () => {
    const view = run(initialView, { type: 'zoom', at: ns(5e8), factor: 0.1 });
    expect(view.window).toEqual(window(4.5e8, 5.5e8));
    expect(run(view, { type: 'zoom', at: ns(5e8), factor: 50 }).window).toBeNull();
    const edge = run(initialView, { type: 'zoom', at: ns(0), factor: 0.1 }, { type: 'zoom', at: ns(9e7), factor: 2 });
    expect(edge.window).toEqual(window(0, 2e8));
  });

  it('does nothing to the whole trace when zooming out', () => {
    expect(run(initialView, { type: 'zoom', at: ns(5e8), factor: 2 })).toBe(initialView);
  });
});

describe('pan', () => {
  it('moves and stops at the ends, keeping the width', () => {
    const view = run(initialView, { type: 'showWindow', window: window(1e8, 2e8) });
    expect(run(view, { type: 'pan', by: ns(5e7) }).window).toEqual(window(1.5e8, 2.5e8));
    expect(run(view, { type: 'pan', by: ns(-9e9) }).window).toEqual(window(0, 1e8));
    expect(run(view, { type: 'pan', by: ns(9e9) }).window).toEqual(window(9e8, 1e9));
  });

  it('moves by less than a nanosecond until it settles', () => {
    const view = run(initialView, { type: 'showWindow', window: window(1000, 2000) });
    const moved = run(view, { type: 'pan', by: ns(0.3) }, { type: 'pan', by: ns(0.3) });
    expect(moved.window?.start).toBeCloseTo(1000.6);
    expect(run(moved, { type: 'settle' }).window).toEqual(window(1001, 2001));
  });
});

describe('after sleep', () => {
  it('starts the whole trace at the exit of the sleep, and keeps windows out of it', () => {
    const view = run(initialView, { type: 'afterSleep', on: true });
    expect(visibleWindow(view, limits)).toEqual(window(1e8, 1e9));
    expect(run(view, { type: 'showWindow', window: window(0, 2e8) }).window).toEqual(window(1e8, 3e8));
    const early = run(initialView, { type: 'showWindow', window: window(0, 2e8) });
    expect(run(early, { type: 'afterSleep', on: true }).window).toEqual(window(1e8, 3e8));
  });

  it('changes nothing on a trace without a sleep', () => {
    const view = reduce(initialView, { type: 'afterSleep', on: true }, { ...limits, afterSleep: null });
    expect(visibleWindow(view, { ...limits, afterSleep: null }).start).toBe(0);
  });
});

describe('reveal', () => {
  const zoomedIn = run(initialView, { type: 'showWindow', window: window(0, 1e6) });

  it('only selects what can be seen already', () => {
    const view = run(zoomedIn, { type: 'reveal', selection: { cpu: 1, start: ns(5e5) }, end: ns(6e5) });
    expect(view.window).toEqual(zoomedIn.window);
    expect(view.selection).toEqual({ cpu: 1, start: 5e5 });
  });

  it('moves without zooming when the interval is a good part of the window', () => {
    const view = run(zoomedIn, { type: 'reveal', selection: { cpu: 1, start: ns(5e7) }, end: ns(5.01e7) });
    expect(view.window).toEqual(window(49_550_000, 50_550_000));
  });

  it('zooms in to what is too small to see, out to what is too long', () => {
    const small = run(initialView, { type: 'reveal', selection: { cpu: 1, start: ns(5e8) }, end: ns(5e8 + 1000) });
    expect(visibleWindow(small, limits)).toEqual(window(5e8 - 9500, 5e8 + 10_500));
    const long = run(zoomedIn, { type: 'reveal', selection: { cpu: 1, start: ns(1e8) }, end: ns(1.1e8) });
    expect(visibleWindow(long, limits)).toEqual(window(5e6, 2.05e8));
  });
});

describe('events', () => {
  const zoomedIn = run(initialView, { type: 'showWindow', window: window(0, 1e6) });
  const event = { cpu: 1, at: ns(5e8) };

  it('keep the zoom, and the window when they are in it', () => {
    const seen = run(zoomedIn, { type: 'showEvent', event: { cpu: 1, at: ns(7e5) }, selection: null });
    expect(seen).toEqual({ ...zoomedIn, event: { cpu: 1, at: 7e5 } });
    const moved = run(zoomedIn, { type: 'showEvent', event, selection: { cpu: 1, start: ns(4.9e8) } });
    expect(moved.window).toEqual(window(499_500_000, 500_500_000));
    expect(moved).toMatchObject({ event, selection: { cpu: 1, start: 4.9e8 } });
    expect(run(moved, { type: 'showEvent', event, selection: undefined }).selection).toEqual(moved.selection);
  });

  it('stop being current when something else is chosen', () => {
    const shown = run(initialView, { type: 'event', event });
    expect(shown.event).toEqual(event);
    expect(run(shown, { type: 'select', selection: { cpu: 0, start: ns(1) } }).event).toBeNull();
    expect(run(shown, { type: 'reveal', selection: { cpu: 0, start: ns(1) }, end: ns(2) }).event).toBeNull();
    expect(run(shown, { type: 'clear' }).event).toBeNull();
    expect(run(shown, { type: 'event', event: { ...event } })).toBe(shown);
  });

  it('are marked once each, in time order, with notes that can change', () => {
    const later = { cpu: 0, at: ns(6e8), note: 'later' };
    const marked = run(initialView, { type: 'mark', mark: later }, { type: 'mark', mark: { ...event, note: '' } });
    expect(marked.marks.map(({ at: time }) => time)).toEqual([5e8, 6e8]);
    const noted = run(marked, { type: 'note', mark: { ...event, note: 'n'.repeat(99) } });
    expect(noted.marks).toEqual([{ ...event, note: 'n'.repeat(MAX_NOTE) }, later]);
    expect(run(noted, { type: 'unmark', place: event }).marks).toEqual([later]);
  });

  it('are marked as often as a URL can hold', () => {
    let view = initialView;
    for (let index = 0; index < 100; index += 1) {
      view = run(view, { type: 'mark', mark: { cpu: 0, at: ns(index), note: 'a note' } });
    }
    expect(view.marks).toHaveLength(MAX_MARKS);
    expect(run(view, { type: 'mark', mark: { cpu: 0, at: ns(3), note: 'other' } }).marks[3]?.note).toBe('other');
  });

  it('are filtered as a step of the view', () => {
    const view = run(initialView, { type: 'events', change: { open: true, cpus: [1] } });
    expect(view.events).toEqual({ ...initialEvents, open: true, cpus: [1] });
    expect(isFiltered(view.events)).toBe(true);
    expect(run(view, { type: 'events', change: { cpus: [1] } })).toBe(view);
    expect(unfiltered(view.events)).toEqual({ ...initialEvents, open: true });
    expect(isFiltered(unfiltered(view.events))).toBe(false);
  });
});

describe('the rest', () => {
  it('orders and cuts a range', () => {
    expect(run(initialView, { type: 'range', range: window(500.4, -3) }).range).toEqual(window(0, 500));
    expect(run(initialView, { type: 'range', range: window(5, 5) }).range).toBeNull();
  });

  it('keeps lanes on the screen', () => {
    expect(run(initialView, { type: 'lanes', scale: 2, scroll: 100 })).toMatchObject({ laneScale: 2, laneScroll: 4 });
    expect(run(initialView, { type: 'lanes', scale: 0.1, scroll: 3 })).toBe(initialView);
  });

  it('bounds the highlighted commands', () => {
    let view = initialView;
    for (let index = 0; index < MAX_HIGHLIGHTED + 5; index += 1) {
      view = run(view, { type: 'toggleHighlight', comm: `c${index}` });
    }
    expect(view.highlighted).toHaveLength(MAX_HIGHLIGHTED);
    expect(run(view, { type: 'toggleHighlight', comm: 'c0' }).highlighted).not.toContain('c0');
  });

  it('lets chosen commands stand out before the target', () => {
    const target = run(initialView, { type: 'target', target: 'ba' });
    expect(target.colour).toBe('target');
    expect(indexSpec(target).highlight).toEqual({ kind: 'prefix', prefix: 'ba' });
    expect(indexSpec(run(target, { type: 'toggleHighlight', comm: 'x' })).highlight).toEqual({
      kind: 'comms',
      comms: ['x'],
    });
    expect(indexSpec(run(target, { type: 'colour', colour: 'pid' })).highlight).toEqual({ kind: 'none' });
  });

  it('clears', () => {
    const view = run(
      initialView,
      { type: 'select', selection: { cpu: 0, start: ns(1) } },
      { type: 'toggleHighlight', comm: 'x' },
      { type: 'range', range: window(1, 2) },
      { type: 'clear' },
    );
    expect(view).toEqual({ ...initialView, tab: 'range' });
  });
});

describe('the details', () => {
  const selection = { cpu: 1, start: ns(5e8) };

  it('tell of what was selected or chosen last', () => {
    let view = run(initialView, { type: 'select', selection });
    expect(view.tab).toBe('selection');
    view = run(view, { type: 'range', range: window(1, 2) });
    expect(view.tab).toBe('range');
    // A range that follows the hand is still what the open tab is of.
    view = run(view, { type: 'tab', tab: 'relations' }, { type: 'range', range: window(1, 3), keepsTab: true });
    expect([view.tab, view.range?.end]).toEqual(['relations', 3]);
    view = run(view, { type: 'tab', tab: 'findings' }, { type: 'select', selection });
    expect(view.tab).toBe('findings');
    expect(run(view, { type: 'reveal', selection, end: ns(6e8) }).tab).toBe('selection');
    expect(run(view, { type: 'clear' }).tab).toBe('findings');
    const event = { cpu: 1, at: ns(5e8) };
    expect(run(view, { type: 'showEvent', event, selection }).tab).toBe('findings');
    expect(run(view, { type: 'showEvent', event, selection: { cpu: 2, start: ns(5e8) } }).tab).toBe('selection');
  });

  it('stay with the list, on the way from finding to finding and along a cascade', () => {
    const interval = window(4e8, 4.3e8);
    let view = run(initialView, { type: 'toggleHighlight', comm: 'x' });
    view = run(view, { type: 'showFinding', interval, selection, highlighted: [], arrows: 'cascade' });
    expect(view).toMatchObject({ tab: 'findings', selection, range: interval, highlighted: [], arrows: 'cascade' });
    expect(view.window).toEqual(window(3.7e8, 4.6e8));
    view = run(view, { type: 'reveal', selection: { cpu: 2, start: ns(4.2e8) }, end: ns(4.21e8), along: 'cascade' });
    expect(view).toMatchObject({ tab: 'findings', selection: { cpu: 2 }, arrows: 'cascade' });
    expect(run(view, { type: 'select', selection })).toMatchObject({ tab: 'selection', arrows: 'chain' });
  });

  it('show short findings and those at the ends of the trace', () => {
    const show = (interval: TimeWindow): ViewState =>
      run(initialView, { type: 'showFinding', interval, selection: null, highlighted: ['x'], arrows: 'chain' });
    expect(show(window(5e8, 5e8 + 9)).window).toEqual(window(5e8 - 334, 5e8 + 668));
    expect(show(window(0, 1e8))).toMatchObject({ window: window(0, 3e8), highlighted: ['x'] });
    expect(show(window(1e8, 9e8)).window).toBeNull();
  });
});

describe('the kinds of findings that are listed', () => {
  it('are all when none in particular is wanted', () => {
    expect(withKind([], 'wait')).toEqual(['wait']);
    expect(withKind(['wait'], 'overload')).toEqual(['overload', 'wait']);
    expect(withKind(['wait'], 'wait')).toEqual([]);
    expect(withKind(FINDING_KINDS.slice(1), 'overload')).toEqual([]);
  });
});
