import { expect, it } from 'vitest';
import { ns } from '../../base/units';
import type { PairAnswer } from '../../engine/protocol';
import { chosenPair, doubtsOf, eventsOf, longestTask, pairTasks } from './words';

const times = { sum: 0, min: null, mean: null, p50: null, p90: null, p99: null, p999: null, max: null };
const pair = (name: string, change: Partial<PairAnswer> = {}): PairAnswer => ({
  name,
  start: 'irq:softirq_entry',
  end: 'irq:softirq_exit',
  count: 3,
  unmatched_starts: 0,
  unmatched_ends: 0,
  restarted: 0,
  across_loss: 0,
  ns: { ...times, histogram: [[1024, 3]] },
  groups: [],
  longest: [],
  ...change,
});

it('the chosen pair is shown, or the one that took longest', () => {
  const long = { ...times, sum: 9, histogram: [] };
  const pairs = [pair('irq'), pair('softirq'), pair('idle', { ns: long }), pair('timer')];
  expect(chosenPair(pairs, 'softirq')?.name).toBe('softirq');
  expect(chosenPair(pairs, 'tasklet')?.name).toBe('idle');
  expect(chosenPair([], null)).toBeNull();
});

it('what belongs to no pair is told', () => {
  expect(doubtsOf(pair('softirq'))).toBe('');
  const histogram: [number, number][] = [
    [-2048, 2],
    [-1, 1],
    [0, 1],
  ];
  expect(doubtsOf(pair('hrtimer_late', { unmatched_starts: 1, across_loss: 2, ns: { ...times, histogram } }))).toBe(
    '1 start without an end, 2 pairs across lost events, 3 negative durations (the end came early), not in the histogram',
  );
});

it('single events have no end, and idle has a name', () => {
  expect(eventsOf(pair('irq'))).toBe('irq:softirq_entry → irq:softirq_exit');
  expect(eventsOf(pair('own', { end: null }))).toBe('irq:softirq_entry');
  const longest = { at_ns: ns(5), ns: 3, cpu: 1, pid: 0, comm: 'swapper', group: '' };
  expect(longestTask(longest)).toBe('idle');
  expect(longestTask({ ...longest, pid: 7, comm: 'bash' })).toContain('7');
});

it('tasks are thread ids and beginnings of names', () => {
  expect(pairTasks(' 304, bash,,kworker/0 ')).toEqual({ pids: [304], comms: ['bash', 'kworker/0'] });
  expect(pairTasks('')).toEqual({ pids: [], comms: [] });
});
