/** Where task lanes are on the screen: of a fixed height, scrolled when there are more. CSS pixels. */
import { type CssPx, cssPx } from '../../../base/units';
import type { LaneLayout } from '../../frame/laneLayout';

/** `pitch`: of a lane with its gap; `scroll`: the first visible lane. */
export function layoutTaskLanes(count: number, height: CssPx, pitch: number, scroll: number): LaneLayout {
  const hidden = Math.max(0, pitch * count - height);
  return { count, height, pitch: cssPx(pitch), top: cssPx(0 - Math.min(Math.max(0, scroll * pitch), hidden)) };
}

/** The scroll position that shows a lane whole, as near to the present one as can be. */
export function scrollTo(layout: LaneLayout, lane: number): number {
  const first = -layout.top / layout.pitch;
  const shown = layout.height / layout.pitch;
  return Math.max(0, Math.min(lane, Math.max(first, lane + 1 - shown)));
}

/** A half-open range of lanes: those of which something is on the screen. */
export function lanesInSight(layout: LaneLayout): { readonly first: number; readonly end: number } {
  const first = Math.max(0, Math.floor(-layout.top / layout.pitch));
  return { first, end: Math.min(layout.count, Math.ceil((layout.height - layout.top) / layout.pitch)) };
}
