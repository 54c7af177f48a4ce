import { expect, it } from 'vitest';
import { endStateInWords, eventCount, sentence } from './words';

it.each([
  ['S', 'Sleeping (S)'],
  ['D', 'Blocked (uninterruptible) (D)'],
  ['R+', 'Preempted, still runnable (R+)'],
  ['R', 'Still runnable: it yielded or was preempted (R)'],
  ['D|K', 'Blocked (uninterruptible), wake-kill (D|K)'],
  ['S+', 'Sleeping, preempted on the way (S+)'],
  ['?', 'State ? (?)'],
  [null, 'Not known'],
])('a run that ended %j', (endState, words) => {
  expect(endStateInWords({ endState, open: false })).toBe(words);
});

it('a run that did not end', () => {
  expect(endStateInWords({ endState: null, open: true })).toBe('Still running when the trace ends');
});

it('makes sentences', () => {
  expect(sentence('a page is cut: 12 bytes left')).toBe('A page is cut: 12 bytes left.');
  expect(sentence('Copy it again.')).toBe('Copy it again.');
  expect(sentence('sched_switch to a task')).toBe('sched_switch to a task.');
});

it('counts what there is to show', () => {
  expect(eventCount({ records: 1200, schedEvents: 1000 })).toBe('1,000 scheduling events');
  expect(eventCount({ records: 1200, schedEvents: 0 })).toBe('1,200 events, none of the scheduler');
});
