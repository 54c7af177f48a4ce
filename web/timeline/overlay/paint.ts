/** Paints above the lanes: CPU labels, texts in runs, grid, range, selection and arrows. In CSS pixels. */
import { cssPx, type TimeWindow } from '../../base/units';
import type { Interval } from '../../engine/protocol';
import { wantsDarkText } from '../frame/colours';
import { type LaneLayout, labelStep, laneTop } from '../frame/laneLayout';
import { GUTTER } from '../frame/plotFrame';
import type { SceneModel } from '../frame/sceneModel';
import type { SceneTheme } from '../frame/theme';
import type { Timescale } from '../frame/timescale';
import type { TraceInfo } from '../frame/traceInfo';
import { distanceBetween } from '../tracks/cpu/brackets';
import type { PlacedLabel } from '../tracks/cpu/labels';
import { cpuLabel } from '../tracks/cpu/paintTopology';
import type { Arrow } from './arrows';
import type { TimeTick } from './ticks';

type Context = CanvasRenderingContext2D;

/** Paints within the plot, whose corner becomes the origin. */
export function inPlot(context: Context, top: number, width: number, height: number, paint: () => void): void {
  context.save();
  context.beginPath();
  context.rect(GUTTER, top, width, height);
  context.clip();
  context.translate(GUTTER, top);
  paint();
  context.restore();
}

/** Paints the CPUs' labels into the gutter, left of the origin, the plot's top; returns how many. */
export function paintCpuLabels(context: Context, trace: TraceInfo, layout: LaneLayout, model: SceneModel): number {
  const step = labelStep(layout, cssPx(13));
  context.fillStyle = model.theme.quiet;
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  let count = 0;
  for (let lane = 0; lane < layout.count; lane += step) {
    const y = laneTop(layout, lane) + layout.pitch / 2;
    if (y < 0 || y > layout.height) continue;
    context.fillText(cpuLabel(trace.cpus[lane], trace.topology !== null), GUTTER - 8, y);
    count++;
  }
  context.textAlign = 'left';
  return count;
}

/** Paints the name of a lane that begins at `top`, left of the plot. */
export function paintLaneName(
  context: Context,
  name: string,
  top: number,
  layout: LaneLayout,
  theme: SceneTheme,
): void {
  const y = top + layout.pitch / 2;
  if (y < 0 || y > layout.height) return;
  context.fillStyle = theme.quiet;
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  context.fillText(name, GUTTER - 8, y);
  context.textAlign = 'left';
}

export function paintGrid(
  context: Context,
  ticks: readonly TimeTick[],
  scale: Timescale,
  height: number,
  colour: string,
): void {
  context.fillStyle = colour;
  for (const { at } of ticks) context.fillRect(Math.round(scale.timeToCssPx(at)), 0, 1, height);
}

/** CSS pixels between two stripes, along the axis. */
const HATCH_PITCH = 6;

interface HatchedPlace {
  readonly left: number;
  readonly right: number;
  readonly top?: number;
  /** From the plot's top to the lower edge. */
  readonly height: number;
}

/** Paints the stripes of what is unknown over whatever is below them. */
export function paintHatch(
  context: Context,
  { left, right, top = 0, height }: HatchedPlace,
  { background, hatch }: SceneTheme,
): void {
  context.save();
  context.beginPath();
  context.rect(left, top, right - left, height - top);
  context.clip();
  context.fillStyle = background;
  context.fillRect(left, top, right - left, height - top);
  context.strokeStyle = hatch;
  context.lineWidth = 1.5;
  context.beginPath();
  for (let x = Math.floor((left - height) / HATCH_PITCH) * HATCH_PITCH; x < right; x += HATCH_PITCH) {
    context.moveTo(x, height);
    context.lineTo(x + height, 0);
  }
  context.stroke();
  context.restore();
}

