import { expect, test } from 'vitest';
import { ns } from '../../base/units';
import { latencyParts } from './latencyParts';

const run = { start: ns(5_000), cpu: 2, waited_since: ns(4_900), wait_cause: 'wakeup' } as const;
const wakeup = { at_ns: ns(225), waker_cpu: 7, chosen_cpu: 2 };

test('the parts of a latency add up to it, and name a remote waker', () => {
  expect(latencyParts(run, wakeup)).toEqual([
    { ns: 4_675, text: 'waking → wakeup: until it was on a runqueue, asked for by CPU 7' },
    { ns: 100, text: 'wakeup → run: waited there' },
  ]);
  expect(latencyParts(run, { ...wakeup, waker_cpu: 2 })[0]?.text).not.toContain('CPU');
});

test('a wait that is the whole latency, or no part of it, has no parts', () => {
  expect(latencyParts({ ...run, waited_since: wakeup.at_ns }, wakeup)).toEqual([]);
  expect(latencyParts({ ...run, wait_cause: 'preempted' }, wakeup)).toEqual([]);
  expect(latencyParts({ ...run, waited_since: null }, wakeup)).toEqual([]);
});
