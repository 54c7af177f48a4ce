import { describe, expect, it } from 'vitest';
import { ns } from '../../base/units';
import type { Finding, Violation } from '../../engine/protocol';
import { reduce } from '../../state/reduce';
import { initialView, type Limits, type ViewState } from '../../state/viewState';
import {
  countByKind,
  ofKinds,
  overloadFinding,
  overloadsOnly,
  ranked,
  selectionOf,
  showing,
  shownIndex,
} from './findingsList';

const limits: Limits = { span: ns(1e9), afterSleep: ns(1e8), lanes: 4 };

const finding = (kind: Finding['kind'], start: number, change: Partial<Finding> = {}): Finding => ({
  kind,
  cost_ns: 1000,
  start_ns: ns(start),
  end_ns: ns(start + 1000),
  cpu: 1,
  cpus: [],
  count: 1,
  comm: 'a',
  tasks: [],
  run: { cpu: 1, start_ns: ns(start + 1000) },
  folded: 0,
  uncertain: false,
  ...change,
});

const show = (view: ViewState, shown: Finding): ViewState => reduce(view, showing(shown), limits);

describe('the list of findings', () => {
  const list = [finding('wait', 5e6), finding('latency', 5e6), finding('gap', 7e6, { run: null, cpu: null })];

  it('knows which of them is on the screen', () => {
    expect(shownIndex(list, initialView, null)).toBe(-1);
    for (const [index, each] of list.entries()) {
      expect(shownIndex(list, show(initialView, each), each)).toBe(index);
    }
    // Two findings have the same time and run: unless one was visited before, the first one is meant.
    const latency = list[1] as Finding;
    expect(shownIndex(list, show(initialView, latency), null)).toBe(0);
    const elsewhere = reduce(show(initialView, latency), { type: 'clear' }, limits);
    expect(shownIndex(list, elsewhere, latency)).toBe(-1);
  });

  it('keeps a cascade current along its moves', () => {
    const cascade = finding('cascade', 9e6);
    const view = show(initialView, cascade);
    const step = { cpu: 2, start: ns(9_000_500) };
    const along = reduce(view, { type: 'reveal', selection: step, end: ns(9_000_700), along: 'cascade' }, limits);
    expect(along.selection).toEqual(step);
    expect(shownIndex([cascade], along, cascade)).toBe(0);
    expect(view.arrows).toBe('cascade');
  });

  it('puts findings of two lists in one order, the costliest first', () => {
    const costs = (kind: Finding['kind'], ...of: number[]) => of.map((cost_ns, i) => finding(kind, i, { cost_ns }));
    const some = [...costs('wait', 100, 90, 80), ...costs('preemption', 500)];
    const calls = [...costs('call_blocked', 95, 30), finding('call_wait', 9, { cost_ns: 1000, uncertain: true })];
    const order = ranked(some, calls).map(({ kind, cost_ns }) => `${kind} ${cost_ns}`);
    expect(order).toEqual([
      'wait 100',
      'call_blocked 95',
      'wait 90',
      'wait 80',
      'call_blocked 30',
      'preemption 500',
      'call_wait 1000',
    ]);
    expect(ranked(some, [])).toBe(some);
  });

  it('lists kinds and counts them', () => {
    expect(ofKinds(list, [])).toBe(list);
    expect(ofKinds(list, ['gap', 'wait']).map(({ kind }) => kind)).toEqual(['wait', 'gap']);
    expect([...countByKind([...list, finding('gap', 1)])]).toEqual([
      ['wait', 1],
      ['latency', 1],
      ['gap', 2],
    ]);
    expect([overloadsOnly([]), overloadsOnly(['overload']), overloadsOnly(['overload', 'gap'])]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('is of what the view shows', () => {
    expect(selectionOf(initialView, limits)).toMatchObject({ window: null, forked: false, target: null });
    const view: ViewState = { ...initialView, forked: true, afterSleep: true, colour: 'target', target: 'ua' };
    expect(selectionOf(view, limits)).toMatchObject({ window: { start: 1e8, end: 1e9 }, forked: true, target: 'ua' });
    expect(selectionOf({ ...view, colour: 'pid' }, limits).target).toBeNull();
    const within = { start: ns(2e8), end: ns(3e8) };
    const part = { ...view, findings: { ...view.findings, within, movable: true } };
    expect(selectionOf(part, limits)).toMatchObject({ window: within, movable: true });
  });

  it('takes in the intervals of an overload report', () => {
    const task = { pid: 7, generation: 0, comm: 'b' };
    const run = { cpu: 3, start_ns: ns(1900) };
    const violation: Violation = {
      start_ns: ns(1000),
      end_ns: ns(2000),
      duration_ns: 1000,
      cost_task_ns: 1500,
      waiting_max: 2,
      tasks: [{ ...task, waited_ns: 900, run }],
      tasks_total: 1,
      idle_cpus: [
        { cpu: 0, idle_ns: 10 },
        { cpu: 2, idle_ns: 1000 },
      ],
      uncertain: true,
    };
    expect(overloadFinding(violation)).toMatchObject({
      kind: 'overload',
      cost_ns: 1500,
      cpu: 2,
      cpus: [2, 0],
      run,
      uncertain: true,
    });
  });
});
