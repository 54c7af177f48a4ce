/**
 * The marks A and B in the panes: places the lines at their instants, and their letters and distance above the axis.
 * Pure.
 */
import { exactDuration } from '../../base/format';
import { TIME_MARKS, type TimeMarkName, type TimeMarks } from '../../state/marks';
import type { SceneTheme } from '../frame/theme';
import type { Timescale } from '../frame/timescale';

/** A mark in CSS pixels of the plot; `left` may reach into the gutter. */
export interface PlacedTimeMark {
  readonly name: TimeMarkName;
  readonly x: number;
  /** Left end of the tag with the letter. */
  readonly left: number;
}

export interface PlacedDistance {
  readonly text: string;
  /** Left end of the text. */
  readonly left: number;
  /** The part of the way from one mark to the other that is on the screen. */
  readonly from: number;
  readonly to: number;
}

export interface PlacedTimeMarks {
  readonly marks: readonly PlacedTimeMark[];
  readonly distance: PlacedDistance | null;
}

/** Width of a tag: one letter. */
export const TAG_WIDTH = 18;
/** Padding left and right of the distance's text. */
export const TEXT_PADDING = 5;
const GAP = 3;

/** Places letters and distance so that none hides another; `measure`: the width of a text. */
export function placeTimeMarks(
  marks: TimeMarks,
  scale: Timescale,
  clockIsNs: boolean,
  measure: (text: string) => number,
): PlacedTimeMarks {
  const width = scale.width / scale.pixelRatio;
  const points = TIME_MARKS.flatMap((name) => {
    const at = marks[name];
    return at === null ? [] : [{ name, at, x: scale.timeToCssPx(at) }];
  }).sort((one, other) => one.x - other.x);
  const [first, second] = points;
  const shown = points.filter(({ x }) => x >= 0 && x <= width);
  if (first === undefined || second === undefined) {
    return { marks: shown.map(({ name, x }) => ({ name, x, left: x - TAG_WIDTH / 2 })), distance: null };
  }
  // The tags are outside, back to back, so that the space between the marks is free for the distance.
  const placed = shown.map((point) => ({
    name: point.name,
    x: point.x,
    left: point === first ? point.x - TAG_WIDTH : point.x,
  }));
  if (second.x < 0 || first.x > width) return { marks: placed, distance: null };
  const text = exactDuration({ isNs: clockIsNs }, second.at - first.at);
  const [from, to] = [Math.max(0, first.x), Math.min(width, second.x)];
  return {
    marks: placed,
    distance: { text, from, to, left: distanceLeft(from, to, measure(text) + 2 * TEXT_PADDING, width) },
  };
}

/** The distance's place: in the middle if there is room, else after the later mark, else before the earlier one. */
function distanceLeft(from: number, to: number, text: number, width: number): number {
  if (to - from >= text + 2 * GAP) return (from + to - text) / 2;
  const after = to + TAG_WIDTH + GAP;
  return after + text <= width ? after : Math.max(0, from - TAG_WIDTH - GAP - text);
}

/**
 * Places the time at the pointer, which is at `x`: centred on it, or beside the letters that it would cover. `width`:
 * of the time's text; `from`, `to`: the room that there is.
 */
export function besideTags(
  x: number,
  width: number,
  marks: readonly PlacedTimeMark[],
  { from, to }: { readonly from: number; readonly to: number },
): number {
  const centred = Math.min(Math.max(x - width / 2, from), to - width);
  const isFree = (left: number): boolean =>
    left >= from &&
    left + width <= to &&
    marks.every((mark) => left >= mark.left + TAG_WIDTH || left + width <= mark.left);
  const sides = marks.flatMap((mark) => [mark.left - width - GAP, mark.left + TAG_WIDTH + GAP]);
  const nearest = [centred, ...sides].filter(isFree).sort((a, b) => Math.abs(a - centred) - Math.abs(b - centred));
  return nearest[0] ?? centred;
}

/** Paints the lines, in any pane that shares the time axis; the plot's corner is the origin. */
export function paintTimeMarks(
  context: CanvasRenderingContext2D,
  marks: TimeMarks,
  scale: Timescale,
  height: number,
  theme: SceneTheme,
): void {
  for (const name of TIME_MARKS) {
    const at = marks[name];
    if (at === null || at < scale.window.start || at > scale.window.end) continue;
    const x = Math.round(scale.timeToCssPx(at));
    // A halo keeps the line visible on runs of any colour.
    context.fillStyle = theme.background;
    context.globalAlpha = 0.7;
    context.fillRect(x - 1.5, 0, 3, height);
    context.globalAlpha = 1;
    context.fillStyle = theme.timeMark;
    context.fillRect(x - 0.5, 0, 1, height);
  }
}
