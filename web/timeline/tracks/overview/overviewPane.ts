/**
 * The whole trace in a strip above the axis: running and waiting tasks over all its time, when tasks wait behind others
 * while CPUs idle, and the window as a brush. What it shows of the trace is painted anew only when that changes; a moved
 * window repaints veils alone.
 */
import { cssPx, devPx, ns } from '../../../base/units';
import type { EngineClient } from '../../../engine/client';
import type { TrackKind } from '../../../engine/protocolTracks';
import type { Layer } from '../../frame/frameLoop';
import { GUTTER, PlotFrame } from '../../frame/plotFrame';
import type { SceneModel } from '../../frame/sceneModel';
import type { SceneTheme } from '../../frame/theme';
import { Timescale } from '../../frame/timescale';
import { inPlot, paintHatch } from '../../overlay/paint';
import { type TileValues, TrackTiles } from '../../tiles/trackTiles';
import { conservationColumns, emptyConservation, violationStrips } from '../curve/conservationColumns';
import { type CurveColumns, curveColumns, emptyColumns, untoldStretches } from '../curve/curveColumns';
import { conservationTiles, curveTiles } from '../curve/curveTiles';
import type { LanePainter, PaintedLane } from '../lanePainter';
import { OVERVIEW_PAINTERS } from '../registry';

/** The tiles of two widths of the screen: the whole trace is a few. */
const ROOM = { kept: 16, asked: 8 };
/** Height of the strip of violations, and of the place of a selected range, in CSS pixels. */
const STRIP = 4;
/** Width of the window's edges; the window is never narrower. */
const EDGE = 2;
const NAME = '/overview';

export class OverviewPane {
  readonly frame: PlotFrame;
  readonly #context: CanvasRenderingContext2D | null;
  readonly #curve: TrackTiles<'curve', TileValues>;
  readonly #conservation: TrackTiles<'conservation', TileValues>;
  readonly #painters: readonly LanePainter[];
  #scale = new Timescale({ start: ns(0), end: ns(1) }, devPx(1), 1);
  #most = 0;
  /** What the picture of the trace was painted for. */
  #painted: readonly unknown[] = [];
  #arrived = 0;
  #drawn = 0;
  /** The window's edges in CSS pixels of the plot. */
  #brush: { readonly from: number; readonly to: number } = { from: 0, to: 0 };

