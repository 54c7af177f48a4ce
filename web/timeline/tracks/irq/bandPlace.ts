/** Where on a lane its bands of interrupts are, hardirqs above softirqs. Pure. */
import type { LaneLayout } from '../../frame/laneLayout';

/** Where the bands of a lane are, in device pixels from the plot's top: two of `rows`, one below the other. */
export interface BandPlace {
  readonly top: number;
  readonly rows: number;
}

/** The share of a lane that a band takes, and its greatest height in CSS pixels. */
const SHARE = 0.14;
const MOST = 5;

/** A lane of fewer device pixels shows what runs, and no bands: they would cover most of it. */
const LEAST_HEIGHT = 6;

/** `height`: of the lane in device pixels. 0: there is no room. */
export const bandRows = (height: number, pixelRatio: number): number =>
  height < LEAST_HEIGHT ? 0 : Math.max(1, Math.round(Math.min(SHARE * height, MOST * pixelRatio)));

/** `gap`: device pixels below the lane. */
export function bandPlace(layout: LaneLayout, lane: number, gap: number, pixelRatio: number): BandPlace {
  const pitch = layout.pitch * pixelRatio;
  return { top: Math.round(layout.top * pixelRatio + lane * pitch), rows: bandRows(pitch - gap, pixelRatio) };
}
