/** Runqueue depth on the lanes of CPUs, while *Queues* is on. */
import { packColour } from '../../../gl/columns';
import { toRgb } from '../../frame/colours';
import type { SceneTheme } from '../../frame/theme';
import { type TileValues, tileValues } from '../../tiles/trackTiles';
import { paintedRow } from '../laneRows';
import { roomOf, tilesPainter } from '../tilesPainter';
import { newRunqueueColumns, paintStrip, runqueueColumns, type StripColours, stripPlace } from './runqueueColumns';

/** Room for the tiles in bytes. */
const TILE_BYTES = 24 * 1024 * 1024;

export const runqueueLane = tilesPainter<'runqueue', TileValues>(() => ({
  tiles: { kind: 'runqueue', room: roomOf(TILE_BYTES, 4), read: tileValues },
  wanted: ({ trace, view }) => (trace?.stage === 'opened' && view.depth ? { variant: null } : null),
  place: stripPlace,
  brush: ({ parts, scale, model }) => {
    const columns = newRunqueueColumns(scale.width);
    const colours = stripColours(model.theme);
    const top = Math.max(1, ...parts.flatMap(({ tiles }) => tiles.map(({ data }) => data.most)));
    return {
      row: (lane, { out, offset, rows }) => {
        columns.most.fill(0);
        for (const { segment, tiles } of parts) runqueueColumns(segment, tiles, lane, columns);
        paintStrip(columns, rows, top, colours, out, offset);
        return paintedRow(columns.most);
      },
    };
  },
}));

function stripColours({ background, depth: [one, two, four, eight] }: SceneTheme): StripColours {
  const word = (colour: string): number => packColour(toRgb(colour));
  return { steps: [word(one), word(two), word(four), word(eight)], background: word(background) };
}
