/** Events that pass the view's filter, as marks on the lanes of CPUs, or of all CPUs together on the overview. */
import type { DevPx } from '../../../base/units';
import type { EngineClient } from '../../../engine/client';
import { packColour } from '../../../gl/columns';
import { hitsOf } from '../../../state/hits';
import { toRgb } from '../../frame/colours';
import { type LaneLayout, laneBands, lanesInSight } from '../../frame/laneLayout';
import type { SceneModel } from '../../frame/sceneModel';
import type { Timescale } from '../../frame/timescale';
import { type TilesSpec, type TileValues, tileValues } from '../../tiles/trackTiles';
import type { PaintedLane } from '../lanePainter';
import { roomOf, TilesPainter } from '../tilesPainter';
import { countTexts, hitColumns, hitPlace, paintHits } from './hitColumns';

/** Room for the tiles in bytes. */
const TILE_BYTES = 24 * 1024 * 1024;

type HitKind = 'hits' | 'all_hits';

const tilesOf = (kind: HitKind): TilesSpec<HitKind, TileValues> => ({
  kind,
  room: roomOf(TILE_BYTES, 4),
  read: tileValues,
});

/** Lanes of at least this height have room for counts, in CSS pixels; and the room that one takes. */
const TEXT_LANE = 15;
const TEXT_ROOM = 34;
/** The most counts, since each text takes some microseconds. */
const MOST_TEXTS = 300;

export class HitsLayer extends TilesPainter<HitKind, TileValues> {
  readonly dispose: () => void;

  /** `ask`: called when there is more to ask for. */
  constructor(engine: EngineClient, kind: HitKind, arrived: () => void, ask: () => void) {
    super(engine, tilesOf(kind), arrived);
    const { state } = hitsOf(engine);
    let { revision } = state.get();
    this.dispose = state.subscribe(() => {
      if (state.get().revision === revision) return;
      revision = state.get().revision;
      ask();
    });
  }

  request(model: SceneModel, width: DevPx): void {
    if (model.trace?.stage !== 'opened') return;
    const hits = hitsOf(this.engine);
    hits.want(model.view.filter, model.view.topology.text);
    const { expression, revision } = hits.state.get();
    const keys = this.kind === 'hits' ? model.trace.cpus : [];
    if (expression === '') this.tiles.rest();
    else this.tiles.request({ ...model, revision }, keys, width, expression);
  }

  paint(context: CanvasRenderingContext2D, model: SceneModel, scale: Timescale, layout: LaneLayout): void {
    this.painted = [];
    const { trace, theme } = model;
    const { expression } = hitsOf(this.engine).state.get();
    if (trace === null || expression === '' || this.tiles.slots === 0 || layout.count === 0) return;
    const parts = this.parts(model, scale, expression);
    const ratio = scale.pixelRatio;
    const { first, end } = lanesInSight(layout);
    const { gap } = laneBands(layout, ratio);
    const { rows } = hitPlace(layout, first, gap, ratio);
    const pixels = this.image.empty(scale.width, Math.max(1, rows * (end - first)));
    const words = new Uint32Array(pixels.data.buffer);
    const ink = packColour(toRgb(theme.ink));
    const painted: PaintedLane[] = [];
    const texts: { readonly x: number; readonly lane: number; readonly count: number }[] = [];
    const counts = new Uint32Array(scale.width);
    for (let lane = first; lane < end; lane++) {
      counts.fill(0);
      for (const { segment, tiles } of parts) hitColumns(segment, tiles, lane, counts);
      paintHits(counts, rows, ink, words, rows * (lane - first) * scale.width);
      let [columns, most] = [0, 0];
      for (const count of counts) {
        if (count > 0) columns++;
        if (count > most) most = count;
      }
      painted.push({ cpu: trace.cpus[lane] ?? lane, columns, most });
      if (layout.pitch < TEXT_LANE || this.kind !== 'hits' || texts.length >= MOST_TEXTS) continue;
      for (const text of countTexts(counts, TEXT_ROOM * ratio)) texts.push({ ...text, lane });
    }
    this.painted = painted;
    const image = this.image.of(pixels);
    if (image === null) return;
    context.save();
    // The marks consist of device pixels.
    context.scale(1 / ratio, 1 / ratio);
    context.imageSmoothingEnabled = false;
    for (let lane = first; lane < end; lane++) {
      const place = hitPlace(layout, lane, gap, ratio);
      const from = (lane - first) * rows;
      context.drawImage(image, 0, from, scale.width, rows, 0, place.top, scale.width, place.height);
    }
    context.restore();
    context.fillStyle = theme.ink;
    context.strokeStyle = theme.background;
    context.lineWidth = 3;
    context.textBaseline = 'top';
    for (const { x, lane, count } of texts.slice(0, MOST_TEXTS)) {
      const place = hitPlace(layout, lane, gap, ratio);
      const [left, top] = [x / ratio + 4, place.top / ratio];
      context.strokeText(`×${count}`, left, top);
      context.fillText(`×${count}`, left, top);
    }
  }
}
