/** Which columns a table has, and how wide they are. Pure. */
import type { CopiedColumn } from './tableText';

/** The usual width of a digit in a table, and what is beside a cell's text, in CSS pixels. */
const DIGIT = 7;
const BESIDE = 12;

/**
 * The columns, wide enough for the numbers of these rows, which nothing clips. `widest`: the most letters of each column so far,
 * by its id: columns do not become narrower while rows scroll by.
 */
export function widened<Row, C extends CopiedColumn<Row> & { readonly id: string; readonly width: number }>(
  columns: readonly C[],
  rows: readonly Row[],
  widest: Map<string, number>,
): readonly C[] {
  return columns.map((column) => {
    const { id, width, numeric, copy } = column;
    if (!numeric || !copy) return column;
    const letters = rows.reduce((most, row) => Math.max(most, copy.text(row).length), widest.get(id) ?? 0);
    widest.set(id, letters);
    return { ...column, width: Math.max(width, letters * DIGIT + BESIDE) };
  });
}

/** All columns that must be shown, and as many of the others as fit into a width. */
export function fitting<C extends { readonly width: number; readonly optional?: boolean }>(
  columns: readonly C[],
  width: number,
): readonly C[] {
  let room = width - columns.reduce((sum, column) => sum + (column.optional ? 0 : column.width), 0);
  let isFull = false;
  return columns.filter((column) => {
    if (!column.optional) return true;
    isFull ||= column.width > room;
    room -= column.width;
    return !isFull;
  });
}
