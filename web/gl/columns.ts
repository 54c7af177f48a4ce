/** The first pass on the CPU: all visible lanes merged into texels, as the first shader leaves them. */
import { barShares, type CellFrame, type Rgb, type TileCells, type VisibleLanes } from './cells';
import { columnTexel, groundAt, mergeColumn, newColumn, shareKey, type Texel } from './mergeColumn';
import { LEVELS, PATTERNS } from './shaders';

/** The data that are merged. */
export interface CpuCells {
  /** The tiles by slot. */
  readonly tiles: ReadonlyMap<number, TileCells>;
  /** RGBA bytes by key. */
  readonly palettes: readonly Uint8Array[];
}

/**
 * Computes the texels of `lanes`, `width` for each, as little-endian RGBA words. Writes into `out`, whose length is at
 * least `width` times the number of lanes.
 */
export function mergeColumns(
  frame: CellFrame,
  { tiles, palettes }: CpuCells,
  width: number,
  lanes: VisibleLanes,
  out: Uint32Array,
): void {
  const { style } = frame;
  const bars = barShares(frame.lanes, style);
  const grounds = style.grounds && new Uint32Array(style.grounds.buffer, style.grounds.byteOffset, width);
  out.fill(packTexel({ colour: style.background, level: 0, pattern: PATTERNS.none }));
  const column = newColumn();
  for (const segment of frame.segments) {
    const cells = segment.slots.map((slot) => tiles.get(slot));
    const palette = palettes[segment.palette];
    for (let lane = lanes.first; lane < lanes.end; lane++) {
      const row = (lane - lanes.first) * width;
      // Neighbours are mostly alike, so the result for one is kept for the next.
      const last = newColumn();
      let ground = style.background;
      let groundWord = -1;
      let word = packTexel({ colour: ground, level: 0, pattern: PATTERNS.none });
      for (let x = Math.max(0, segment.x0); x < Math.min(width, segment.x1); x++) {
        mergeColumn(segment, cells, lane, x, column);
        const changed = grounds !== null && grounds[x] !== groundWord;
        if (changed) {
          groundWord = grounds[x] ?? 0;
          ground = groundAt(style, x);
        }
        const alike =
          !changed &&
          column.key === last.key &&
          column.full === last.full &&
          column.merged === last.merged &&
          column.highlight === last.highlight &&
          column.pattern === last.pattern;
        if (!alike) {
          const key = style.byShare ? shareKey(column) : column.key;
          word = packTexel(columnTexel(column, paletteColour(palette, key), style, bars, ground));
          Object.assign(last, column);
        }
        out[row + x] = word;
      }
    }
  }
}

/** Colour and alpha as the shader writes them. */
export function packTexel({ colour, level, pattern }: Texel): number {
  return packColour(colour, (LEVELS + 1) * pattern + level);
}

export function unpackTexel(word: number): Texel {
  const code = word >>> 24;
  const pattern = Math.floor(code / (LEVELS + 1));
  const colour: Rgb = [(word & 0xff) / 255, ((word >>> 8) & 0xff) / 255, ((word >>> 16) & 0xff) / 255];
  return { colour, level: code - (LEVELS + 1) * pattern, pattern };
}

/** A little-endian RGBA word; channels 0-1, alpha a byte. */
export function packColour(colour: Rgb, alpha = 255): number {
  const byte = (value: number): number => Math.round(value * 255);
  return ((alpha << 24) | (byte(colour[2]) << 16) | (byte(colour[1]) << 8) | byte(colour[0])) >>> 0;
}

function paletteColour(palette: Uint8Array | undefined, key: number): Rgb {
  const at = 4 * key;
  return [(palette?.[at] ?? 0) / 255, (palette?.[at + 1] ?? 0) / 255, (palette?.[at + 2] ?? 0) / 255];
}
