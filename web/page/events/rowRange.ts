/** The current row of a list, and the rows between it and the one where Shift was pressed. Pure. */

export interface RowRange {
  /** The current row. */
  readonly active: number;
  /** The other end of the range, where it began. */
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