export function paintRunLabels(context: Context, labels: readonly PlacedLabel[], model: SceneModel): void {
  context.textBaseline = 'middle';
  const standOut = model.view.highlighted;
  for (const { run, text, x, y } of labels) {
    const dimmed = standOut.length > 0 && !standOut.includes(run.comm);
    const colour = model.colours.ofRun(model.view, run.pid, run.comm);
    context.fillStyle = dimmed ? model.theme.quiet : wantsDarkText(colour) ? '#101318' : '#ffffff';
    context.fillText(text, x, y + 0.5);
  }
}

/** Paints a range's edges, and a veil over everything outside: inside, colours keep their meaning. */
export function paintRange(
  context: Context,
  range: TimeWindow,
  scale: Timescale,
  height: number,
  model: SceneModel,
): void {
  const width = scale.width / scale.pixelRatio;
  const left = Math.max(-2, scale.timeToCssPx(range.start));
  const right = Math.min(width + 2, scale.timeToCssPx(range.end));
  context.fillStyle = model.theme.outside;
  // The range may lie entirely outside the window.
  context.fillRect(0, 0, Math.min(left, width), height);
  context.fillRect(Math.max(0, right), 0, width - Math.max(0, right), height);
  if (right < left) return;
  context.fillStyle = model.theme.selection;
  context.fillRect(Math.round(left), 0, 1, height);
  context.fillRect(Math.round(right) - 1, 0, 1, height);
}

/** Paints an outline around a run, at least two pixels wide, with a halo of the background's colour. */
export function paintSelection(
  context: Context,
  selected: Interval,
  trace: TraceInfo,
  scale: Timescale,
  layout: LaneLayout,
  model: SceneModel,
): void {
  const lane = trace.laneOf.get(selected.cpu);
  if (lane === undefined) return;
  const width = scale.width / scale.pixelRatio;
  const start = scale.timeToCssPx(selected.start);
  const left = Math.max(-8, start);
  const right = Math.min(width + 8, Math.max(scale.timeToCssPx(selected.end), start + 2));
  if (right < -4 || left > width + 4) return;
  const top = laneTop(layout, lane);
  const outline = (grow: number, line: number, colour: string): void => {
    context.lineWidth = line;
    context.strokeStyle = colour;
    context.strokeRect(left - grow, top - grow, right - left + 2 * grow, Math.max(2, layout.pitch - 1) + 2 * grow);
  };
  outline(2, 2, model.theme.background);
  outline(1, 2, model.theme.selection);
}

/** Paints arrows; returns how many were on the screen. */
export function paintArrows(
  context: Context,
  arrows: readonly Arrow[],
  trace: TraceInfo,
  scale: Timescale,
  layout: LaneLayout,
  model: SceneModel,
): number {
  let count = 0;
  const numbers: Numbered[] = [];
  for (const arrow of arrows) {
    const from = trace.laneOf.get(arrow.fromCpu);
    const to = trace.laneOf.get(arrow.toCpu);
    if (from === undefined || to === undefined) continue;
    const middle = layout.pitch / 2;
    const tail = { x: scale.timeToCssPx(arrow.fromTime), y: laneTop(layout, from) + middle };
    // The head touches the wakee's run: from above, from below, or from its left on the same lane.
    const side = from === to ? 0 : from < to ? -1 : 1;
    const head = { x: scale.timeToCssPx(arrow.toTime), y: laneTop(layout, to) + middle + side * middle * 0.8 };
    const clipped = clipLine(tail, head, -200, scale.width / scale.pixelRatio + 200);
    if (clipped === null) continue;
    const colour = arrow.interrupt ? model.theme.arrowInterrupt : model.theme.arrow;
    context.globalAlpha = arrow.back ? 1 : 0.55;
    const isFar = distanceBetween(trace.placeOf, arrow.fromCpu, arrow.toCpu) === 'machine';
    const style = { arched: from === to, dashed: arrow.interrupt, isFar, colour, halo: model.theme.background };
    paintArrow(context, clipped.tail, clipped.head, style);
    context.globalAlpha = 1;
    count++;
    if (arrow.number !== null) numbers.push({ number: arrow.number, at: middleOf(clipped.tail, clipped.head) });
  }
  paintNumbers(context, numbers, model);
  return count;
}

