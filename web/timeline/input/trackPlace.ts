/** Finds the track under the pointer, in the same way for all kinds. */
import { cssPx, type TimeWindow } from '../../base/units';
import type { TraceId, TrackId, TrackKey, TrackKind } from '../../engine/protocolTracks';
import { type LaneLayout, laneAt } from '../frame/laneLayout';
import type { Timescale } from '../frame/timescale';

/** Tracks of one kind as they are on the screen. */
export interface TouchedTracks<K extends TrackKind = TrackKind> {
  readonly trace: TraceId;
  readonly kind: K;
  /** The keys of the tracks, from top to bottom. */
  readonly keys: readonly TrackKey[];
  readonly layout: LaneLayout;
  readonly scale: Timescale;
}

/** A place on a track: the pixel and its neighbours, in the time of the track's trace. */
export interface TrackPlace {
  readonly track: TrackId & { readonly key: TrackKey };
  readonly around: TimeWindow;
}

/** How near the pointer must be to something to mean it, in CSS pixels. */
const REACH = 1.5;

/** The place at a point of the plot in CSS pixels; null beside the tracks, and left of the plot. */
export function trackAt({ trace, kind, keys, layout, scale }: TouchedTracks, x: number, y: number): TrackPlace | null {
  const lane = x < 0 ? null : laneAt(layout, cssPx(y));
  const key = lane === null ? undefined : keys[lane];
  if (key === undefined) return null;
  const around = { start: scale.cssPxToTime(cssPx(x - REACH)), end: scale.cssPxToTime(cssPx(x + REACH)) };
  return { track: { trace, kind, key }, around };
}

export const sameTrack = (a: TrackPlace, b: TrackPlace): boolean =>
  a.track.key === b.track.key && a.track.kind === b.track.kind && a.track.trace === b.track.trace;
