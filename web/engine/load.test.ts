import { expect, test } from 'vitest';
import { nothingToShow } from './load';

test('a trace without events is not shown', () => {
  expect(nothingToShow({ records: 0, cpus: [0, 1] })).toMatchObject({ kind: 'empty', where: null });
});

test('a trace with one event is shown', () => {
  expect(nothingToShow({ records: 1, cpus: [0] })).toBeNull();
});