  constructor(element: HTMLElement, engine: EngineClient, invalidate: (...layers: readonly Layer[]) => void) {
    this.frame = new PlotFrame(element, cssPx(0), () => invalidate('window'));
    this.#context = this.frame.canvas.getContext('2d');
    const arrived = (): void => {
      this.#arrived++;
      invalidate('overview');
    };
    this.#curve = new TrackTiles(
      engine,
      curveTiles(ROOM),
      (_slot, _buckets, { most }) => {
        this.#most = Math.max(this.#most, most);
        arrived();
      },
      NAME,
    );
    this.#conservation = new TrackTiles(engine, conservationTiles(ROOM), arrived, NAME);
    this.#painters = OVERVIEW_PAINTERS.map((make) => make(engine, arrived, () => invalidate('request', 'overview')));
  }

  get scale(): Timescale {
    return this.#scale;
  }

  get idle(): boolean {
    return [this.#curve, this.#conservation, ...this.#painters].every(({ idle }) => idle);
  }

  get inFlight(): number {
    return [this.#curve, this.#conservation, ...this.#painters].reduce((sum, { inFlight }) => sum + inFlight, 0);
  }

  /** What its painters painted last. */
  painted(kind: TrackKind): readonly PaintedLane[] {
    return this.#painters.find((painter) => painter.kind === kind)?.painted ?? [];
  }

  /** How often the picture of the trace was painted. */
  get drawn(): number {
    return this.#drawn;
  }

  get brush(): { readonly from: number; readonly to: number } {
    return this.#brush;
  }

  /** Drops everything: it belongs to another trace. */
  reset(): void {
    this.#curve.reset();
    this.#conservation.reset();
    for (const painter of this.#painters) painter.reset();
    this.#most = 0;
  }

  request(model: SceneModel): void {
    const whole = { ...model, target: model.everything };
    this.#curve.request(whole, [], this.frame.deviceWidth, null);
    this.#conservation.request(whole, [], this.frame.deviceWidth, null);
    for (const painter of this.#painters) painter.request(whole, this.frame.deviceWidth);
  }

  draw(model: SceneModel, layers: ReadonlySet<Layer>): void {
    const { frame } = this;
    this.#scale = new Timescale(model.everything, frame.deviceWidth, frame.pixelRatio);
    const moved = layers.has('window');
    if (moved || layers.has('overview')) this.#drawTrace(model);
    if (moved || layers.has('overlay')) this.#drawWindow(model);
  }

  dispose(): void {
    this.reset();
    for (const painter of this.#painters) painter.dispose?.();
    this.frame.dispose();
  }

  #drawTrace(model: SceneModel): void {
    const { frame } = this;
    const { trace, theme, everything, view } = model;
    const width = frame.deviceWidth;
    const height = Math.max(1, Math.round(frame.height * frame.pixelRatio));
    const wanted = [trace?.session, everything.start, everything.end, width, height, theme, this.#arrived, view.filter];
    if (this.#context === null || wanted.every((part, index) => part === this.#painted[index])) return;
    this.#painted = wanted;
    this.#drawn++;
    const { canvas } = frame;
    // Setting the size clears the canvas too.
    canvas.width = width;
    canvas.height = height;
    const columns = emptyColumns(width);
    curveColumns(this.#curve.cover(model, this.#scale, [null]), this.#scale, columns);
    const conservation = emptyConservation(width);
    conservationColumns(this.#conservation.cover(model, this.#scale, [null]), this.#scale, conservation);
    const top = Math.max(1, trace?.cpuCount ?? 0, this.#most);
    const strip = Math.round(STRIP * frame.pixelRatio);
    paintCurve(this.#context, columns, { height: height - strip, top, theme });
    for (const { x0, x1 } of untoldStretches(columns)) {
      paintHatch(this.#context, { left: x0, right: x1, height: height - strip }, theme);
    }
    this.#context.fillStyle = theme.violation;
    for (const { x, width: wide, share } of violationStrips(conservation)) {
      this.#context.globalAlpha = 0.4 + 0.6 * share;
      this.#context.fillRect(x, height - strip, wide, strip);
    }
    this.#context.globalAlpha = 1;
    const pitch = cssPx(frame.height);
    this.#context.save();
    this.#context.scale(frame.pixelRatio, frame.pixelRatio);
    for (const painter of this.#painters) {
      painter.paint(this.#context, model, this.#scale, { count: 1, height: pitch, pitch, top: cssPx(0) });
    }
    this.#context.restore();
  }

  /** Veils what is outside the window, and marks the range, the selected run, A and B. */
  #drawWindow({ window, theme, range, selected, view, trace }: SceneModel): void {
    const { frame } = this;
    const context = frame.clearOverlay();
    if (context === null || trace === null) return;
    const from = this.#scale.timeToCssPx(window.start);
    const to = Math.max(from + 2 * EDGE, this.#scale.timeToCssPx(window.end));
    this.#brush = { from, to };
    inPlot(context, 0, frame.width, frame.height, () => {
      context.fillStyle = theme.aside;
      context.fillRect(0, 0, from, frame.height);
      context.fillRect(to, 0, frame.width - to, frame.height);
      context.fillStyle = theme.selection;
      context.fillRect(from, 0, EDGE, frame.height);
      context.fillRect(to - EDGE, 0, EDGE, frame.height);
      if (range !== null) {
        const left = this.#scale.timeToCssPx(range.start);
        context.fillRect(left, 0, Math.max(EDGE, this.#scale.timeToCssPx(range.end) - left), STRIP);
      }
      const tick = (at: number, colour: string): void => {
        context.fillStyle = colour;
        context.fillRect(Math.round(this.#scale.timeToCssPx(ns(at))), 0, 1, frame.height);
      };
      if (selected !== null) tick(selected.start, theme.selection);
      for (const at of [view.timeMarks.a, view.timeMarks.b]) if (at !== null) tick(at, theme.timeMark);
      for (const { at } of view.marks) tick(at, theme.mark);
    });
    context.fillStyle = theme.quiet;
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    context.fillText('Overview', GUTTER - 8, frame.height / 2);
    context.textAlign = 'left';
  }

  /** Places the elements that follow the pointer. */
  drawHover({ hover, theme, trace }: SceneModel): void {
    const x = trace === null || hover.at === null ? null : GUTTER + this.#scale.timeToCssPx(hover.at);
    this.frame.crosshair.place(x, theme);
  }
}

/** Bars of a device pixel: what is running, and above it what waits, each up to its most in the column. */
function paintCurve(
  context: CanvasRenderingContext2D,
  { width, known, mostRunning, mostRunnable }: CurveColumns,
  { height, top, theme }: { readonly height: number; readonly top: number; readonly theme: SceneTheme },
): void {
  const area = (most: Uint32Array, colour: string): void => {
    context.fillStyle = colour;
    context.beginPath();
    for (let x = 0; x < width; x++) {
      if (known[x] !== 1 || most[x] === 0) continue;
      const high = Math.max(1, Math.round(((most[x] ?? 0) / top) * height));
      context.rect(x, height - high, 1, high);
    }
    context.fill();
  };
  area(mostRunnable, theme.runnable);
  area(mostRunning, theme.runningFill);
  context.fillStyle = theme.running;
  for (let x = 0; x < width; x++) {
    if (known[x] !== 1) continue;
    context.fillRect(x, Math.min(height - 1, height - Math.round(((mostRunning[x] ?? 0) / top) * height)), 1, 1);
  }
}
