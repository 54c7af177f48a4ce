/** Which track is under the pointer: found alike for all kinds. */
import { cssPx, type TimeWindow } from '../../base/units';
import type { TraceId, TrackId, TrackKey, TrackKind } from '../../engine/protocolTracks';
import { type LaneLayout, laneAt } from '../frame/laneLayout';
import type { Timescale } from '../frame/timescale';

/** Tracks of one kind as they are on the screen. */
export interface TouchedTracks<K extends TrackKind = TrackKind> {
  readonly trace: TraceId;
  readonly kind: K;
  /** From top to bottom. */
  readonly keys: readonly TrackKey[];
  readonly layout: LaneLayout;
  readonly scale: Timescale;
}

/** On a track, the pixel and its neighbours; in the time of the track's trace. */
export interface TrackPlace {
  readonly track: TrackId & { readonly key: TrackKey };
  readonly around: TimeWindow;
}

/** CSS pixels around the pointer in which something is meant. */
const REACH = 1.5;

/** null beside the tracks, and left of the plot. CSS pixels in the plot. */
export function trackAt({ trace, kind, keys, layout, scale }: TouchedTracks, x: number, y: number): TrackPlace | null {
  const lane = x < 0 ? null : laneAt(layout, cssPx(y));
  const key = lane === null ? undefined : keys[lane];
  if (key === undefined) return null;
  const around = { start: scale.cssPxToTime(cssPx(x - REACH)), end: scale.cssPxToTime(cssPx(x + REACH)) };
  return { track: { trace, kind, key }, around };
}

export const sameTrack = (a: TrackPlace, b: TrackPlace): boolean =>
  a.track.key === b.track.key && a.track.kind === b.track.kind && a.track.trace === b.track.trace;
