/** Interrupts on the lanes of CPUs: bands at their upper edge, of traces that have interrupts. */
import { roomOf, tilesPainter } from '../tilesPainter';
import { bandPlace } from './bandPlace';
import { type IrqTile, irqColumns, newIrqColumns, paintBands } from './irqColumns';
import { irqInks } from './irqInks';
import { Bands } from './irqPick';
import { showsIrqs } from './showsIrqs';

/** Room for the tiles in bytes. */
const TILE_BYTES = 24 * 1024 * 1024;

export const irqLane = tilesPainter<'cpu_irqs', IrqTile>((engine, ask) => {
  const hands = new Bands(engine, 'cpu');
  return {
    hands,
    tiles: {
      kind: 'cpu_irqs',
      room: roomOf(TILE_BYTES, 4),
      lasts: true,
      read: ({ values }, buckets) => ({ buckets, cells: values }),
    },
    wanted: (model) => (showsIrqs(model, engine, ask) ? { variant: null } : null),
    place: (layout, lane, gap, pixelRatio) => {
      const { top, rows } = bandPlace(layout, lane, gap, pixelRatio);
      return { top, height: 2 * rows, rows: 2 * rows };
    },
    brush: ({ parts, scale, model, place }) => {
      // The pointer asks about lanes without room for bands, too.
      hands.height = Math.max(2, place(0).height) / scale.pixelRatio;
      const columns = newIrqColumns(scale.width);
      const inks = irqInks(model.theme);
      const cells = parts.map(({ segment, tiles }) => ({ segment, tiles: tiles.map(({ data }) => data) }));
      return {
        row: (lane, { out, offset, rows }) => {
          columns.hard.fill(0);
          columns.soft.fill(0);
          for (const { segment, tiles } of cells) irqColumns(segment, tiles, lane, columns);
          return paintBands(columns, rows / 2, inks, out, offset);
        },
      };
    },
  };
});
