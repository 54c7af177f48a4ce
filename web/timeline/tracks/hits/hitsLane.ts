/** Events that pass the view's filter, as marks on the lanes of CPUs, or of all CPUs together on the overview. */
import { derived } from '../../../base/observable';
import { hitsOf } from '../../../facts/hits';
import { packColour } from '../../../gl/columns';
import { toRgb } from '../../frame/colours';
import { type TileValues, tileValues } from '../../tiles/trackTiles';
import { paintedRow } from '../laneRows';
import { type LaneBrush, type LaneFrame, roomOf, tilesPainter } from '../tilesPainter';
import { countTexts, hitColumns, hitPlace, paintHits } from './hitColumns';

/** Room for the tiles in bytes. */
const TILE_BYTES = 24 * 1024 * 1024;

/** Lanes of at least this height have room for counts, in CSS pixels; and the room that one takes. */
const TEXT_LANE = 15;
const TEXT_ROOM = 34;
/** The most counts, since each text takes some microseconds. */
const MOST_TEXTS = 300;

const lanes = <K extends 'hits' | 'all_hits'>(kind: K) =>
  tilesPainter<K, TileValues>((engine, ask) => {
    const hits = hitsOf(engine);
    return {
      tiles: { kind, room: roomOf(TILE_BYTES, 4), read: tileValues },
      dispose: derived(hits.state, ({ revision }) => revision).subscribe(ask),
      wanted: ({ trace, view }) => {
        if (trace?.stage !== 'opened') return null;
        hits.want(view.filter, view.topology.text);
        const { expression, revision } = hits.state.get();
        if (expression === '') return null;
        return { variant: expression, revision, keys: kind === 'hits' ? trace.cpus : [] };
      },
      place: hitPlace,
      brush: (frame) => hitBrush(frame, kind === 'hits' && frame.layout.pitch >= TEXT_LANE),
    };
  });

export const hitsLane = lanes('hits');
export const allHitsLane = lanes('all_hits');

/** `hasTexts`: marks that stand for several hits say how many. */
function hitBrush({ parts, scale, model, place }: LaneFrame<TileValues>, hasTexts: boolean): LaneBrush {
  const ratio = scale.pixelRatio;
  const ink = packColour(toRgb(model.theme.ink));
  const counts = new Uint32Array(scale.width);
  const texts: { readonly x: number; readonly lane: number; readonly count: number }[] = [];
  return {
    row: (lane, { out, offset, rows }) => {
      counts.fill(0);
      for (const { segment, tiles } of parts) hitColumns(segment, tiles, lane, counts);
      paintHits(counts, rows, ink, out, offset);
      if (hasTexts && texts.length < MOST_TEXTS)
        for (const text of countTexts(counts, TEXT_ROOM * ratio)) texts.push({ ...text, lane });
      return paintedRow(counts);
    },
    over: (context) => {
      context.fillStyle = model.theme.ink;
      context.strokeStyle = model.theme.background;
      context.lineWidth = 3;
      context.textBaseline = 'top';
      for (const { x, lane, count } of texts.slice(0, MOST_TEXTS)) {
        const [left, top] = [x / ratio + 4, place(lane).top / ratio];
        context.strokeText(`×${count}`, left, top);
        context.fillText(`×${count}`, left, top);
      }
    },
  };
}
