/** What the lanes of CPUs and of tasks have in common that show a counter: how its tiles are kept, and how a line is painted. */
import type { EngineClient } from '../../../engine/client';
import type { CounterBy } from '../../../engine/protocol';
import { type CounterState, counterOf } from '../../../facts/counters';
import { packColour } from '../../../gl/columns';
import { toRgb } from '../../frame/colours';
import type { SceneModel } from '../../frame/sceneModel';
import type { TilesSpec } from '../../tiles/trackTiles';
import { NO_ROW, type PaintedRow, type PixelLane } from '../laneRows';
import { roomOf, type TilesPart } from '../tilesPainter';
import { type CounterColumns, counterColumns, counterScale, newCounterColumns, paintCounter } from './counterColumns';

/** Room for the tiles in bytes. */
const TILE_BYTES = 48 * 1024 * 1024;

export interface CounterValues {
  readonly values: Float64Array;
}

export const counterTiles = <K extends 'counter' | 'task_counter'>(kind: K): TilesSpec<K, CounterValues> => ({
  kind,
  room: roomOf(TILE_BYTES, 16),
  read: ({ values }) => ({ values: new Float64Array(values.buffer) }),
});

/** What is known of the view's counter, which is searched for from now on; null: there is nothing to show. */
export function wantedCounter(engine: EngineClient, by: CounterBy, model: SceneModel): KnownCounter | null {
  if (model.trace?.stage !== 'opened') return null;
  const counters = counterOf(engine, by);
  void counters.want(model.view.counter);
  return knownCounter(engine, by);
}

export type KnownCounter = CounterState & { readonly info: NonNullable<CounterState['info']> };

export function knownCounter(engine: EngineClient, by: CounterBy): KnownCounter | null {
  const state = counterOf(engine, by).state.get();
  const { counter, info } = state;
  return counter === '' || info === null ? null : { ...state, info };
}

/** A line over the whole lane would hide its runs: it is in the lowest third, but for lanes too thin for that. */
const stripRows = (rows: number): number => Math.min(rows, Math.max(8, Math.round(rows / 3)));

/** Paints the lines of one frame. */
export class CounterBrush {
  readonly #columns: CounterColumns;
  readonly #range: ReturnType<typeof counterScale>;
  readonly #inks: readonly [number, number];

  /** `width`: of the picture in device pixels. */
  constructor(width: number, { least, greatest }: KnownCounter['info'], { theme }: SceneModel) {
    this.#columns = newCounterColumns(width);
    this.#range = counterScale(least, greatest);
    this.#inks = [packColour(toRgb(theme.ink)), packColour(toRgb(theme.background))];
  }

  /** Paints the line of the tiles' track `track`. Returns in how many columns a value is known, and the greatest. */
  paint(
    parts: readonly TilesPart<CounterValues>[],
    track: number,
    { out, offset, rows }: Omit<PixelLane, 'width'>,
  ): PaintedRow {
    const { least, greatest } = this.#columns;
    least.fill(Number.NaN);
    greatest.fill(Number.NaN);
    for (const { segment, tiles } of parts) counterColumns(segment, tiles, track, this.#columns);
    const low = stripRows(rows);
    paintCounter(this.#columns, this.#range, low, this.#inks, out, offset + (rows - low) * this.#columns.least.length);
    let [columns, most] = [0, Number.NEGATIVE_INFINITY];
    for (const value of greatest) {
      if (Number.isNaN(value)) continue;
      columns++;
      most = Math.max(most, value);
    }
    return columns === 0 ? NO_ROW : { columns, most };
  }
}
