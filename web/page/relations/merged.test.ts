import { expect, test } from 'vitest';
import type { EndSum, Matrix } from '../../engine/protocol';
import { merged } from './merged';

const nothing = { comm: null, pid: null, generation: null, cpu: null } as const;
const cpu = (number: number): EndSum => ({ end: { ...nothing, kind: 'cpu', cpu: number }, count: 1, ns: 1 });
const others: EndSum = { end: { ...nothing, kind: 'others' }, count: 1, ns: 1 };

/** Every third pair of 20 CPUs has a cell, and so has whatever is no CPU. */
const matrix: Matrix = {
  from: [...Array.from({ length: 20 }, (_, i) => cpu(i)), others],
  to: Array.from({ length: 20 }, (_, i) => cpu(2 * i)),
  cells: Array.from({ length: 21 * 20 }, (_, place) => ({
    ...{ from: Math.floor(place / 20), to: place % 20, count: place + 1, ns: 7 * place },
    ...{ behind_ns: place % 11, longest_ns: (place * 31) % 101, run: { cpu: 0, start_ns: place } },
  })).filter(({ from, to }) => (from + to) % 3 === 0) as unknown as Matrix['cells'],
};

test.each([1, 4, 7, 100])('blocks of %i CPUs are one line, and their cells a sum', (block) => {
  const found = merged(matrix, block);
  expect(found.from.flatMap(({ ends }) => ends)).toEqual(matrix.from);
  expect(found.to).toHaveLength(Math.ceil(20 / block));
  expect(found.from).toHaveLength(Math.ceil(20 / block) + 1);
  const blockOf = (place: number): number => (place === 20 ? Math.ceil(20 / block) : Math.floor(place / block));
  for (let row = 0; row < found.from.length; row++) {
    for (let column = 0; column < found.to.length; column++) {
      const there = matrix.cells.filter(({ from, to }) => blockOf(from) === row && blockOf(to) === column);
      const cell = found.cells.find(({ from, to }) => from === row && to === column);
      const sum = (of: (one: Matrix['cells'][number]) => number): number =>
        there.reduce((all, one) => all + of(one), 0);
      expect(cell === undefined).toBe(there.length === 0);
      if (!cell) continue;
      expect(cell).toMatchObject({ count: sum((one) => one.count), ns: sum((one) => one.ns) });
      expect(cell.behind_ns).toBe(sum((one) => one.behind_ns));
      expect(cell.longest_ns).toBe(Math.max(...there.map((one) => one.longest_ns)));
      expect(there).toContain(cell.longest);
      expect(cell.longest.longest_ns).toBe(cell.longest_ns);
    }
  }
});

test('lines say which CPUs they are', () => {
  const { from, to } = merged(matrix, 8);
  expect(from.map(({ name }) => name)).toEqual(['CPUs 0-7', 'CPUs 8-15', 'CPUs 16-19', '(others)']);
  expect(to.map(({ name }) => name)[2]).toBe('CPUs 32,34,36,38');
  expect(merged(matrix, 1).from.at(-2)?.name).toBe('CPU 19');
});
