/** Points of a scatter. Pure. */

/** The index of the point nearest to a place; null: none is within reach. */
export function nearestPoint(
  points: readonly { readonly x: number; readonly y: number }[],
  x: number,
  y: number,
  reach: number,
): number | null {
  let best: number | null = null;
  let least = reach * reach;
  for (const [index, point] of points.entries()) {
    const distance = (point.x - x) ** 2 + (point.y - y) ** 2;
    if (distance <= least) {
      least = distance;
      best = index;
    }
  }
  return best;
}
