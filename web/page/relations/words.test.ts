import { expect, test } from 'vitest';
import type { EndSum, Matrix, RelationEnd } from '../../engine/protocol';
import { commsOf, endText, inOrder, strength } from './words';

const nothing = { comm: null, pid: null, generation: null, cpu: null } as const;
const cpu = (number: number): EndSum => ({ end: { ...nothing, kind: 'cpu', cpu: number }, count: 1, ns: 1 });

test('ends are called what they are', () => {
  const ends: RelationEnd[] = [
    { ...nothing, kind: 'command', comm: 'make' },
    { ...nothing, kind: 'task', comm: 'make', pid: 7, generation: 0 },
    { ...nothing, kind: 'cpu', cpu: 0 },
    { ...nothing, kind: 'hardirq' },
  ];
  expect(ends.map(endText)).toEqual(['make', 'make 7', 'CPU 0', '(hardirq)']);
  expect(commsOf(ends)).toEqual(['make']);
});

test('axes of CPUs are in the order of CPUs, and their cells go with them', () => {
  const others: EndSum = { end: { ...nothing, kind: 'others' }, count: 1, ns: 1 };
  const cell = { count: 1, ns: 1, behind_ns: 0, longest_ns: 1, run: null };
  const matrix: Matrix = {
    from: [cpu(9), cpu(2), others],
    to: [cpu(5), cpu(1)],
    cells: [
      { ...cell, from: 0, to: 1 },
      { ...cell, from: 2, to: 0 },
    ],
  };
  const found = inOrder(matrix);
  expect(found.from.map(({ end }) => endText(end))).toEqual(['CPU 2', 'CPU 9', '(others)']);
  expect(found.to.map(({ end }) => endText(end))).toEqual(['CPU 1', 'CPU 5']);
  expect(found.cells.map(({ from, to }) => [from, to])).toEqual([
    [1, 0],
    [2, 1],
  ]);
});

test('the smallest value can be seen, the largest is full', () => {
  expect(strength(0, 100)).toBe(0);
  expect(strength(1, 1e9)).toBeGreaterThan(0.12);
  expect(strength(1e9, 1e9)).toBe(1);
});
