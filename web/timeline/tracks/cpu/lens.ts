/**
 * A lens over thin lanes: a strip in which the lanes around the pointer are high enough to be read and hit, on the time axis of all
 * lanes. It stays while the pointer is in it, so that a lane can be aimed at, and follows a pointer that leaves it. It has canvases
 * of its own, which are painted when it is placed elsewhere and when the lanes are: within it, a mouse move paints nothing.
 */
import { cssPx } from '../../../base/units';
import type { LabelRun } from '../../../engine/protocol';
import { Cells2d } from '../../../gl/cells2d';
import { type LaneLayout, LENS_PITCH, laneAt, laneBands } from '../../frame/laneLayout';
import { GUTTER, type PlotFrame, plotFont } from '../../frame/plotFrame';
import type { SceneModel } from '../../frame/sceneModel';
import type { Timescale } from '../../frame/timescale';
import { inPlot, paintCpuLabels, paintRunLabels, paintSelection } from '../../overlay/paint';
import type { TrackLabels } from '../trackLabels';
import type { CellLayer, Palette } from './cellLayer';
import { placeLabels } from './labels';

/** How many lanes it shows: as many above the pointer as below. */
const LANES = 9;

/** The lanes in the lens, and its place in the plot in CSS pixels. */
export interface LensPlace {
  readonly first: number;
  readonly count: number;
  readonly top: number;
  readonly pitch: number;
}

export class Lens {
  readonly #frame: PlotFrame;
  readonly #cells: CellLayer;
  readonly #runs: TrackLabels<LabelRun>;
  readonly #moved: () => void;
  readonly #element = document.createElement('div');
  readonly #data = document.createElement('canvas');
  /** The ground of its labels, a little higher: no label of a lane beside it is cut in two. */
  readonly #gutter = document.createElement('div');
  readonly #texts = document.createElement('canvas');
  readonly #surface: Cells2d | null;
  #palette: Palette | null = null;
  #place: LensPlace | null = null;
  /** The layout of all lanes for which it was placed. */
  #of: LaneLayout | null = null;

  /** `moved`: called when it has to be painted. `runs`: texts of runs, for this lens alone. */
  constructor(frame: PlotFrame, cells: CellLayer, runs: TrackLabels<LabelRun>, moved: () => void) {
    this.#frame = frame;
    this.#cells = cells;
    this.#runs = runs;
    this.#moved = moved;
    // Not opaque: Chromium draws the lanes' canvas wrongly where an opaque one divides it.
    const context = this.#data.getContext('2d');
    this.#surface = context && new Cells2d(this.#data, context);
    const style = { position: 'absolute', left: '0', right: '0', pointerEvents: 'none', display: 'none' };
    Object.assign(this.#element.style, style);
    this.#element.className = 'lens';
    this.#element.setAttribute('aria-hidden', 'true');
    Object.assign(this.#data.style, { position: 'absolute', left: `${GUTTER}px`, top: '0' });
    Object.assign(this.#texts.style, { position: 'absolute', left: '0', top: '0' });
    const gutter = { position: 'absolute', left: '0', top: '-9px', bottom: '-9px', width: `${GUTTER}px` };
    Object.assign(this.#gutter.style, gutter);
    this.#element.append(this.#gutter, this.#data, this.#texts);
    // What follows the pointer stays above it.
    frame.crosshair.element.before(this.#element);
  }

  get idle(): boolean {
    return this.#runs.idle;
  }

  /** null while it is nowhere. */
  get place(): LensPlace | null {
    return this.#place;
  }

  /** The lanes as they are in the lens, as a layout of the plot; null while it is nowhere. */
  get layout(): LaneLayout | null {
    if (this.#place === null || this.#of === null) return null;
    const { first, top } = this.#place;
    return { ...this.#of, pitch: cssPx(LENS_PITCH), top: cssPx(top - first * LENS_PITCH) };
  }

  /** Whether a point of the plot is in the lens. */
  covers(y: number): boolean {
    return this.#place !== null && y >= this.#place.top && y < this.#place.top + this.#place.count * LENS_PITCH;
  }

  shows(lane: number): boolean {
    return this.#place !== null && lane >= this.#place.first && lane < this.#place.first + this.#place.count;
  }

  /** The pointer is at `y` of the plot, whose lanes have that layout; null: it has left. */
  point(layout: LaneLayout, y: number | null): void {
    const of = this.#of;
    const isSame = of?.pitch === layout.pitch && of.top === layout.top && of.height === layout.height;
    if (y !== null && isSame && this.covers(y)) return;
    const lane = y === null || layout.pitch >= LENS_PITCH ? null : laneAt(layout, cssPx(y));
    this.#of = layout;
    if (y === null || lane === null) {
      this.#place = null;
      this.#element.style.display = 'none';
      return;
    }
    const count = Math.min(LANES, layout.count);
    const first = Math.min(Math.max(0, lane - (count >> 1)), layout.count - count);
    const top = Math.round(y - (lane - first + 0.5) * LENS_PITCH);
    const lowest = Math.max(0, layout.height - count * LENS_PITCH);
    this.#place = { first, count, top: Math.min(Math.max(0, top), lowest), pitch: LENS_PITCH };
    this.#moved();
  }

  reset(): void {
    this.#runs.reset();
    this.#palette = null;
  }

  draw(model: SceneModel, scale: Timescale): void {
    const { trace, theme } = model;
    const place = this.#place;
    if (place === null || this.#of === null || trace === null) return;
    const { width, pixelRatio, axisHeight, deviceWidth } = this.#frame;
    const height = cssPx(place.count * LENS_PITCH);
    const layout: LaneLayout = { ...this.#of, height, pitch: cssPx(LENS_PITCH), top: cssPx(-place.first * LENS_PITCH) };
    this.#runs.request(model, layout, width);
    const boxShadow = `0 -1px ${theme.ink}, 0 1px ${theme.ink}`;
    const box = { top: `${axisHeight + place.top}px`, height: `${height}px`, boxShadow, display: 'block' };
    Object.assign(this.#element.style, box);
    this.#gutter.style.background = theme.background;
    Object.assign(this.#data.style, { width: `${width}px`, height: `${height}px` });
    if (this.#surface !== null) {
      this.#surface.resize(deviceWidth, Math.round(height * pixelRatio));
      this.#palette = this.#cells.drawOn(this.#surface, laneBands(layout, pixelRatio), pixelRatio, this.#palette);
    }
    const context = this.#texts.getContext('2d');
    if (context === null) return;
    // Setting the size clears the canvas, too.
    this.#texts.width = Math.round((GUTTER + width) * pixelRatio);
    this.#texts.height = Math.round(height * pixelRatio);
    Object.assign(this.#texts.style, { width: `${GUTTER + width}px`, height: `${height}px` });
    context.scale(pixelRatio, pixelRatio);
    context.font = plotFont();
    paintCpuLabels(context, trace, layout, model);
    inPlot(context, 0, width, height, () => {
      const measure = (text: string): number => context.measureText(text).width;
      paintRunLabels(context, placeLabels(this.#runs.runs, trace, scale, layout, measure), model);
      if (model.selected !== null) paintSelection(context, model.selected, trace, scale, layout, model);
    });
  }

  dispose(): void {
    this.reset();
    this.#element.remove();
  }
}
