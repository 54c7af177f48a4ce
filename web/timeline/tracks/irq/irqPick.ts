/** The pointer on bands of interrupts: what they took of the place, and which handler a click means. */
import { ns } from '../../../base/units';
import type { EngineClient } from '../../../engine/client';
import type { StolenOf } from '../../../engine/protocol';
import type { HoverStore, IrqsHere } from '../../../state/hover';
import type { Store } from '../../../state/store';
import type { LaneLayout } from '../../frame/laneLayout';
import { HoverPicker } from '../../input/picker';
import { sameTrack, type TrackPlace } from '../../input/trackPlace';
import type { BandHands } from '../lanePainter';

/** Lanes that are thinner than this have no room to point at their bands, in CSS pixels. */
const LEAST_LANE = 10;
/** How near the pointer must be to a band to mean it. */
const REACH = 1.5;

/** Whether a point of the plot is on the bands of a lane, which are `bands` CSS pixels high in all. */
export function isOnBand({ top, pitch }: LaneLayout, bands: number, y: number): boolean {
  const within = (((y - top) % pitch) + pitch) % pitch;
  return bands > 0 && pitch >= LEAST_LANE && within <= bands + REACH;
}

type BandPlace = TrackPlace & { readonly onBand: boolean };

export class Bands implements BandHands {
  /** How high the bands of a lane are, in CSS pixels; 0: they are not shown. */
  height = 0;
  readonly #engine: EngineClient;
  readonly #of: StolenOf;
  #hover: HoverStore | null = null;
  readonly #picker: HoverPicker<BandPlace, IrqsHere>;
  #clicks = 0;

  constructor(engine: EngineClient, of: StolenOf) {
    this.#engine = engine;
    this.#of = of;
    this.#picker = new HoverPicker(
      (place: BandPlace) => this.#at('hover', place),
      sameTrack,
      (irqs) => this.#hover?.set({ irqs }),
    );
  }

  get idle(): boolean {
    return this.#picker.idle;
  }

  move(place: TrackPlace | null, layout: LaneLayout, y: number, hover: HoverStore): void {
    this.#hover = hover;
    const { height } = this;
    this.#picker.move(place === null || height === 0 ? null : { ...place, onBand: isOnBand(layout, height, y) });
  }

  async click(place: TrackPlace, layout: LaneLayout, y: number, store: Store): ReturnType<BandHands['click']> {
    const click = ++this.#clicks;
    if (!isOnBand(layout, this.height, y)) return null;
    const before = store.getState();
    const found = await this.#at('click', { ...place, onBand: true });
    const { selection, event } = store.getState();
    // The answer may take long, and is dropped if meanwhile the user went elsewhere.
    if (click !== this.#clicks || selection !== before.selection || event !== before.event) return 'superseded';
    if (found === null || found === 'superseded') return found;
    const { longest } = found.stolen;
    if (longest === null) return null;
    const { cpu, start_ns: at, run } = longest;
    store.dispatch({ type: 'showEvent', event: { cpu, at }, selection: run && { cpu: run.cpu, start: run.start_ns } });
    return longest;
  }

  /** What is there; null: nothing interrupted. */
  async #at(why: string, { track, around, onBand }: BandPlace): Promise<IrqsHere | null | 'superseded'> {
    const start = ns(Math.max(0, Math.floor(around.start)));
    const window = { start, end: ns(Math.max(start + 1, Math.ceil(around.end))) };
    const [of, key] = [this.#of, track.key];
    const outcome = await this.#engine.query(`scene/irq/${of}/${why}`, { type: 'stolen', of, key, window });
    if (outcome.kind === 'superseded') return 'superseded';
    const stolen = outcome.kind === 'answer' ? outcome.answer.stolen : null;
    return stolen === null || stolen.longest === null ? null : { of, key, window, stolen, onBand };
  }
}
