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
