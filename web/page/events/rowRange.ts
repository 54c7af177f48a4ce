/** The current row of a list, and the rows from where Shift was pressed to it. Pure. */

export interface RowRange {
  /** The current row. */
  readonly active: number;
  /** Where the range begins: the other end of it. */
  readonly anchor: number;
}

/** `extend`: the range keeps its other end, as with Shift. */
export function rangeTo(range: RowRange | null, row: number, extend: boolean): RowRange {
  return { active: row, anchor: extend && range ? range.anchor : row };
}

/** Rows `[first, end)`. */
export const rowsOf = ({ active, anchor }: RowRange): { first: number; end: number } => ({
  first: Math.min(active, anchor),
  end: Math.max(active, anchor) + 1,
});

/** Where a key leads from a row; null: it leads nowhere. `page`: rows of a page. `top`: the first row in sight, where it begins. */
export function rowAfterKey(key: string, row: number | null, rows: number, page: number, top: number): number | null {
  const from = row ?? top;
  const step = row === null ? 0 : 1;
  const target = new Map([
    ['ArrowUp', from - step],
    ['ArrowDown', from + step],
    ['PageUp', from - page],
    ['PageDown', from + page],
    ['Home', 0],
    ['End', rows - 1],
  ]).get(key);
  return target === undefined || rows === 0 ? null : Math.min(Math.max(0, target), rows - 1);
}
