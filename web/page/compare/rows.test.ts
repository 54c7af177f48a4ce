import { expect, test } from 'vitest';
import { type Ns, ns } from '../../base/units';
import type { CommandRow } from '../../engine/protocol';
import { comparedRows, foldKernelThreads, namesApart, ratioInWords } from './rows';

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

test('kernel threads of a kind are one row until it is opened', () => {
  const compared = (comm: string, first: number, other: number) => ({ comm, first, other, difference: other - first });
  const rows = [compared('kworker/0:1', 3, 0), compared('make', 5, 9), compared('kworker/u4:2', 0, 4)];
  const lone = compared('ksoftirqd/3', 1, 1);
  expect(foldKernelThreads([...rows, lone], [])).toEqual([
    compared('make', 5, 9),
    { comm: 'kworker/…', first: 3, other: 4, difference: 1 },
    lone,
  ]);
  expect(foldKernelThreads([...rows, lone], ['kworker/…'])).toEqual([...rows, lone]);
});

test('names in the heads of columns show what differs', () => {
  expect(namesApart('barrier32-badplace.dat', 'barrier32-overload.dat')).toEqual(['…badplace', '…overload']);
  expect(namesApart('a.dat', 'b.dat')).toEqual(['a', 'b']);
  expect(namesApart('run.dat', 'run.txt')).toEqual(['run.dat', 'run.txt']);
});

test('ratios are of the other to the first', () => {
  expect(ratioInWords(4, 5)).toBe('×1.25');
  expect(ratioInWords(1, 1234)).toBe('×1234');
  expect(ratioInWords(1000, 3)).toBe('×0.0030');
  expect(ratioInWords(0, 3)).toBe('new');
  expect(ratioInWords(3, 0)).toBe('gone');
  expect(ratioInWords(0, 0)).toBe('–');
});
