/**
 * Running and waiting: how many tasks run (green), how many are runnable (red behind it), and for how many CPUs that is
 * known (dotted); hatched where it is known for none. A strip below shows when some task waits behind another while
 * some CPU idles.
 */
import { formatPercent, plural } from '../../../base/format';
import type { Observable } from '../../../base/observable';
import { cssPx, devPx, ns } from '../../../base/units';
import type { EngineClient } from '../../../engine/client';
import type { GraphicsChoice } from '../../../gl/choice';
import { type LinePlot, LinePlot2d, LinePlotWebgl, type PlotLine } from '../../../gl/linePlot';
import { Renderer } from '../../../gl/renderer';
import { toRgb } from '../../frame/colours';
import type { Layer } from '../../frame/frameLoop';
import { GUTTER, LOST, PlotFrame } from '../../frame/plotFrame';
import type { SceneModel } from '../../frame/sceneModel';
import type { SceneTheme } from '../../frame/theme';
import { Timescale } from '../../frame/timescale';
import { paintCountAxis, paintCpuLine } from '../../overlay/axes';
import { paintMoments } from '../../overlay/eventMarks';
import { inPlot, paintGrid, paintHatch, paintRange } from '../../overlay/paint';
import { paintTimeMarks } from '../../overlay/timeMarks';
import { type TileValues, TrackTiles } from '../../tiles/trackTiles';
import { axisTicks } from '../cpu/lanesPane';
import {
  type ConservationColumns,
  conservationColumns,
  emptyConservation,
  violationStrips,
} from './conservationColumns';
import {
  areaPoints,
  type CurveColumns,
  cpuSteps,
  curveColumns,
  emptyColumns,
  linePoints,
  untoldStretches,
} from './curveColumns';
import { conservationTiles, curveTiles } from './curveTiles';

const ROOM = { kept: 128, asked: 64 };
/** Scales the highest value, to leave free room above it. */
const HEADROOM = 1.08;
/** CSS pixels below the zero line: room for its label and for the strip of violations. */
const BASE = 13;
const STRIP = 7;

export class RunningPane {
  readonly frame: PlotFrame;
  readonly #renderer: Renderer<LinePlot>;
  readonly #unsubscribe: () => void;
  readonly #curveTiles: TrackTiles<'curve', TileValues>;
  /** Arrives later than the curve, because it needs the runqueues. */
  readonly #conservationTiles: TrackTiles<'conservation', TileValues>;
  #scale = new Timescale({ start: ns(0), end: ns(1) }, devPx(1), 1);
  #columns: CurveColumns = emptyColumns(0);
  #conservation: ConservationColumns = emptyConservation(0);
  #maxRunnable = 0;
  /** Whether the canvas is new and still empty. */
  #blank = false;
  #drawn = 0;

