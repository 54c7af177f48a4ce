/** The cell surface on a 2D canvas: the same pixels as `CellsWebgl`, for browsers without WebGL2. */
import {
  type CellFrame,
  type CellSegment,
  type CellSurface,
  laneBand,
  PALETTES,
  type Rgb,
  visibleLanes,
} from './cells';
import { type Column, columnColour, mergeColumn, pixelColour, spreadColumn, type TileCells } from './merge';
import { BAR_HEIGHT, COLUMN_INFERRED, COLUMN_MERGED, COLUMN_UNKNOWN } from './shaders';

export class Cells2d implements CellSurface {
  readonly kind = '2d';
  readonly software = true;
  readonly maxSlots = 64;
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #tiles = new Map<number, TileCells>();
  readonly #palettes: Uint8Array[] = Array.from({ length: PALETTES }, () => new Uint8Array(0));
  #image: ImageData | null = null;

  constructor(canvas: HTMLCanvasElement, context: CanvasRenderingContext2D) {
    this.#canvas = canvas;
    this.#context = context;
  }

  resize(width: number, height: number): void {
    if (this.#canvas.width !== width) this.#canvas.width = width;
    if (this.#canvas.height !== height) this.#canvas.height = height;
  }

  allocate(): void {
    this.#tiles.clear();
  }

  upload(slot: number, buckets: number, cells: Uint32Array): void {
    this.#tiles.set(slot, { buckets, cells });
  }

  setPalette(palette: number, rgba: Uint8Array): void {
    this.#palettes[palette] = rgba;
  }

  draw(frame: CellFrame): void {
    const { width, height } = this.#canvas;
    if (width === 0 || height === 0) return;
    if (this.#image === null || this.#image.width !== width || this.#image.height !== height) {
      this.#image = this.#context.createImageData(width, height);
    }
    // One store for each pixel. The words are little-endian RGBA on every machine that browsers run on.
    const pixels = new Uint32Array(this.#image.data.buffer);
    pixels.fill(packed(frame.style.background));
    const lanes = visibleLanes(frame.lanes, height);
    const column: Column = { key: 0, highlight: false, fill: 0, flags: 0 };
    for (const segment of frame.segments) {
      const tiles = segment.slots.map((slot) => this.#tiles.get(slot));
      for (let lane = lanes.first; lane < lanes.end; lane++) {
        const band = laneBand(frame.lanes, lane);
        for (let x = Math.max(0, segment.x0); x < Math.min(width, segment.x1); x++) {
          mergeColumn(segment, tiles, lane, x, column);
          if (column.fill !== 0 || column.flags !== 0) this.#paint(pixels, frame, segment, column, x, band);
        }
      }
    }
    this.#context.putImageData(this.#image, 0, 0);
  }

  dispose(): void {
    this.#tiles.clear();
    this.#image = null;
  }

  #paint(
    pixels: Uint32Array,
    frame: CellFrame,
    segment: CellSegment,
    column: Column,
    x: number,
    band: { readonly top: number; readonly height: number },
  ): void {
    const { width, height } = this.#canvas;
    const { style } = frame;
    const ratio = Math.max(1, Math.round(style.pixelRatio));
    const colour = columnColour(column, this.#colour(segment.palette, column.key), style);
    const end = Math.min(height, band.top + band.height);
    const striped = (column.flags & (COLUMN_UNKNOWN | COLUMN_INFERRED)) !== 0;
    const barred = (column.flags & COLUMN_MERGED) !== 0 && band.height >= BAR_HEIGHT * ratio;
    let value = 0;
    let last = -1;
    for (let y = Math.max(0, band.top); y < end; y++) {
      const share = barred || last < 0 ? spreadColumn(column, y - band.top, band.height, ratio) : last;
      if (striped || share !== last) value = packed(pixelColour(column, colour, share, x, y, style));
      last = share;
      pixels[y * width + x] = value;
    }
  }

  #colour(palette: number, key: number): Rgb {
    const rgba = this.#palettes[palette];
    const at = 4 * key;
    return [(rgba?.[at] ?? 0) / 255, (rgba?.[at + 1] ?? 0) / 255, (rgba?.[at + 2] ?? 0) / 255];
  }
}

function packed(colour: Rgb): number {
  const byte = (value: number): number => Math.round(value * 255);
  return (0xff000000 | (byte(colour[2]) << 16) | (byte(colour[1]) << 8) | byte(colour[0])) >>> 0;
}
