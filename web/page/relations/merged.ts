/** A matrix of more CPUs than have room: several are one row or column, and their cells one, with their sum. Pure. */
import { formatCpuList } from '../../base/cpuList';
import type { EndSum, Matrix, MatrixCell } from '../../engine/protocol';
import { endText } from './words';

/** A row or column: what it stands for, in its order. */
export interface Line {
  readonly name: string;
  readonly ends: readonly EndSum[];
}

export interface MergedCell extends MatrixCell {
  /** The one of its cells that has the longest, which is gone to. */
  readonly longest: MatrixCell;
}

export interface MergedMatrix {
  readonly from: readonly Line[];
  readonly to: readonly Line[];
  /** Places are those of the lines. */
  readonly cells: readonly MergedCell[];
}

/** `block`: how many CPUs in a row are one line; other ends stay alone. */
export function merged({ from, to, cells }: Matrix, block: number): MergedMatrix {
  const [rows, rowOf] = linesOf(from, block);
  const [columns, columnOf] = linesOf(to, block);
  const sums = new Map<number, MergedCell>();
  for (const cell of cells) {
    const [row, column] = [rowOf[cell.from] ?? 0, columnOf[cell.to] ?? 0];
    const place = row * columns.length + column;
    const sum = sums.get(place);
    sums.set(place, sum ? together(sum, cell) : { ...cell, from: row, to: column, longest: cell });
  }
  return { from: rows, to: columns, cells: [...sums.values()] };
}

const together = (sum: MergedCell, cell: MatrixCell): MergedCell => ({
  ...sum,
  count: sum.count + cell.count,
  ns: sum.ns + cell.ns,
  behind_ns: sum.behind_ns + cell.behind_ns,
  longest_ns: Math.max(sum.longest_ns, cell.longest_ns),
  longest: cell.longest_ns > sum.longest_ns ? cell : sum.longest,
});

/** The lines of an axis, and the line of each end. */
function linesOf(ends: readonly EndSum[], block: number): [Line[], number[]] {
  const groups: EndSum[][] = [];
  const lineOf = ends.map((end) => {
    const last = groups.at(-1);
    const isMore = last && last.length < block && end.end.kind === 'cpu' && last[0]?.end.kind === 'cpu';
    if (isMore) last.push(end);
    else groups.push([end]);
    return groups.length - 1;
  });
  return [groups.map((group) => ({ name: nameOf(group), ends: group })), lineOf];
}

function nameOf(ends: readonly EndSum[]): string {
  const [only, ...others] = ends;
  if (only && others.length === 0) return endText(only.end);
  return `CPUs ${formatCpuList(ends.flatMap(({ end }) => end.cpu ?? []))}`;
}
