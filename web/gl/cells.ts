/**
 * What the cell surfaces draw: lanes of cells, each of two words (`base/cellWords.ts`), whose keys are indices into a
 * palette.
 */

/** Buckets of one tile: tiles are uploaded, cached and evicted as a whole. */
export const TILE_SHIFT = 10;
export const TILE_BUCKETS = 1 << TILE_SHIFT;
/** The most tiles that a segment spans. */
export const MAX_SEGMENT_TILES = 32;

/** Palettes that a surface holds at the same time, so that tiles of several kinds can be on the screen. */
export const PALETTES = 4;

/** 0..1 for each channel. */
export type Rgb = readonly [number, number, number];

/**
 * A stretch of the screen that is drawn from consecutive tiles of one level.
 *
 *     buckets of the first tile:  0 . . . . . . . . . .
 *     device pixels:                 x0 |  |  |  |  x1
 *                                    ^ bucket + fraction
 */
export interface CellSegment {
  /** Half-open range of device pixels. */
  readonly x0: number;
  readonly x1: number;
  /** The left edge of `x0` in buckets from the begin of the first tile: whole buckets, and the fraction. */
  readonly bucket: number;
  readonly fraction: number;
  readonly bucketsPerPixel: number;
  /** Slots of the consecutive tiles. */
  readonly slots: readonly number[];
  /** The end of the buckets that may be read, counted from the first tile's first. */
  readonly bucketEnd: number;
  readonly palette: number;
}

/** Where the lanes are, in device pixels from the top: lane `i` begins at `round(top + i * pitch)`. */
export interface LaneBands {
  readonly count: number;
  readonly top: number;
  readonly pitch: number;
  /** Whole device pixels between two lanes. */
  readonly gap: number;
}

/** How cells look; all of it is passed as uniforms, so that a change uploads nothing. */
export interface CellStyle {
  readonly background: Rgb;
  readonly hatch: Rgb;
  /** The colour towards which cells that are not highlighted are mixed, by `otherAmount` (0: not at all). */
  readonly other: Rgb;
  readonly otherAmount: number;
  /** By how many device pixels patterns move left, so that they follow the time axis; less than a period. */
  readonly hatchPhase: number;
  /** Device pixels for each CSS pixel. */
  readonly pixelRatio: number;
  /** The background of each device-pixel column of the lanes, where that is not `background`: RGBA bytes. */
  readonly grounds: Uint8Array | null;
  /** Whether a column's share of busy time has a colour, 0 to 255 in the palette, instead of its key and a height. */
  readonly byShare: boolean;
}

export interface CellFrame {
  readonly lanes: LaneBands;
  readonly segments: readonly CellSegment[];
  readonly style: CellStyle;
  /** Whether any cell may be unknown or inferred: without such cells drawing is faster. */
  readonly patterned: boolean;
}

/** Lanes of at least this height (CSS pixels) show the busy fraction of merged columns as a bar. */
const BAR_LANE = 8;

/**
 * Height of a full bar of a merged column, a pixel less than a solid run, and of the lowest; shares of the lane. Where the
 * background says something, a full bar leaves none of it.
 */
export function barShares(lanes: LaneBands, { pixelRatio, grounds }: BarStyle): readonly [number, number] {
  const height = lanes.pitch - lanes.gap;
  if (height < BAR_LANE * pixelRatio) return [0, 0];
  return [grounds === null ? 1 - pixelRatio / height : 1, pixelRatio / height];
}

type BarStyle = Pick<CellStyle, 'pixelRatio' | 'grounds'>;

/** Draws cells on a canvas; WebGL2 or, where there is none, 2D with the same pixels. */
export interface CellSurface {
  readonly kind: 'webgl2' | '2d';
  /** Whether the CPU draws, so that every pixel costs time. */
  readonly software: boolean;
  /** The canvas' size in device pixels. */
  resize(width: number, height: number): void;
  /** Makes room for `slots` tiles of `lanes` lanes; drops all tiles. */
  allocate(lanes: number, slots: number): void;
  /** Puts a tile of `buckets` buckets (at most `TILE_BUCKETS`) into a slot. */
  upload(slot: number, buckets: number, cells: Uint32Array): void;
  /** RGBA bytes by key. */
  setPalette(palette: number, rgba: Uint8Array): void;
  draw(frame: CellFrame): void;
  /** Returns when the drawing is in the canvas: WebGL draws later than its calls return. */
  finish(): void;
  dispose(): void;
}

/** A tile as uploaded: `cells[2 * (lane * buckets + bucket)]`. */
export interface TileCells {
  readonly buckets: number;
  readonly cells: Uint32Array;
}

/** A lane in whole device pixels. */
export interface LaneBand {
  readonly top: number;
  readonly height: number;
}

export const bandTop = ({ top, pitch }: LaneBands, lane: number): number => Math.floor(top + lane * pitch + 0.5);

/** Where a lane ends, without the gap below it. */
export const bandBottom = (lanes: LaneBands, lane: number): number =>
  Math.max(bandTop(lanes, lane) + 1, bandTop(lanes, lane + 1) - lanes.gap);

export function laneBand(lanes: LaneBands, lane: number): LaneBand {
  const top = bandTop(lanes, lane);
  return { top, height: bandBottom(lanes, lane) - top };
}

/** A half-open range of lanes. */
export interface VisibleLanes {
  readonly first: number;
  readonly end: number;
}

/** The lanes that are at least partly on a screen of this height. */
export function visibleLanes(lanes: LaneBands, height: number): VisibleLanes {
  const first = Math.max(0, Math.floor(-lanes.top / lanes.pitch));
  const end = Math.min(lanes.count, Math.ceil((height - lanes.top) / lanes.pitch));
  return { first: Math.min(first, lanes.count), end: Math.max(end, first) };
}
