import { expect, test } from 'vitest';
import { nothingToShow } from './load';

test.each([
  [0, 0, 'empty'],
  [7, 0, 'no-sched-events'],
])('%i records of which %i are scheduling events: %s', (records, schedEvents, kind) => {
  expect(nothingToShow({ records, schedEvents, cpus: [0, 1] })?.kind).toBe(kind);
});

test('a trace with scheduling events is shown', () => {
  expect(nothingToShow({ records: 7, schedEvents: 1, cpus: [0] })).toBeNull();
});
