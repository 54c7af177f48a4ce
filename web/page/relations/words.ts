/** What the tab of relations says of ends and distances, and in which order axes stand. Pure. */
import type { EndSum, Matrix, MatrixCell, Reach, RelationEnd } from '../../engine/protocol';
import { taskName } from '../words';

/** What an end is called. */
export function endText({ kind, comm, pid, cpu }: RelationEnd): string {
  switch (kind) {
    case 'command':
      return comm ?? '';
    case 'task':
      return taskName(comm ?? '', pid ?? 0);
    case 'cpu':
      return `CPU ${cpu}`;
    case 'hardirq':
      return '(hardirq)';
    case 'softirq':
      return '(softirq)';
    case 'idle':
      return '(idle)';
    case 'unknown':
      return '(not known)';
    case 'others':
      return '(others)';
  }
}

/** What identifies an end among those of an answer. */
export const endId = ({ kind, comm, pid, generation, cpu }: RelationEnd): string =>
  [kind, comm, pid, generation, cpu].map((part) => part ?? '').join('/');

/** The commands that ends are, to be highlighted. */
export const commsOf = (ends: readonly RelationEnd[]): readonly string[] => [
  ...new Set(ends.flatMap(({ comm }) => (comm === null ? [] : [comm]))),
];

export const REACH_TEXTS: Readonly<Record<Reach, string>> = {
  cpu: 'the same CPU',
  core: 'another thread of the core',
  llc: 'the same last-level cache',
  socket: 'the same socket',
  machine: 'another socket',
  other: 'another CPU',
  unknown: 'unknown',
};

/** A matrix whose axes are in the order of CPUs, if they are CPUs. */
export function inOrder(matrix: Matrix): Matrix {
  const [from, rows] = ordered(matrix.from);
  const [to, columns] = ordered(matrix.to);
  const cells = matrix.cells.map(
    (cell): MatrixCell => ({ ...cell, from: rows[cell.from] ?? cell.from, to: columns[cell.to] ?? cell.to }),
  );
  return { from, to, cells };
}

/** The ends in order, and the new place of each. */
function ordered(ends: readonly EndSum[]): [EndSum[], number[]] {
  const number = ({ end }: EndSum): number => end.cpu ?? Number.MAX_SAFE_INTEGER;
  const isOfCpus = ends.some(({ end }) => end.kind === 'cpu');
  const order = ends.map((_, place) => place);
  if (isOfCpus) order.sort((a, b) => number(ends[a] as EndSum) - number(ends[b] as EndSum) || a - b);
  const places: number[] = [];
  order.forEach((old, place) => {
    places[old] = place;
  });
  return [order.map((old) => ends[old] as EndSum), places];
}

/** How strongly a cell is coloured, from 0 to 1: by the logarithm of its value, so that small ones can be seen. */
export const strength = (value: number, most: number): number =>
  value <= 0 || most <= 0 ? 0 : Math.min(1, 0.12 + (0.88 * Math.log1p(value)) / Math.log1p(most));
