/** How the tiles of curves are kept: each has one track, the trace's. */
import { type TilesSpec, type TileValues, tileValues } from '../../tiles/trackTiles';

/** How many tiles are kept, of 16 and 8 KiB, and how many are asked for. */
export interface Room {
  readonly kept: number;
  readonly asked: number;
}

export const curveTiles = (room: Room): TilesSpec<'curve', TileValues> => ({
  kind: 'curve',
  room: () => room,
  read: tileValues,
});

export const conservationTiles = (room: Room): TilesSpec<'conservation', TileValues> => ({
  kind: 'conservation',
  room: () => room,
  read: tileValues,
});
