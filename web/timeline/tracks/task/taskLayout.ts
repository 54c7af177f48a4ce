/** Where task lanes are on the screen: they have a fixed height, and scroll if there are more. In CSS pixels. */
import { type CssPx, cssPx } from '../../../base/units';
import type { LaneLayout } from '../../frame/laneLayout';

/** `pitch`: height of a lane with its gap; `scroll`: the first visible lane. */
export function layoutTaskLanes(count: number, height: CssPx, pitch: number, scroll: number): LaneLayout {
  const hidden = Math.max(0, pitch * count - height);
  return { count, height, pitch: cssPx(pitch), top: cssPx(0 - Math.min(Math.max(0, scroll * pitch), hidden)) };
}

/** The scroll position nearest to the present one that shows the whole lane. */
export function scrollTo(layout: LaneLayout, lane: number): number {
  const first = -layout.top / layout.pitch;
  const shown = layout.height / layout.pitch;
  return Math.max(0, Math.min(lane, Math.max(first, lane + 1 - shown)));
}
