/**
 * Lines over device-pixel columns, drawn by webgl-plot on a WebGL2 context without antialias (it asks for WebGL 1 with
 * antialias, which costs software renderers four times as much), or on a 2D canvas.
 */
import { ColorRGBA, WebglLine, WebglPlot } from 'webgl-plot';
import type { Rgb } from './cells';
import type { GlContext } from './context';

/** A strip through two points for each column, in y units. `offset`: device pixels upwards, to thicken a line. */
export interface PlotLine {
  readonly colour: Rgb;
  readonly points: Float32Array;
  readonly offset: number;
}

export interface LinePlot {
  readonly kind: 'webgl2' | '2d';
  /** Whether the CPU draws, so that every pixel costs time. */
  readonly software: boolean;
  resize(width: number, height: number): void;
  /** Draws the lines one over another; `top` is the y value at the upper edge, 0 is `base` device pixels from below. */
  draw(lines: readonly PlotLine[], top: number, base: number, background: Rgb): void;
  dispose(): void;
}

export class LinePlotWebgl implements LinePlot {
  readonly kind = 'webgl2';
  readonly software: boolean;
  readonly #canvas: HTMLCanvasElement;
  readonly #gl: WebGL2RenderingContext;
  readonly #plot: WebglPlot;
  #lines: WebglLine[] = [];

  constructor(canvas: HTMLCanvasElement, { gl, software }: GlContext) {
    this.software = software;
    this.#canvas = canvas;
    this.#gl = gl;
    this.#plot = plotOn(canvas, gl);
  }

  resize(width: number, height: number): void {
    if (this.#canvas.width !== width) this.#canvas.width = width;
    if (this.#canvas.height !== height) this.#canvas.height = height;
  }

  draw(lines: readonly PlotLine[], top: number, base: number, background: Rgb): void {
    const plot = this.#plot;
    const { width, height } = this.#canvas;
    this.#gl.viewport(0, 0, width, height);
    this.#gl.clearColor(...background, 1);
    this.#fit(plot, lines);
    lines.forEach(({ colour, points, offset }, i) => {
      const line = this.#lines[i];
      if (line === undefined) return;
      line.color = new ColorRGBA(...colour, 1);
      line.scaleY = (2 * (height - base)) / (height * top);
      // The line goes through the middle of pixels, so that rounding is the same everywhere.
      line.offsetY = -1 + (2 * (base + offset + 0.5)) / height;
      for (let point = 0; point < points.length; point++) {
        line.setX(point, (2 * ((point >> 1) + 0.5)) / width - 1);
        line.setY(point, points[point] ?? 0);
      }
    });
    plot.update();
  }

  dispose(): void {
    this.#gl.getExtension('WEBGL_lose_context')?.loseContext();
  }

  /** Creates lines that fit: webgl-plot's lines have a fixed number of points. */
  #fit(plot: WebglPlot, lines: readonly PlotLine[]): void {
    const fits =
      this.#lines.length === lines.length &&
      lines.every(({ points }, i) => this.#lines[i]?.numPoints === points.length);
    if (fits) return;
    plot.removeAllLines();
    this.#lines = lines.map(({ points }) => {
      const line = new WebglLine(new ColorRGBA(0, 0, 0, 1), points.length);
      plot.addLine(line);
      return line;
    });
  }
}

/**
 * webgl-plot takes a canvas and asks it for a context; it uses no more of it than what is here. It is given the context
 * that the pane already has, and only a cast can do this, because its type wants a whole canvas.
 */
function plotOn(canvas: HTMLCanvasElement, gl: WebGL2RenderingContext): WebglPlot {
  const facade = { getContext: () => gl, width: canvas.width, height: canvas.height };
  return new WebglPlot(facade as unknown as HTMLCanvasElement);
}

export class LinePlot2d implements LinePlot {
  readonly kind = '2d';
  readonly software = true;
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;

  constructor(canvas: HTMLCanvasElement, context: CanvasRenderingContext2D) {
    this.#canvas = canvas;
    this.#context = context;
  }

  resize(width: number, height: number): void {
    if (this.#canvas.width !== width) this.#canvas.width = width;
    if (this.#canvas.height !== height) this.#canvas.height = height;
  }

  draw(lines: readonly PlotLine[], top: number, base: number, background: Rgb): void {
    const { width, height } = this.#canvas;
    const context = this.#context;
    context.fillStyle = cssColour(background);
    context.fillRect(0, 0, width, height);
    for (const { colour, points, offset } of lines) {
      context.strokeStyle = cssColour(colour);
      context.beginPath();
      for (let point = 0; point < points.length; point++) {
        const y = height - 0.5 - base - offset - ((points[point] ?? 0) * (height - base)) / top;
        context.lineTo((point >> 1) + 0.5, Math.round(y - 0.5) + 0.5);
      }
      context.stroke();
    }
  }

  dispose(): void {
    // A 2D context holds nothing besides its canvas.
  }
}

function cssColour([r, g, b]: Rgb): string {
  return `rgb(${Math.round(r * 255)} ${Math.round(g * 255)} ${Math.round(b * 255)})`;
}
