import { describe, expect, it } from 'vitest';
import { ns } from '../../base/units';
import { initialEvents, isExpression } from '../../state/events';
import { eventFilter, filterInWords, pidsOf } from './eventFilter';

const summary = {
  tasks: {
    pid: Int32Array.from([0, 10, 11, 200, 10]),
    comm: Uint32Array.from([0, 1, 2, 3, 2]),
    forked: new Uint8Array(5),
  },
  comms: ['swapper/0', 'hackbench', 'hack', 'kworker/0:1'],
};
const nothing = { window: null, cpu: null, pid: null };

describe('tasks', () => {
  it.each([
    ['10', [10]],
    ['77', [77]],
    ['hack', [10, 11]],
    ['hackb', [10]],
    ['kworker', [200]],
    [' 200 , hackb,', [10, 200]],
    ['Hack', []],
    ['<idle>', [0]],
    ['swapper', [0]],
    ['swapper/3', [0]],
  ])('%j are %j', (text, pids) => {
    expect(pidsOf(text, summary)).toEqual(pids);
  });
});

describe('the filter', () => {
  it('lets everything through at first', () => {
    expect(eventFilter(initialEvents, summary, nothing)).toEqual({
      cpus: null,
      pids: null,
      events: null,
      text: '',
      window: null,
    });
  });

  it('lets nothing through when no task is meant', () => {
    expect(eventFilter({ ...initialEvents, task: 'nobody' }, summary, nothing).pids).toEqual([]);
  });

  it('follows only what it is told to', () => {
    const followed = { window: { start: ns(1), end: ns(2) }, cpu: 3, pid: 200 };
    expect(eventFilter(initialEvents, summary, followed)).toMatchObject({ window: null, cpus: null, pids: null });
    const window = { ...initialEvents, followWindow: true };
    expect(eventFilter(window, summary, followed).window).toEqual({ start: 1, end: 2 });
    expect(eventFilter({ ...initialEvents, followSelection: 'cpu' }, summary, followed)).toMatchObject({
      cpus: [3],
      pids: null,
    });
    expect(eventFilter({ ...initialEvents, followSelection: 'task' }, summary, followed)).toMatchObject({
      cpus: null,
      pids: [200],
    });
  });

  it('takes the selection as one more condition, when there is one', () => {
    const events = { ...initialEvents, cpus: [1, 2], followSelection: 'cpu' } as const;
    expect(eventFilter(events, summary, nothing).cpus).toEqual([1, 2]);
    expect(eventFilter(events, summary, { ...nothing, cpu: 2 }).cpus).toEqual([2]);
    expect(eventFilter(events, summary, { ...nothing, cpu: 3 }).cpus).toEqual([]);
  });

  it('tells expressions from texts', () => {
    for (const text of [
      'next_prio < 100',
      'sched_switch: next_prio<100',
      'sched/sched_switch: !(prev_state & 1)',
      'function.function ~ "hr*"',
      '(CPU == 1',
      'comm !~ x',
    ]) {
      expect(isExpression(text), text).toBe(true);
      const filter = eventFilter({ ...initialEvents, text }, summary, nothing);
      expect([filter.text, filter.expression]).toEqual(['', text]);
    }
    for (const text of [
      'ls',
      '==>',
      'bash:1 [120] S ==> swapper',
      'S ==> ls',
      'next_comm=ls',
      'sched_switch: ls',
      '<idle>',
    ]) {
      expect(isExpression(text), text).toBe(false);
      expect(eventFilter({ ...initialEvents, text }, summary, nothing)).toMatchObject({ text });
    }
  });

  it('is said in words', () => {
    const events = { ...initialEvents, cpus: [1, 2], task: 'hack', names: ['sched_switch'], text: '==>' };
    expect(filterInWords(events, eventFilter(events, summary, nothing))).toBe(
      'CPUs 1-2; tasks hack; events sched_switch; text "==>"',
    );
    expect(filterInWords(initialEvents, eventFilter(initialEvents, summary, nothing))).toBe('');
  });
});
