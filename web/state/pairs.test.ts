import { expect, it } from 'vitest';
import {
  formatOwnPair,
  formatPairs,
  initialPairs,
  MAX_OWN_PAIR,
  NO_PAIR,
  parseOwnPair,
  parsePairs,
  withPairs,
} from './pairs';

it('a pair of a user comes back from its text', () => {
  const pairs = [
    { ...NO_PAIR, start: 'irq:softirq_entry[vec == 1]', end: 'irq:softirq_exit', key: 'vec,cpu' },
    { ...NO_PAIR, start: 'sched_waking', value: 'prio' },
    { ...NO_PAIR, start: 'a:b', end: 'c', key: 'x=y', again: 'nest' as const },
  ];
  for (const pair of pairs) expect(parseOwnPair(formatOwnPair(pair))).toEqual(pair);
  expect(formatOwnPair(null)).toBe('');
});

it('other texts are no pair', () => {
  for (const text of [
    '',
    '\nb\nc',
    'a\nb\nc\nd\ne\noften',
    'a\nb\nc\nd\ne\nlast\nmore',
    'x'.repeat(MAX_OWN_PAIR + 1),
  ]) {
    expect(parseOwnPair(text)).toBeNull();
  }
});

it('words come back, and others are refused', () => {
  const views = [
    { by: 'group', span: 'trace' },
    { by: 'cpu', span: 'window' },
    { by: 'task', span: 'trace' },
  ] as const;
  for (const view of views.slice(1)) expect(parsePairs(formatPairs(view))).toEqual(view);
  expect(formatPairs(initialPairs)).toBe('');
  expect(parsePairs('cpu,always')).toBeNull();
});

it('another pair has other groups', () => {
  const view = { ...initialPairs, pair: 'softirq', group: 'TIMER' };
  expect(withPairs(view, { span: 'window' }).group).toBe('TIMER');
  expect(withPairs(view, { pair: 'irq' }).group).toBeNull();
  expect(withPairs(view, { by: 'cpu', group: '3' }).group).toBe('3');
});
