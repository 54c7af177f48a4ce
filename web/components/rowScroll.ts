/**
 * Scrolling through more rows than an element can be high: browsers stop at some 17 to 33 million pixels, which is a
 * million rows. Pure arithmetic, in CSS pixels.
 *
 *     offset      0 ........................................ rows · rowHeight - viewport     where the rows are: exact
 *     scrollTop   0 ................... elementHeight - viewport                            what the browser has
 *
 * Both are the same near either end; in the middle a pixel of `scrollTop` stands for several of `offset`. Wheels, keys
 * and fingers move by pixels of `offset` all the same; only a dragged scroll bar jumps.
 */

export interface RowGeometry {
  readonly rows: number;
  readonly rowHeight: number;
  /** Height of what is visible. */
  readonly viewport: number;
}

/** The position of the rows, and the scroll position of the element. */
export interface RowPosition {
  readonly offset: number;
  readonly scrollTop: number;
}

/** The greatest height of an element, well below the limit of any browser. */
const MAX_HEIGHT = 8_000_000;
/** Up to this distance from either end a pixel is a pixel, so that a wheel can always reach the end. */
const EDGE = 200_000;

const contentHeight = ({ rows, rowHeight }: RowGeometry): number => rows * rowHeight;

export const elementHeight = (geometry: RowGeometry): number => Math.min(contentHeight(geometry), MAX_HEIGHT);

/** The greatest offset. */
export const lastOffset = (geometry: RowGeometry): number => Math.max(0, contentHeight(geometry) - geometry.viewport);

const lastScrollTop = (geometry: RowGeometry): number => Math.max(0, elementHeight(geometry) - geometry.viewport);

/** How many pixels of `offset` a pixel of `scrollTop` stands for in the middle. */
function stretch(geometry: RowGeometry): number {
  return contentHeight(geometry) <= MAX_HEIGHT
    ? 1
    : (lastOffset(geometry) - 2 * EDGE) / (lastScrollTop(geometry) - 2 * EDGE);
}

export function offsetOf(geometry: RowGeometry, scrollTop: number): number {
  const last = lastScrollTop(geometry);
  const top = Math.min(Math.max(0, scrollTop), last);
  const factor = stretch(geometry);
  if (factor === 1 || top <= EDGE) {
    return top;
  }
  return top >= last - EDGE ? lastOffset(geometry) - (last - top) : EDGE + (top - EDGE) * factor;
}

export function scrollTopOf(geometry: RowGeometry, offset: number): number {
  const last = lastOffset(geometry);
  const at = clampOffset(geometry, offset);
  const factor = stretch(geometry);
  if (factor === 1 || at <= EDGE) {
    return at;
  }
  return at >= last - EDGE ? lastScrollTop(geometry) - (last - at) : EDGE + (at - EDGE) / factor;
}

export const clampOffset = (geometry: RowGeometry, offset: number): number =>
  Math.min(Math.max(0, offset), lastOffset(geometry));

/** The element was scrolled: by hand if it was a step, with the scroll bar if it was a jump. */
export function scrolled(geometry: RowGeometry, before: RowPosition, scrollTop: number): RowPosition {
  const by = scrollTop - before.scrollTop;
  const isStep = stretch(geometry) > 1 && Math.abs(by) <= geometry.viewport;
  return { scrollTop, offset: isStep ? clampOffset(geometry, before.offset + by) : offsetOf(geometry, scrollTop) };
}

/** The rows that are at least partly visible, `[first, end)`. */
export function visibleRows(
  { rows, rowHeight, viewport }: RowGeometry,
  offset: number,
): { first: number; end: number } {
  const first = Math.max(0, Math.floor(offset / rowHeight));
  return { first, end: Math.min(rows, Math.ceil((offset + viewport) / rowHeight)) };
}

/** The offset nearest to `offset` at which a row is wholly visible. */
export function offsetToShow(geometry: RowGeometry, offset: number, row: number): number {
  const top = row * geometry.rowHeight;
  const lowest = top + geometry.rowHeight - geometry.viewport;
  return clampOffset(geometry, Math.min(Math.max(offset, lowest), top));
}

/**
 * The row to which a key leads from a row; null: nowhere. `page`: how many rows a page has. `top`: the first row in
 * sight, from which keys start when there is no row.
 */
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
