/** How a table is sorted. */
export interface Sort {
  readonly column: string;
  readonly descending: boolean;
}

/** The order after a click on a column's head: by that column, greatest number or first letter first, or reversed. */
export function nextSort(sort: Sort, column: string, numeric: boolean): Sort {
  return { column, descending: sort.column === column ? !sort.descending : numeric };
}

/** A sorted copy; equal rows keep their order. Texts are compared by code unit, whatever the locale. */
export function sorted<Row>(
  rows: readonly Row[],
  sortBy: (row: Row) => number | string,
  descending: boolean,
): readonly Row[] {
  const sign = descending ? -1 : 1;
  return rows
    .map((row) => ({ row, value: sortBy(row) }))
    .sort((a, b) => (a.value < b.value ? -sign : a.value > b.value ? sign : 0))
    .map(({ row }) => row);
}
