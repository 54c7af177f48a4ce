/** Rows of device pixels on lanes: painted into one picture, which is then drawn lane by lane. */
import type { Timescale } from '../frame/timescale';

/** Where a lane's row is, in device pixels from the plot's top; its `rows` of pixels are stretched to `height`. */
export interface RowPlace {
  readonly top: number;
  readonly height: number;
  /** 0: the lane has no room. */
  readonly rows: number;
}

/** A lane of the picture: its words of pixels begin at `offset`, `width` for each of its rows. */
export interface PixelLane {
  readonly out: Uint32Array;
  readonly offset: number;
  readonly width: number;
  readonly rows: number;
}

/** What is painted on a lane: how many columns have something, and the most at one time. */
export interface PaintedRow {
  readonly columns: number;
  readonly most: number;
}

export const NO_ROW: PaintedRow = { columns: 0, most: 0 };

/** The columns of a row in which `values` are more than 0, and the greatest. */
export function paintedRow(values: Iterable<number>): PaintedRow {
  let [columns, most] = [0, 0];
  for (const value of values) {
    if (value > 0) columns++;
    if (value > most) most = value;
  }
  return { columns, most };
}

export class LaneRows {
  /** Only a canvas can be drawn stretched. */
  #canvas: HTMLCanvasElement | null = null;
  #pixels: ImageData | null = null;

  /** Paints the lanes from `first` to before `end`, all of which have as many rows as the first. */
  paint(
    context: CanvasRenderingContext2D,
    { width, pixelRatio }: Timescale,
    { first, end }: { readonly first: number; readonly end: number },
    place: (lane: number) => RowPlace,
    row: (lane: number, out: PixelLane) => PaintedRow,
  ): PaintedRow[] {
    const { rows } = place(first);
    const pixels = this.#empty(width, Math.max(1, rows * (end - first)));
    const out = new Uint32Array(pixels.data.buffer);
    const painted: PaintedRow[] = [];
    for (let lane = first; lane < end; lane++) {
      painted.push(row(lane, { out, offset: rows * (lane - first) * width, width, rows }));
    }
    const image = this.#imageOf(pixels);
    if (image === null) return painted;
    context.save();
    context.scale(1 / pixelRatio, 1 / pixelRatio);
    context.imageSmoothingEnabled = false;
    for (let lane = first; lane < end; lane++) {
      const { top, height } = place(lane);
      context.drawImage(image, 0, rows * (lane - first), width, rows, 0, top, width, height);
    }
    context.restore();
    return painted;
  }

  /** A picture of the same size is used again: a new one for each frame would be much to collect. */
  #empty(width: number, height: number): ImageData {
    const known = this.#pixels;
    if (known?.width === width && known.height === height) {
      known.data.fill(0);
      return known;
    }
    this.#pixels = new ImageData(width, height);
    return this.#pixels;
  }

  /** null: there is no room for another canvas. */
  #imageOf(pixels: ImageData): HTMLCanvasElement | null {
    this.#canvas ??= document.createElement('canvas');
    const canvas = this.#canvas;
    if (canvas.width !== pixels.width) canvas.width = pixels.width;
    if (canvas.height !== pixels.height) canvas.height = pixels.height;
    const context = canvas.getContext('2d');
    context?.putImageData(pixels, 0, 0);
    return context === null ? null : canvas;
  }
}
