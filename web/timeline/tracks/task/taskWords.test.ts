import { describe, expect, it } from 'vitest';
import { ns } from '../../../base/units';
import type { TaskInterval } from '../../../engine/protocol';
import { stateInWords, taskInWords } from './taskWords';

const interval: TaskInterval = {
  task: 3,
  pid: 42,
  generation: 0,
  state: 'running',
  start: ns(1_500_000_000),
  end: ns(1_500_012_300),
  comm: 'hack',
  cpu: 3,
  letters: 'S',
  throttled: false,
  yielded: false,
  cause: null,
  open: false,
  run: { cpu: 3, start: ns(1_500_000_000) },
};
const words = (change: Partial<TaskInterval>): string =>
  stateInWords({ ...interval, ...change }, { isNs: true }, ns(500_000_000));

describe('a state in words', () => {
  it('says what, where, since when, how long and why', () => {
    expect(words({})).toBe('running on CPU 3 for 12.30 µs since 1.000000000 s, then sleeping (S)');
    expect(words({ letters: 'R+' })).toBe(
      'running on CPU 3 for 12.30 µs since 1.000000000 s, then switched out runnable (R+)',
    );
    expect(words({ letters: null })).toBe('running on CPU 3 for 12.30 µs since 1.000000000 s');
    expect(words({ open: true, letters: null })).toBe(
      'running on CPU 3 for 12.30 µs since 1.000000000 s, until the trace ends',
    );
    expect(words({ state: 'runnable', cause: 'wakeup' })).toBe(
      'runnable, waiting for 12.30 µs since its wakeup at 1.000000000 s, then on CPU 3',
    );
    expect(words({ state: 'runnable', cause: 'preempted', cpu: null, open: true })).toBe(
      'runnable, waiting for 12.30 µs since it was switched out runnable at 1.000000000 s, until the trace ends',
    );
    expect(words({ letters: 'R', yielded: true })).toMatch(/, then it yielded \(R\)$/);
    expect(words({ letters: 'R', throttled: true })).toMatch(/, then throttled \(R\)$/);
    expect(words({ state: 'throttled', letters: 'R' })).toBe(
      'throttled (R) for 12.30 µs since 1.000000000 s: off its runqueue until its next period, and from there to its run',
    );
    expect(words({ state: 'blocked', letters: 'D' })).toBe('blocked (D) for 12.30 µs since 1.000000000 s');
  });

  it('names tasks, and which of those with one PID', () => {
    expect(taskInWords(interval)).toBe('hack 42');
    expect(taskInWords({ ...interval, generation: 2 })).toBe('hack 42.2');
  });
});
