import { describe, expect, it } from 'vitest';
import { ns } from '../../base/units';
import { reduce } from '../../state/reduce';
import { type Action, initialView, type Limits } from '../../state/viewState';
import { changedLayers } from './drawnView';

const limits: Limits = { span: ns(1_000_000_000), afterSleep: ns(100_000_000), lanes: 8 };
const window = { start: ns(1e6), end: ns(2e6) };
const selection = { cpu: 1, start: ns(5e8) };
const event = { cpu: 1, at: ns(5e8) };

const layersAfter = (action: Action) => changedLayers(initialView, reduce(initialView, action, limits));

const lists: readonly Action[] = [
  { type: 'events', change: { open: true, cpus: [1] }, typing: true },
  { type: 'tab', tab: 'relations' },
  { type: 'table', table: 'cpus' },
  { type: 'findings', change: { kinds: ['wait'] } },
  { type: 'latency', change: {} },
  { type: 'schedExt', change: {} },
  { type: 'pairs', change: {} },
  { type: 'relations', change: {} },
  { type: 'calls', change: { names: 'op', errors: true }, typing: true },
];
const drawn: readonly Action[] = [
  { type: 'zoom', at: ns(5e8), factor: 0.5 },
  { type: 'showWindow', window },
  { type: 'select', selection },
  { type: 'reveal', selection, end: ns(6e8) },
  { type: 'range', range: window },
  { type: 'colour', colour: 'load' },
  { type: 'target', target: 'ba' },
  { type: 'toggleHighlight', comm: 'x' },
  { type: 'forked', on: true },
  { type: 'afterSleep', on: true },
  { type: 'cpus', cpus: [1] },
  { type: 'lanes', scale: 2, scroll: 0 },
  { type: 'counter', counter: 'sched:sched_switch:prev_prio' },
  { type: 'event', event },
  { type: 'mark', mark: { ...event, note: '' } },
  { type: 'arrows', arrows: 'cascade' },
  { type: 'showFinding', interval: window, selection, highlighted: [], arrows: 'chain' },
  { type: 'tasks', change: { comms: ['x'] } },
  { type: 'taskLanes', pitch: 40, scroll: 0 },
  { type: 'calls', change: { hidden: ['irqs'] } },
  { type: 'topology', change: { moves: false } },
  { type: 'timeMark', name: 'a', at: ns(5) },
  { type: 'depth', on: true },
  { type: 'recall', view: { ...initialView, tab: 'range', window } },
];

describe('a change of the view', () => {
  it.each(lists)('redraws nothing where only lists of the page change: $type', (action) => {
    expect(reduce(initialView, action, limits)).not.toBe(initialView);
    expect(layersAfter(action)).toEqual([]);
  });

  it.each(drawn)('redraws everything where panes may change: $type', (action) => {
    expect(layersAfter(action)).toEqual(['window']);
  });

  it('redraws what shows which events pass the filter', () => {
    const filtered = reduce(initialView, { type: 'filter', filter: 'x' }, limits);
    expect(changedLayers(initialView, filtered)).toEqual(['request', 'overlay', 'overview']);
    expect(changedLayers(initialView, { ...filtered, window })).toEqual(['window']);
  });
});
