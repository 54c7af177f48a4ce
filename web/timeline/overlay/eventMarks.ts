/**
 * The current event and the marked ones above the lanes: each is a point on its CPU's lane, and a mark has a flag with
 * its note.
 */
import type { Ns } from '../../base/units';
import type { Cpu } from '../../engine/protocol';
import type { EventMark, EventPlace } from '../../state/events';
import type { ViewState } from '../../state/viewState';
import { type LaneLayout, laneTop } from '../frame/laneLayout';
import type { SceneTheme } from '../frame/theme';
import type { Timescale } from '../frame/timescale';
import type { TraceInfo } from '../frame/traceInfo';

/** CSS pixels in the plot. */
export interface PlacedMark {
  readonly cpu: Cpu;
  readonly at: Ns;
  readonly x: number;
  /** Middle of the CPU's lane; null if it is scrolled out of sight. */
  readonly y: number | null;
  readonly note: string;
  /** The flag, which is always there; its text is null where there is no room for one. */
  readonly flag: { readonly text: string | null; readonly left: number; readonly top: number; readonly width: number };
}

export type PlacedEvent = Omit<PlacedMark, 'flag' | 'note'>;

const FLAG_HEIGHT = 15;
/** Flags that would overlap are put below each other, in this many rows. */
const FLAG_ROWS = 3;
const PADDING = 5;
const MAX_TEXT = 150;
/** Width of a flag without a text. */
const BARE = 8;

/** Places the marks in the window, from left to right. Every one has a flag, at any zoom. */
export function placeMarks(
  marks: readonly EventMark[],
  trace: TraceInfo,
  scale: Timescale,
  layout: LaneLayout,
  measure: (text: string) => number,
): PlacedMark[] {
  const width = scale.width / scale.pixelRatio;
  const ends = Array.from({ length: FLAG_ROWS }, () => Number.NEGATIVE_INFINITY);
  return marks.flatMap((mark) => {
    const place = placeEvent(mark, trace, scale, layout);
    if (place === null) return [];
    const point = { ...place, note: mark.note };
    const text = shortened(mark.note, measure);
    const wide = text === '' ? BARE : measure(text) + 2 * PADDING;
    // At the right end of the plot the flag flies to the left.
    const left = point.x + wide > width && point.x - wide >= 0 ? point.x - wide : point.x;
    const row = ends.findIndex((end) => end <= left);
    if (row < 0) return [{ ...point, flag: { text: null, left: point.x, top: 0, width: BARE } }];
    ends[row] = left + wide + 2;
    return [{ ...point, flag: { text: text === '' ? null : text, left, top: row * (FLAG_HEIGHT + 2), width: wide } }];
  });
}

/** The mark whose flag is at a point of the plot; null where there is none. */
export function flagAt(marks: readonly PlacedMark[], x: number, y: number): PlacedMark | null {
  // The mark that is painted last is on top.
  const hit = marks.findLast(
    ({ flag }) => x >= flag.left && x < flag.left + flag.width && y >= flag.top && y < flag.top + FLAG_HEIGHT + 1,
  );
  return hit ?? null;
}

/** Places the current event; null if it is not in the window. */
export function placeEvent(
  { cpu, at }: EventPlace,
  trace: TraceInfo,
  scale: Timescale,
  layout: LaneLayout,
): PlacedEvent | null {
  const lane = trace.laneOf.get(cpu);
  const { start, end } = scale.window;
  if (lane === undefined || at < start || at > end) return null;
  const y = laneTop(layout, lane) + layout.pitch / 2;
  return { cpu, at, x: scale.timeToCssPx(at), y: y < 0 || y > layout.height ? null : y };
}

function shortened(note: string, measure: (text: string) => number): string {
  const letters = Array.from(note);
  if (measure(note) <= MAX_TEXT) return note;
  while (letters.length > 0 && measure(`${letters.join('')}…`) > MAX_TEXT) letters.pop();
  return `${letters.join('')}…`;
}

type Context = CanvasRenderingContext2D;

export function paintMarks(
  context: Context,
  marks: readonly PlacedMark[],
  layout: LaneLayout,
  theme: SceneTheme,
): void {
  for (const { x, y, flag } of marks) {
    context.fillStyle = theme.mark;
    const top = flag.top;
    context.globalAlpha = 0.55;
    context.fillRect(Math.round(x) - 0.5, top, 1, (y ?? layout.height) - top);
    context.globalAlpha = 1;
    if (y !== null) paintPoint(context, x, y, 3.5, theme.mark, theme.background);
  }
  // Painted after the poles, so that no pole hides a flag.
  context.textBaseline = 'middle';
  for (const { x, flag } of marks) {
    context.fillStyle = theme.mark;
    context.strokeStyle = theme.background;
    context.lineWidth = 1.5;
    context.beginPath();
    if (flag.text === null) {
      const pole = Math.round(x);
      context.moveTo(pole - 0.5, flag.top);
      context.lineTo(pole + BARE, flag.top + FLAG_HEIGHT / 3);
      context.lineTo(pole - 0.5, flag.top + (2 * FLAG_HEIGHT) / 3);
      context.closePath();
    } else {
      context.roundRect(flag.left, flag.top + 1, flag.width, FLAG_HEIGHT, 2);
    }
    context.stroke();
    context.fill();
    if (flag.text !== null) {
      context.fillStyle = theme.onMark;
      context.fillText(flag.text, flag.left + PADDING, flag.top + 1 + FLAG_HEIGHT / 2 + 0.5);
    }
  }
}

/** The times of the marks and of the current event, in a pane without lanes. */
export function paintMoments(
  context: Context,
  { event, marks }: Pick<ViewState, 'event' | 'marks'>,
  scale: Timescale,
  height: number,
  theme: SceneTheme,
): void {
  context.globalAlpha = 0.55;
  const line = ({ at }: EventPlace, colour: string): void => {
    if (at < scale.window.start || at > scale.window.end) return;
    context.fillStyle = colour;
    context.fillRect(Math.round(scale.timeToCssPx(at)) - 0.5, 0, 1, height);
  };
  for (const mark of marks) line(mark, theme.mark);
  if (event) line(event, theme.selection);
  context.globalAlpha = 1;
}

/** Paints the current event: a point on its lane, and a line through all others at its time. */
export function paintEvent(context: Context, { x, y }: PlacedEvent, layout: LaneLayout, theme: SceneTheme): void {
  context.fillStyle = theme.selection;
  context.globalAlpha = 0.4;
  context.fillRect(Math.round(x) - 0.5, 0, 1, layout.height);
  context.globalAlpha = 1;
  if (y !== null) paintPoint(context, x, y, 5, theme.selection, theme.background);
}

/** Paints a diamond with a halo. */
function paintPoint(context: Context, x: number, y: number, size: number, colour: string, halo: string): void {
  context.beginPath();
  context.moveTo(x, y - size);
  context.lineTo(x + size, y);
  context.lineTo(x, y + size);
  context.lineTo(x - size, y);
  context.closePath();
  context.lineWidth = 3;
  context.strokeStyle = halo;
  context.stroke();
  context.fillStyle = colour;
  context.fill();
}
