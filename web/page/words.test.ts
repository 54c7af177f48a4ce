import { expect, it } from 'vitest';
import { endStateInWords, eventCount, nothingToCount, ordinal, placeInWords, priorityInWords, sentence } from './words';

it.each([
  ['S', 'Sleeping (S)'],
  ['D', 'Blocked (uninterruptible) (D)'],
  ['R+', 'Preempted, still runnable (R+)'],
  ['R', 'Still runnable: it was preempted or gave up its CPU (R)'],
  ['D|K', 'Blocked (uninterruptible), wake-kill (D|K)'],
  ['S+', 'Sleeping, preempted on the way (S+)'],
  ['?', 'State ? (?)'],
  [null, 'Not known'],
])('a run that ended %j', (endState, words) => {
  expect(endStateInWords({ end_state: endState, open: false })).toBe(words);
});

it('a run that ended off the runqueue', () => {
  const words = 'Throttled: off its runqueue until its next period (R)';
  expect(endStateInWords({ end_state: 'R', open: false, throttled: true })).toBe(words);
});

it('a run that ended inside sched_yield', () => {
  const words = 'Yielded: it called sched_yield, still runnable (R)';
  expect(endStateInWords({ end_state: 'R', open: false, yielded: true })).toBe(words);
});

it('a run that did not end', () => {
  expect(endStateInWords({ end_state: null, open: true })).toBe('Still running when the trace ends');
});

it('makes sentences', () => {
  expect(sentence('a page is cut: 12 bytes left')).toBe('A page is cut: 12 bytes left.');
  expect(sentence('Copy it again.')).toBe('Copy it again.');
  expect(sentence('sched_switch to a task')).toBe('sched_switch to a task.');
});

it('leaves addresses as they are', () => {
  expect(placeInWords('http://localhost:8080/a.dat')).toBe('http://localhost:8080/a.dat');
  expect(placeInWords('byte 8,000 (0x1f40)')).toBe('Byte 8,000 (0x1f40).');
});

it('counts what there is to show', () => {
  expect(eventCount({ records: 1200, sched_events: 1000 })).toBe('1,000 scheduling events');
  expect(eventCount({ records: 1200, sched_events: 0 })).toBe('1,200 events, none of the scheduler');
});

it.each([
  [120, 'fair', '120, fair (nice 0)'],
  [100, 'fair', '100, fair (nice -20)'],
  [139, 'fair', '139, fair (nice 19)'],
  [0, 'RT', '0, RT (real-time priority 99)'],
  [98, 'RT', '98, RT (real-time priority 1)'],
  [-1, 'deadline', '-1, deadline'],
  [140, 'idle', '140, idle'],
  [120, null, '120'],
  [null, null, null],
] as const)('priority %j of class %j', (prio, name, words) => {
  expect(priorityInWords({ prio, class: name })).toBe(words);
});

it('counts in order', () => {
  expect([1, 2, 3, 4, 11, 12, 13, 21, 102, 113].map(ordinal)).toEqual([
    '1st',
    '2nd',
    '3rd',
    '4th',
    '11th',
    '12th',
    '13th',
    '21st',
    '102nd',
    '113th',
  ]);
});

it('says why there is nothing to count', () => {
  const file = { records: 1200, sched_events: 0, missing_events: ['sched_switch', 'sched_wakeup'] as const };
  expect(nothingToCount(file)).toBe(
    'This file holds no scheduler events (1,200 events of other kinds). Record with -e sched.',
  );
  expect(nothingToCount({ ...file, sched_events: 200, missing_events: ['sched_switch'] })).toBe(
    'This file holds no sched_switch, so when tasks ran is unknown (200 scheduler events, 1,000 events of other kinds). Record with -e sched.',
  );
  expect(nothingToCount({ ...file, sched_events: 200, missing_events: [] })).toBeNull();
});
