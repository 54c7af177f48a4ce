import type { Ns } from '../../base/units';
import type { EventRow } from '../../engine/protocol';

/**
 * The row of `[first, end)` above which an instant lies. null: it is not among them, or not known.
 */
export function hoverLine(rows: ReadonlyMap<number, EventRow>, first: number, end: number, at: Ns): number | null {
  const last = rows.get(end - 1);
  const top = rows.get(first);
  if (!last || !top || at < top.at || at > last.at) {
    return null;
  }
  let low = first;
  let high = end - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    const row = rows.get(middle);
    if (!row) {
      return null;
    }
    if (row.at < at) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
