/**
 * Paints the axes, on the canvas of texts and outlines: elements for them would cost a layout in each frame. In CSS pixels from the
 * corner of the pane.
 */
import { GUTTER, type PlotFrame, plotFont } from '../frame/plotFrame';
import type { SceneTheme } from '../frame/theme';
import type { Timescale } from '../frame/timescale';
import { type TimeTicks, tickStep } from './ticks';

type Context = CanvasRenderingContext2D;

/** Half the width of a label such as `+400 ms`. */
const HALF_LABEL = 26;
/** Lengths of ticks on the time axis and on the count axis, and how far labels are from an axis. */
const TIME_TICK = 5;
const COUNT_TICK = 4;
const LABEL = 8;
/** Strength of an axis' line and of its ticks. */
const DOMAIN = 0.35;
const TICK = 0.6;

/** The time axis above the plot, with what labels with a `+` count from. */
export function paintTimeAxis(
  context: Context,
  frame: PlotFrame,
  scale: Timescale,
  { ticks, base }: TimeTicks,
  theme: SceneTheme,
): void {
  const top = frame.axisHeight;
  context.fillStyle = theme.quiet;
  context.globalAlpha = DOMAIN;
  context.fillRect(GUTTER, top, frame.width, 1);
  context.globalAlpha = TICK;
  for (const { at } of ticks) context.fillRect(left(scale, at), top - TIME_TICK, 1, TIME_TICK);
  context.globalAlpha = 1;
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  for (const strong of [false, true]) {
    context.font = plotFont(strong);
    for (const { at, label, major } of ticks) {
      if ((major && base !== null) !== strong) continue;
      // The base stands left of the plot, where the first label would reach.
      if (base !== null && scale.timeToCssPx(at) < HALF_LABEL) continue;
      context.fillText(label, left(scale, at) + 0.5, top - LABEL);
    }
  }
  context.font = plotFont();
  context.textAlign = 'right';
  if (base !== null) context.fillText(base, GUTTER - LABEL, top - LABEL - 1);
  context.textAlign = 'left';
}

/** The count axis left of the plot: 0 is `height` below the plot's top, where `most` is. */
export function paintCountAxis(
  context: Context,
  frame: PlotFrame,
  height: number,
  most: number,
  theme: SceneTheme,
): void {
  const top = frame.axisHeight;
  const count = Math.max(2, Math.min(6, Math.floor(height / 28)));
  const step = tickStep(most, count);
  context.fillStyle = theme.quiet;
  context.globalAlpha = DOMAIN;
  context.fillRect(GUTTER - 1, top, 1, height);
  context.globalAlpha = 1;
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  for (let value = 0; value <= most; value += step) {
    const y = Math.round(height * (1 - value / most));
    // A label at the very top would be cut off.
    if (y < 6) break;
    context.globalAlpha = TICK;
    context.fillRect(GUTTER - COUNT_TICK - 1, top + y, COUNT_TICK, 1);
    context.globalAlpha = 1;
    context.fillText(String(value), GUTTER - LABEL, top + y + 0.5);
  }
  context.textAlign = 'left';
}

/** A stretch of the dotted line, `y` below the plot's top. */
export interface LineStep {
  readonly x0: number;
  readonly x1: number;
  readonly y: number;
}

/** The dotted line at the number of CPUs that are known; the text stands above its right end. From the plot's corner. */
export function paintCpuLine(
  context: Context,
  width: number,
  steps: readonly LineStep[],
  text: string,
  theme: SceneTheme,
): void {
  context.save();
  context.beginPath();
  for (const { x0, x1, y } of steps) {
    context.lineTo(x0, Math.round(y) + 0.5);
    context.lineTo(x1, Math.round(y) + 0.5);
  }
  context.strokeStyle = theme.cpuLine;
  context.lineWidth = 1.25;
  context.lineCap = 'round';
  context.setLineDash([1.5, 3.5]);
  context.stroke();
  context.setLineDash([]);
  const last = steps.at(-1)?.y ?? 0;
  const y = last < 16 ? last + 13 : last - 5;
  context.textAlign = 'right';
  context.textBaseline = 'alphabetic';
  context.lineWidth = 3;
  context.lineJoin = 'round';
  context.strokeStyle = theme.background;
  context.strokeText(text, width - 6, y);
  context.fillStyle = theme.cpuLine;
  context.fillText(text, width - 6, y);
  context.restore();
}

/** The left edge of a tick, which is one CSS pixel wide; the same as of the grid. */
const left = (scale: Timescale, at: TimeTicks['ticks'][number]['at']): number =>
  GUTTER + Math.round(scale.timeToCssPx(at));
