/**
 * The lanes' background where colours are by state: idle time stands out in the columns in which some task waits behind
 * another, the more the longer it does.
 */
import type { DevPx } from '../../../base/units';
import type { EngineClient } from '../../../engine/client';
import { toRgb } from '../../frame/colours';
import type { SceneModel } from '../../frame/sceneModel';
import type { Timescale } from '../../frame/timescale';
import { type TileValues, TrackTiles } from '../../tiles/trackTiles';
import { conservationColumns, emptyConservation } from '../curve/conservationColumns';
import { conservationTiles } from '../curve/curveTiles';

const ROOM = { kept: 64, asked: 32 };
/** How strong the least violation is, so that one of a nanosecond is seen. */
const LEAST = 0.3;

export class Grounds {
  readonly #tiles: TrackTiles<'conservation', TileValues>;

  /** `arrived`: called when there is more to paint. */
  constructor(engine: EngineClient, arrived: () => void) {
    this.#tiles = new TrackTiles(engine, conservationTiles(ROOM), arrived, '/grounds');
  }

  get idle(): boolean {
    return this.#tiles.idle;
  }

  get inFlight(): number {
    return this.#tiles.inFlight;
  }

  reset(): void {
    this.#tiles.reset();
  }

  request(model: SceneModel, width: DevPx): void {
    if (model.view.colour === 'state') this.#tiles.request(model, [], width, null);
    else this.#tiles.rest();
  }

  /** RGBA bytes for each device-pixel column; null where the background is the same everywhere. */
  colours(model: SceneModel, scale: Timescale): Uint8Array | null {
    const { view, theme } = model;
    if (view.colour !== 'state') return null;
    const columns = emptyConservation(scale.width);
    conservationColumns(this.#tiles.cover(model, scale, [null]), scale, columns);
    const [background, wasted] = [toRgb(theme.background), toRgb(theme.wasted)];
    const bytes = new Uint8Array(4 * scale.width);
    columns.behind.forEach((behind, x) => {
      const share = behind === 0 ? 0 : LEAST + (1 - LEAST) * Math.min(1, behind / 65535);
      for (let channel = 0; channel < 3; channel++) {
        const [from, to] = [background[channel] ?? 0, wasted[channel] ?? 0];
        bytes[4 * x + channel] = Math.round(255 * (from + (to - from) * share));
      }
      bytes[4 * x + 3] = 255;
    });
    return bytes;
  }
}
