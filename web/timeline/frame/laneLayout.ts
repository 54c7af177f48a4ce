/** Where the lanes are on the screen. Everything in CSS pixels unless it says otherwise. */
import { type CssPx, cssPx } from '../../base/units';
import type { LaneBands } from '../../gl/cells';

/** The height of a lane in the lens, with its gap, in CSS pixels. */
export const LENS_PITCH = 22;

export interface LaneLayout {
  readonly count: number;
  readonly height: CssPx;
  /** Height of one lane with its gap. */
  readonly pitch: CssPx;
  /** Where the first lane begins: 0 or less. */
  readonly top: CssPx;
}

/**
 * The greatest pitch at scale 1: one CPU should not fill the screen with a single colour; eight may fill any height.
 */
const MAX_FIT_PITCH = 96;
const FILLING = 8;

/** The greatest height that so few lanes fill, in CSS pixels; undefined: they fill any. */
export const mostFilled = (lanes: number): number | undefined =>
  lanes > 0 && lanes < FILLING ? lanes * MAX_FIT_PITCH : undefined;

/** `scale` 1: all lanes fit. `scroll`: the first visible lane. */
export function layoutLanes(count: number, height: CssPx, scale: number, scroll: number): LaneLayout {
  const pitch = count === 0 ? height : Math.min(height / count, Math.max(MAX_FIT_PITCH, height / FILLING)) * scale;
  const hidden = Math.max(0, pitch * count - height);
  return { count, height, pitch: cssPx(pitch), top: cssPx(0 - Math.min(Math.max(0, scroll * pitch), hidden)) };
}

/** The lanes as the cell surface takes them. Thin lanes have no gap, because it would take most of their height. */
export function laneBands(layout: LaneLayout, pixelRatio: number): LaneBands {
  const pitch = layout.pitch * pixelRatio;
  const gap = pitch < 4 ? 0 : Math.max(1, Math.min(Math.round(pitch * 0.12), Math.round(4 * pixelRatio)));
  return { count: layout.count, top: layout.top * pixelRatio, pitch, gap };
}

/** The lane at `y`, or null where there is none. */
export function laneAt(layout: LaneLayout, y: CssPx): number | null {
  const lane = Math.floor((y - layout.top) / layout.pitch);
  return lane >= 0 && lane < layout.count && y >= 0 && y < layout.height ? lane : null;
}

export function laneTop(layout: LaneLayout, lane: number): CssPx {
  return cssPx(layout.top + lane * layout.pitch);
}

/** How many lanes fit on the screen. */
export function lanesShown(layout: LaneLayout): number {
  return Math.min(layout.count, layout.height / layout.pitch);
}

/** How many lanes apart labels are: the smallest round number that leaves each label `room` CSS pixels. */
export function labelStep(layout: LaneLayout, room: CssPx): number {
  const steps = [1, 2, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100, 128, 256];
  return steps.find((step) => step * layout.pitch >= room) ?? 512;
}

/** The lanes that are at least partly on the screen, as a half-open range. */
export function lanesInSight(layout: LaneLayout): { readonly first: number; readonly end: number } {
  const first = Math.max(0, Math.floor(-layout.top / layout.pitch));
  return { first, end: Math.min(layout.count, Math.ceil((layout.height - layout.top) / layout.pitch)) };
}
