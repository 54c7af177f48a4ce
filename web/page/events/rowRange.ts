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
