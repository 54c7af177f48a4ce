/** Paints the machine's topology: brackets in the gutter, and marks on runs whose task came from another CPU. */
import type { CpuDistance, CpuMove } from '../../../engine/protocol';
import { type LaneLayout, laneTop } from '../../frame/laneLayout';
import type { SceneTheme } from '../../frame/theme';
import type { Timescale } from '../../frame/timescale';
import type { TraceInfo } from '../../frame/traceInfo';
import type { Bracket } from './brackets';
import { moveMarks } from './moveMarks';

type Context = CanvasRenderingContext2D;

/** Distances of the brackets' lines from the left edge of the gutter. */
const LINE_AT = { socket: 14, llc: 21 } as const;
const HOOK = 4;
const TEXT_AT = 6;

/** Paints the brackets left of the plot, whose corner is at GUTTER. */
export function paintBrackets(context: Context, brackets: readonly Bracket[], theme: SceneTheme): void {
  for (const { level, number, top, bottom, begins, ends } of brackets) {
    const x = LINE_AT[level] + 0.5;
    // Neighbours are a pixel apart.
    const [from, to] = [Math.round(top) + 1.5, Math.round(bottom) - 1.5];
    context.strokeStyle = level === 'socket' ? theme.ink : theme.quiet;
    context.lineWidth = level === 'socket' ? 1.5 : 1;
    context.beginPath();
    context.moveTo(x + (begins ? HOOK : 0), from);
    context.lineTo(x, from);
    context.lineTo(x, to);
    context.lineTo(x + (ends ? HOOK : 0), to);
    context.stroke();
    if (level === 'socket') paintSocketName(context, number, (from + to) / 2, to - from, theme);
  }
}

/** Writes the socket's name upwards beside its bracket, if there is room. */
function paintSocketName(context: Context, number: number, y: number, room: number, theme: SceneTheme): void {
  const text = [`Socket ${number}`, `S${number}`].find((name) => context.measureText(name).width + 4 <= room);
  if (text === undefined) return;
  context.save();
  context.translate(TEXT_AT, y);
  context.rotate(-Math.PI / 2);
  context.fillStyle = theme.ink;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(text, 0, 0);
  context.restore();
}

/** Paints lines between the sockets across the plot, whose corner is the origin. */
export function paintSocketLines(
  context: Context,
  brackets: readonly Bracket[],
  width: number,
  theme: SceneTheme,
): void {
  context.fillStyle = theme.ink;
  for (const { level, top, begins } of brackets) {
    if (level === 'socket' && begins && top > 0) context.fillRect(0, Math.round(top) - 0.5, width, 1);
  }
}

/**
 * Marks the beginning of runs: with a ring if the task came from a CPU with the same LLC, with a plus from another LLC
 * of the socket, with a cross from another socket. Marks that would overlap are one, of the farthest move. Returns how many
 * moves are marked on the screen.
 */
export function paintMoves(
  context: Context,
  moves: readonly CpuMove[],
  trace: TraceInfo,
  scale: Timescale,
  layout: LaneLayout,
  theme: SceneTheme,
): number {
  const width = scale.width / scale.pixelRatio;
  const size = Math.min(Math.max(layout.pitch * 0.28, 2.5), 5);
  let count = 0;
  for (const mark of moveMarks(moves, ({ at }) => scale.timeToCssPx(at), width, 2 * size + 1)) {
    const lane = trace.laneOf.get(mark.cpu);
    if (lane === undefined) continue;
    const y = laneTop(layout, lane) + layout.pitch / 2;
    if (y < 0 || y > layout.height) continue;
    const { distance } = mark;
    const path = shape(distance, mark.x, y, size);
    context.strokeStyle = theme.background;
    context.lineWidth = 4;
    context.stroke(path);
    context.strokeStyle = distance === 'machine' ? theme.far : distance === 'socket' ? theme.middling : theme.ink;
    context.lineWidth = distance === 'machine' ? 2 : 1.5;
    context.stroke(path);
    count += mark.count;
  }
  return count;
}

function shape(distance: CpuDistance | null, x: number, y: number, size: number): Path2D {
  const path = new Path2D();
  const line = (dx: number, dy: number): void => {
    path.moveTo(x - dx, y - dy);
    path.lineTo(x + dx, y + dy);
  };
  if (distance === 'machine') {
    line(size, size);
    line(size, -size);
  } else if (distance === 'socket') {
    line(size, 0);
    line(0, size);
  } else {
    path.arc(x, y, size * 0.7, 0, 2 * Math.PI);
  }
  return path;
}

/** The label of a CPU, which is short beside brackets. */
export const cpuLabel = (cpu: number | undefined, bracketed: boolean): string => (bracketed ? `${cpu}` : `CPU ${cpu}`);
