import { expect, test } from 'vitest';
import { type Ns, ns } from '../../base/units';
import type { CommandRow } from '../../engine/protocol';
import { comparedRows, ratioInWords } from './rows';

const row = (comm: string, execution_ns: number): CommandRow => ({
  comm,
  comm_id: 0,
  first: ns(0) as Ns,
  last: ns(1) as Ns,
  execution_ns,
  waiting_ns: 2 * execution_ns,
  switches_to: 1,
  pids: 1,
});

test('every command of either trace has a row, with 0 where it did not run', () => {
  const rows = comparedRows([row('a', 10), row('b', 4)], [row('b', 6), row('c', 1)], 'waiting_ns');
  expect(rows).toEqual([
    { comm: 'a', first: 20, other: 0, difference: -20 },
    { comm: 'b', first: 8, other: 12, difference: 4 },
    { comm: 'c', first: 0, other: 2, difference: 2 },
  ]);
});

test('ratios are of the other to the first', () => {
  expect(ratioInWords(4, 5)).toBe('×1.25');
  expect(ratioInWords(1, 1234)).toBe('×1234');
  expect(ratioInWords(1000, 3)).toBe('×0.0030');
  expect(ratioInWords(0, 3)).toBe('new');
  expect(ratioInWords(3, 0)).toBe('gone');
  expect(ratioInWords(0, 0)).toBe('–');
});