  constructor(
    element: HTMLElement,
    engine: EngineClient,
    choice: Observable<GraphicsChoice>,
    invalidate: (...layers: readonly Layer[]) => void,
  ) {
    this.frame = new PlotFrame(element, cssPx(0), () => invalidate('window'));
    this.#renderer = new Renderer<LinePlot>({
      graphics: choice.get().graphics,
      canvas: this.frame.canvas,
      renewCanvas: () => this.frame.renewCanvas(),
      webgl: (canvas, context) => new LinePlotWebgl(canvas, context),
      flat: (canvas, context) => new LinePlot2d(canvas, context),
      changed: () => {
        this.frame.veil(this.kind === 'lost' ? LOST : null);
        this.#blank = true;
        invalidate('curve');
      },
    });
    if (this.kind === 'lost') this.frame.veil(LOST);
    this.#unsubscribe = choice.subscribe(() => choice.get().graphics === '2d' && this.#renderer.goFlat());
    this.#curveTiles = new TrackTiles(engine, curveTiles(ROOM), (_slot, _buckets, { most }) => {
      this.#maxRunnable = most;
      invalidate('curve');
    });
    this.#conservationTiles = new TrackTiles(engine, conservationTiles(ROOM), () => invalidate('curve'));
  }

  get scale(): Timescale {
    return this.#scale;
  }

  get kind(): Renderer<LinePlot>['kind'] {
    return this.#renderer.kind;
  }

  /** How often the curves were drawn. */
  get drawn(): number {
    return this.#drawn;
  }

  get inFlight(): number {
    return this.#curveTiles.inFlight + this.#conservationTiles.inFlight;
  }

  get idle(): boolean {
    return this.#curveTiles.idle && this.#conservationTiles.idle;
  }

  /** The columns that were drawn last. */
  get columns(): CurveColumns {
    return this.#columns;
  }

  /** The columns of work conservation that were drawn last. */
  get conservation(): ConservationColumns {
    return this.#conservation;
  }

  /** Drops everything: it belongs to another trace. */
  reset(): void {
    this.#curveTiles.reset();
    this.#conservationTiles.reset();
    this.#maxRunnable = 0;
  }

  /** Asks for what the frame will need. Curves are known once the whole trace is loaded. */
  request(model: SceneModel): void {
    this.#curveTiles.request(model, [], this.frame.deviceWidth, null);
    this.#conservationTiles.request(model, [], this.frame.deviceWidth, null);
  }

  draw(model: SceneModel, layers: ReadonlySet<Layer>): void {
    this.#scale = new Timescale(model.window, this.frame.deviceWidth, this.frame.pixelRatio);
    const moved = layers.has('window');
    if (moved || layers.has('curve') || this.#blank) this.#drawCurve(model);
    if (moved || layers.has('overlay') || layers.has('curve')) this.#drawOverlay(model);
  }

  dispose(): void {
    this.#curveTiles.reset();
    this.#conservationTiles.reset();
    this.#unsubscribe();
    this.#renderer.dispose();
    this.frame.dispose();
  }

  #drawCurve(model: SceneModel): void {
    const { frame } = this;
    if (this.#columns.width !== frame.deviceWidth) this.#columns = emptyColumns(frame.deviceWidth);
    curveColumns(this.#curveTiles.cover(model, this.#scale, [null]), this.#scale, this.#columns);
    if (this.#conservation.width !== frame.deviceWidth) this.#conservation = emptyConservation(frame.deviceWidth);
    const conservation = this.#conservationTiles.cover(model, this.#scale, [null]);
    conservationColumns(conservation, this.#scale, this.#conservation);
    const top = this.#topOf(model);
    const { surface } = this.#renderer;
    if (surface !== null) {
      const rowRatio = frame.rowRatio(surface.software);
      const base = Math.round(BASE * rowRatio);
      surface.resize(frame.deviceWidth, Math.max(1, Math.round(frame.height * rowRatio)));
      surface.draw(plotLines(this.#columns, model.theme, rowRatio), top, base, toRgb(model.theme.background));
      this.#drawn++;
      this.#blank = false;
    }
  }

  /** The value at the upper edge. */
  #topOf({ trace }: SceneModel): number {
    return Math.max(1, trace?.cpuCount ?? 0, this.#maxRunnable) * HEADROOM;
  }

  #drawOverlay(model: SceneModel): void {
    const { frame } = this;
    const context = frame.clearOverlay();
    if (context === null) return;
    paintCountAxis(context, frame, frame.height - BASE, this.#topOf(model), model.theme);
    if (model.trace === null) return;
    inPlot(context, frame.axisHeight, frame.width, frame.height, () => {
      this.#paintUntold(context, model);
      paintGrid(context, axisTicks(model, frame.width).ticks, this.#scale, frame.height, model.theme.grid);
      this.#paintViolations(context, model.theme.violation);
      if (model.range !== null) paintRange(context, model.range, this.#scale, frame.height, model);
      paintMoments(context, model.view, this.#scale, frame.height, model.theme);
      paintTimeMarks(context, model.view.timeMarks, this.#scale, frame.height, model.theme);
      this.#paintCpuLine(context, model);
    });
  }

  #paintCpuLine(context: CanvasRenderingContext2D, model: SceneModel): void {
    const { frame } = this;
    const [height, top] = [frame.height - BASE, this.#topOf(model)];
    const cpus = model.trace?.cpuCount ?? 0;
    const steps = cpuSteps(this.#columns, cpus);
    const line = steps.map((step) => ({
      x0: step.x0 / frame.pixelRatio,
      x1: step.x1 / frame.pixelRatio,
      y: height * (1 - step.cpus / top),
    }));
    const last = steps.at(-1)?.cpus ?? cpus;
    const text = last < cpus ? `${last} of ${plural(cpus, 'CPU')} known` : plural(cpus, 'CPU');
    paintCpuLine(context, frame.width, line, text, model.theme);
  }

  /** Hatches what is unknown: all of the plot where nothing is known, else as many CPUs as are unknown. */
  #paintUntold(context: CanvasRenderingContext2D, model: SceneModel): void {
    const { pixelRatio, height } = this.frame;
    const all = model.trace?.cpuCount ?? 0;
    const y = (cpus: number): number => (height - BASE) * (1 - cpus / this.#topOf(model));
    for (const { x0, x1, cpus } of cpuSteps(this.#columns, all)) {
      if (cpus === 0 || cpus === all) continue;
      const place = { left: x0 / pixelRatio, right: x1 / pixelRatio, top: y(all), height: y(cpus) };
      paintHatch(context, place, model.theme);
    }
    for (const { x0, x1 } of untoldStretches(this.#columns)) {
      paintHatch(context, { left: x0 / pixelRatio, right: x1 / pixelRatio, height }, model.theme);
    }
  }

  /** Paints violations in whole device pixels, so that every column with one is seen. */
  /** Whether a place of the plot is on the strip of violations; `y` is in CSS pixels below the axis. */
  isOnStrip(y: number): boolean {
    return y >= this.frame.height - this.frame.axisHeight - STRIP;
  }

  #paintViolations(context: CanvasRenderingContext2D, colour: string): void {
    const { pixelRatio, height } = this.frame;
    context.fillStyle = colour;
    for (const { x, width, share } of violationStrips(this.#conservation)) {
      context.globalAlpha = 0.4 + 0.6 * share;
      context.fillRect(x / pixelRatio, height - STRIP, width / pixelRatio, STRIP);
    }
    context.globalAlpha = 1;
  }

  /** Places the elements that follow the pointer. */
  drawHover(model: SceneModel): void {
    const { crosshair, chip, width } = this.frame;
    const { hover, theme } = model;
    const x = hover.at === null ? -1 : this.#scale.timeToCssPx(hover.at);
    const shown = model.trace !== null && x >= 0 && x <= width;
    crosshair.place(shown ? GUTTER + x : null, theme);
    const text = shown ? this.#textAt(Math.min(this.#columns.width - 1, Math.floor(x * this.frame.pixelRatio))) : null;
    chip.say(text, theme);
    if (text === null) return;
    const left = x > width / 2 ? x - 8 - chip.width : Math.min(x + 8, width - chip.width);
    chip.place(Math.max(0, GUTTER + left), 4);
  }

  /** `31 running, 4 waiting`; with the least and the most where a column holds several values. */
  #textAt(x: number): string | null {
    const { known, untold, leastRunning, mostRunning, leastRunnable, mostRunnable } = this.#columns;
    if (untold[x] === 1) return 'not known';
    if (known[x] !== 1) return null;
    const range = (least: number, most: number): string => (least === most ? `${least}` : `${least}–${most}`);
    const running = range(leastRunning[x] ?? 0, mostRunning[x] ?? 0);
    const part = (share: number | undefined, what: string): string => {
      if (share === undefined || share === 0) return '';
      return `; ${what}${share < 65535 ? `, ${formatPercent(share / 65535)} of this pixel` : ''}`;
    };
    const { behind, leavingIdle } = this.#conservation;
    const waits =
      part(behind[x], 'tasks queue behind others while CPUs are idle') + part(leavingIdle[x], 'a CPU was waking up');
    const least = leastRunnable[x] ?? 0;
    const most = mostRunnable[x] ?? 0;
    // Of several values, the least of both may not belong to one moment.
    const isOne = least === most && leastRunning[x] === mostRunning[x];
    const runnable = isOne ? `${most - (mostRunning[x] ?? 0)} waiting` : `${range(least, most)} running or waiting`;
    return `${running} running, ${runnable}${waits}`;
  }
}

/** Areas come first, then red, then green: red is seen where more tasks are runnable than run. */
function plotLines(columns: CurveColumns, theme: SceneTheme, rowRatio: number): PlotLine[] {
  const { known } = columns;
  // A line on the ground would say that nothing runs.
  if (!known.includes(1)) return [];
  const runnable = linePoints(columns.leastRunnable, columns.mostRunnable, known);
  const running = linePoints(columns.leastRunning, columns.mostRunning, known);
  const thickness = Math.max(1, Math.round(1.5 * rowRatio));
  const thick = (colour: string, points: Float32Array): PlotLine[] =>
    Array.from({ length: thickness }, (_, offset) => ({ colour: toRgb(colour), points, offset }));
  return [
    { colour: toRgb(theme.runningFill), points: areaPoints(null, columns.mostRunning, known), offset: 0 },
    {
      colour: toRgb(theme.overloadFill),
      points: areaPoints(columns.mostRunning, columns.mostRunnable, known),
      offset: 0,
    },
    ...thick(theme.runnable, runnable),
    ...thick(theme.running, running),
  ];
}