interface Numbered {
  readonly number: number;
  readonly at: Point;
}

const middleOf = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });

/** Radius of a number's disc. */
const DISC = 8;

/** Paints numbers over the arrows, without those that would cover another. */
function paintNumbers(context: Context, numbers: readonly Numbered[], model: SceneModel): void {
  const painted: Point[] = [];
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (const { number, at } of numbers) {
    if (painted.some((other) => Math.hypot(other.x - at.x, other.y - at.y) < 2 * DISC)) continue;
    painted.push(at);
    context.beginPath();
    context.arc(at.x, at.y, DISC, 0, 2 * Math.PI);
    context.fillStyle = model.theme.arrow;
    context.strokeStyle = model.theme.background;
    context.lineWidth = 1.5;
    context.fill();
    context.stroke();
    context.fillStyle = model.theme.background;
    context.fillText(`${number}`, at.x, at.y + 0.5);
  }
  context.textAlign = 'left';
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The part of a line between two x; null if there is none. Canvases lose precision far outside. */
export function clipLine(tail: Point, head: Point, low: number, high: number): { tail: Point; head: Point } | null {
  if (Math.max(tail.x, head.x) < low || Math.min(tail.x, head.x) > high) return null;
  const at = (x: number): Point => {
    const share = head.x === tail.x ? 0 : (x - tail.x) / (head.x - tail.x);
    return { x, y: tail.y + share * (head.y - tail.y) };
  };
  const clip = (point: Point): Point => (point.x < low ? at(low) : point.x > high ? at(high) : point);
  return { tail: clip(tail), head: clip(head) };
}

const HEAD = 7;

interface ArrowStyle {
  readonly arched: boolean;
  readonly dashed: boolean;
  /** Whether it leads from one socket to another: then it is a double line. */
  readonly isFar?: boolean;
  readonly colour: string;
  readonly halo: string;
}

export function paintArrow(context: Context, tail: Point, head: Point, style: ArrowStyle): void {
  const { arched, dashed, isFar, colour, halo } = style;
  // On one lane the arrow is an arch above it, because a straight one could not be seen.
  const control = arched ? { x: (tail.x + head.x) / 2, y: Math.min(tail.y, head.y) - 18 } : null;
  const angle = Math.atan2(head.y - (control ?? tail).y, head.x - (control ?? tail).x);
  const line = (width: number, stroke: string): void => {
    context.lineWidth = width;
    context.strokeStyle = stroke;
    context.beginPath();
    context.moveTo(tail.x, tail.y);
    const end = { x: head.x - 0.7 * HEAD * Math.cos(angle), y: head.y - 0.7 * HEAD * Math.sin(angle) };
    if (control) context.quadraticCurveTo(control.x, control.y, end.x, end.y);
    else context.lineTo(end.x, end.y);
    context.stroke();
  };
  line(isFar ? 7 : 4, halo);
  context.setLineDash(dashed ? [4, 3] : []);
  line(isFar ? 4.5 : 1.6, colour);
  if (isFar) line(1.7, halo);
  context.setLineDash([]);
  context.fillStyle = colour;
  context.strokeStyle = halo;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(head.x, head.y);
  for (const turn of [-0.42, 0.42]) {
    context.lineTo(head.x - HEAD * 1.4 * Math.cos(angle + turn), head.y - HEAD * 1.4 * Math.sin(angle + turn));
  }
  context.closePath();
  context.stroke();
  context.fill();
  context.beginPath();
  context.arc(tail.x, tail.y, 2.5, 0, 2 * Math.PI);
  context.stroke();
  context.fill();
}
