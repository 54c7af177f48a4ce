/** The cell surface on a 2D canvas: the same pixels as `CellsWebgl`, for browsers without WebGL2. */
import {
  barShares,
  type CellFrame,
  type CellStyle,
  type CellSurface,
  type LaneBand,
  laneBand,
  PALETTES,
  type Rgb,
  visibleLanes,
} from './cells';
import { columnTexel, mergeColumn, newColumn, onStripe, type Texel, type TileCells, texelColour } from './merge';
import { LEVELS, PATTERNS } from './shaders';

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
    const bars = barShares(frame.lanes, frame.style.pixelRatio);
    const column = newColumn();
    for (const segment of frame.segments) {
      const tiles = segment.slots.map((slot) => this.#tiles.get(slot));
      for (let lane = lanes.first; lane < lanes.end; lane++) {
        const band = laneBand(frame.lanes, lane);
        for (let x = Math.max(0, segment.x0); x < Math.min(width, segment.x1); x++) {
          mergeColumn(segment, tiles, lane, x, column);
          if (column.full === 0 && column.pattern === PATTERNS.none) continue;
          const colour = this.#colour(segment.palette, column.key);
          this.#paint(pixels, columnTexel(column, colour, frame.style, bars), frame.style, x, band);
        }
      }
    }
    this.#context.putImageData(this.#image, 0, 0);
  }

  dispose(): void {
    this.#tiles.clear();
    this.#image = null;
  }

  #paint(pixels: Uint32Array, texel: Texel, style: CellStyle, x: number, { top, height }: LaneBand): void {
    const canvas = this.#canvas;
    const end = Math.min(canvas.height, top + height);
    const bar = (texel.level / LEVELS) * height;
    const plain = texel.pattern === PATTERNS.none;
    const words = [
      packed(texelColour(texel, false, false, style)),
      packed(texelColour(texel, true, false, style)),
      packed(texelColour(texel, false, true, style)),
      packed(texelColour(texel, true, true, style)),
    ];
    for (let y = Math.max(0, top); y < end; y++) {
      const inside = top + height - y - 0.5 < bar ? 1 : 0;
      const striped = plain || !onStripe(x, canvas.height - 1 - y, style) ? 0 : 2;
      pixels[y * canvas.width + x] = words[inside + striped] ?? 0;
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
