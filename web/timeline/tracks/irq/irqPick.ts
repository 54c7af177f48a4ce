/** Finds what interrupts took of the place under the pointer. */
import { ns } from '../../../base/units';
import type { EngineClient } from '../../../engine/client';
import type { Stolen, StolenOf } from '../../../engine/protocol';
import type { IrqsHere } from '../../../state/hover';
import type { Store } from '../../../state/store';
import type { LaneLayout } from '../../frame/laneLayout';
import type { TrackPlace } from '../../input/trackPlace';

/** Lanes that are thinner than this have no room to point at their bands, in CSS pixels. */
const LEAST_LANE = 10;
/** How near the pointer must be to a band to mean it. */
const REACH = 1.5;

/** Whether a point of the plot is on the bands of a lane, which are `bands` CSS pixels high in all. */
export function isOnBand({ top, pitch }: LaneLayout, bands: number, y: number): boolean {
  const within = (((y - top) % pitch) + pitch) % pitch;
  return bands > 0 && pitch >= LEAST_LANE && within <= bands + REACH;
}

/** A place on a lane that has bands of interrupts. */
export type BandPlace = TrackPlace & { readonly onBand: boolean };

export const bandPlace = (layout: LaneLayout, bands: number, place: TrackPlace | null, y: number): BandPlace | null =>
  place === null || bands === 0 ? null : { ...place, onBand: isOnBand(layout, bands, y) };

/** What is there; null: nothing interrupted. */
export async function irqsAt(
  engine: EngineClient,
  key: string,
  of: StolenOf,
  { track, around, onBand }: BandPlace,
): Promise<IrqsHere | null | 'superseded'> {
  const start = ns(Math.max(0, Math.floor(around.start)));
  const window = { start, end: ns(Math.max(start + 1, Math.ceil(around.end))) };
  const outcome = await engine.query(key, { type: 'stolen', of, key: track.key, window });
  if (outcome.kind === 'superseded') return 'superseded';
  const stolen: Stolen | null = outcome.kind === 'answer' ? outcome.answer.stolen : null;
  return stolen === null || stolen.longest === null ? null : { of, key: track.key, window, stolen, onBand };
}

/** Makes the longest handler of a place the current event, and selects the run that it interrupted. */
export function showHandler(store: Store, { stolen: { longest } }: IrqsHere): boolean {
  if (longest === null) return false;
  const { cpu, start_ns: at, run } = longest;
  store.dispatch({ type: 'showEvent', event: { cpu, at }, selection: run && { cpu: run.cpu, start: run.start_ns } });
  return true;
}
