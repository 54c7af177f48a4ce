/** The cell surface on a 2D canvas: the same pixels as `CellsWebgl`, for browsers without WebGL2. */
import {
  type CellFrame,
  type CellStyle,
  type CellSurface,
  type LaneBand,
  laneBand,
  PALETTES,
  type TileCells,
  visibleLanes,
} from './cells';
import { mergeColumns, packColour, unpackTexel } from './columns';
import { barRows, groundAt, onStripe, texelColour } from './mergeColumn';
import { LEVELS, PATTERNS } from './shaders';

export class Cells2d implements CellSurface {
  readonly kind = '2d';
  readonly software = true;
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #tiles = new Map<number, TileCells>();
  readonly #palettes: Uint8Array[] = Array.from({ length: PALETTES }, () => new Uint8Array(0));
  #image: ImageData | null = null;
  #texels = new Uint32Array(0);

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
    // One store for each pixel. The words are little-endian RGBA on every machine on which browsers run.
    const pixels = new Uint32Array(this.#image.data.buffer);
    pixels.fill(packColour(frame.style.background));
    const lanes = visibleLanes(frame.lanes, height);
    const length = width * (lanes.end - lanes.first);
    if (this.#texels.length < length) this.#texels = new Uint32Array(length);
    mergeColumns(frame, { tiles: this.#tiles, palettes: this.#palettes }, width, lanes, this.#texels);
    for (let lane = lanes.first; lane < lanes.end; lane++) {
      const row = this.#texels.subarray((lane - lanes.first) * width, (lane - lanes.first + 1) * width);
      this.#spread(pixels, row, laneBand(frame.lanes, lane), frame.style);
    }
    this.#context.putImageData(this.#image, 0, 0);
  }

  finish(): void {
    this.#context.getImageData(0, 0, 1, 1);
  }

  dispose(): void {
    this.#tiles.clear();
    this.#image = null;
  }

  /** Copies a row to all rows of the lane, then repaints the columns that have bars or patterns. */
  #spread(pixels: Uint32Array, row: Uint32Array, band: LaneBand, style: CellStyle): void {
    const { width, height } = this.#canvas;
    const first = Math.max(0, band.top);
    const end = Math.min(height, band.top + band.height);
    if (first >= end) return;
    const special: number[] = [];
    row.forEach((word, x) => {
      const code = word >>> 24;
      // Such a column has one colour over the lane's whole height: its own, or the background's.
      if (code !== LEVELS && code !== 0) special.push(x);
      pixels[first * width + x] = (word | 0xff000000) >>> 0;
    });
    for (let y = first + 1; y < end; y++) pixels.copyWithin(y * width, first * width, (first + 1) * width);
    for (const x of special) this.#paint(pixels, row[x] ?? 0, x, band, style);
  }

  #paint(pixels: Uint32Array, word: number, x: number, { top, height }: LaneBand, style: CellStyle): void {
    const canvas = this.#canvas;
    const texel = unpackTexel(word);
    const end = Math.min(canvas.height, top + height);
    const barTop = top + height - barRows(texel.level, height);
    const plain = texel.pattern === PATTERNS.none;
    const ground = groundAt(style, x);
    const words = [
      packColour(texelColour(texel, false, false, style, ground)),
      packColour(texelColour(texel, true, false, style, ground)),
      packColour(texelColour(texel, false, true, style, ground)),
      packColour(texelColour(texel, true, true, style, ground)),
    ];
    for (let y = Math.max(0, top); y < end; y++) {
      const inside = y >= barTop ? 1 : 0;
      const striped = plain || !onStripe(x, canvas.height - 1 - y, style) ? 0 : 2;
      pixels[y * canvas.width + x] = words[inside + striped] ?? 0;
    }
  }
}
