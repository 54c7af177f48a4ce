/** Paints above the task lanes: their names, the CPUs of runs, outlines and arrows. In CSS pixels. */
import type { TaskClass, TaskRun } from '../../../engine/protocol';
import { wantsDarkText } from '../../frame/colours';
import { type LaneLayout, lanesInSight, laneTop } from '../../frame/laneLayout';
import { GUTTER } from '../../frame/plotFrame';
import type { SceneModel } from '../../frame/sceneModel';
import type { Timescale } from '../../frame/timescale';
import { clipLine, paintArrow } from '../../overlay/paint';
import { arrowLanes } from '../../overlay/taskArrows';
import type { TaskCursor } from './taskActions';
import type { TaskLanes } from './taskRoster';
import { taskInWords } from './taskWords';

type Context = CanvasRenderingContext2D;

/** The least height of a lane and width of a run (CSS pixels) for which the run shows its CPU. */
export const CPU_LABEL_ROOM = { lane: 14, run: 14 };
const PADDING = 4;
/** The most labels, since painting each takes some microseconds. */
const MOST_LABELS = 1500;
/** Lanes from this height on have their names in two lines. */
const TWO_LINES = 26;
const NAME_ROOM = GUTTER - 12;
/** In less room than this, letters are worth more than an ellipsis. */
const LITTLE = 32;

/** The class as it is shown beside a task's name: only if it is out of the ordinary. */
const CLASSES: Readonly<Record<TaskClass, string>> = { deadline: 'DL', RT: 'RT', fair: '', idle: 'idle' };

/** Paints the names left of the origin, which is the plot's top; returns how many. */
export function paintTaskNames(
  context: Context,
  { lanes }: TaskLanes,
  layout: LaneLayout,
  model: SceneModel,
  cursor: TaskCursor | null,
): number {
  const { theme, hover, selected } = model;
  const { first, end } = lanesInSight(layout);
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  const font = context.font;
  for (let lane = first; lane < end; lane++) {
    const info = lanes[lane];
    if (info === undefined) continue;
    const top = laneTop(layout, lane);
    const y = top + (layout.pitch - 2) / 2;
    if (info.task === cursor?.task) {
      context.fillStyle = theme.cursor;
      context.fillRect(0, top, GUTTER, layout.pitch - 1);
      context.fillStyle = theme.selection;
      context.fillRect(0, top, 3, layout.pitch - 1);
    }
    const stands = info.task === hover.task || info.task === selected?.task || info.task === hover.interval?.task;
    context.fillStyle = stands || info.task === cursor?.task ? theme.ink : theme.quiet;
    context.font = stands ? `600 ${font}` : font;
    const below = [taskInWords({ ...info, comm: '' }).trim(), info.class === null ? '' : CLASSES[info.class]];
    if (layout.pitch >= TWO_LINES) {
      context.fillText(elided(context, info.comm, NAME_ROOM), GUTTER - 8, y - 6.5);
      context.fillText(below.filter(Boolean).join(' '), GUTTER - 8, y + 6.5);
    } else {
      const number = below[0] ?? '';
      const room = NAME_ROOM - context.measureText(` ${number}`).width;
      context.fillText(`${elided(context, info.comm, room, room < LITTLE ? '' : '…')} ${number}`.trim(), GUTTER - 8, y);
    }
  }
  context.font = font;
  context.textAlign = 'left';
  return end - first;
}

function elided(context: Context, text: string, room: number, mark = '…'): string {
  if (context.measureText(text).width <= room) return text;
  for (let length = text.length - 1; length > 0; length--) {
    const cut = text.slice(0, length) + mark;
    if (context.measureText(cut).width <= room) return cut;
  }
  return '';
}

/** Writes the CPU into runs that have room for it, above a strip at the lane's foot; returns how many. */
export function paintRunCpus(
  context: Context,
  runs: readonly TaskRun[],
  { lanes, laneOf }: TaskLanes,
  scale: Timescale,
  layout: LaneLayout,
  model: SceneModel,
  strip: number,
): number {
  const width = scale.width / scale.pixelRatio;
  if (layout.pitch - strip < CPU_LABEL_ROOM.lane) return 0;
  const standOut = model.view.highlighted;
  let count = 0;
  context.textBaseline = 'middle';
  for (const { task, cpu, start, end, comm } of runs) {
    const lane = laneOf.get(task);
    if (lane === undefined || !scale.shows(start, end) || count >= MOST_LABELS) continue;
    const y = laneTop(layout, lane) + (layout.pitch - 2 - strip) / 2;
    if (y < 0 || y > layout.height) continue;
    const left = Math.max(0, scale.timeToCssPx(start)) + PADDING;
    const room = Math.min(width, scale.timeToCssPx(end)) - PADDING - left;
    const text = [`CPU ${cpu}`, `${cpu}`].find((candidate) => context.measureText(candidate).width <= room);
    if (text === undefined) continue;
    const colour = model.colours.ofRun(model.view, lanes[lane]?.pid ?? 0, comm);
    const dimmed = standOut.length > 0 && !standOut.includes(comm);
    context.fillStyle = dimmed ? model.theme.quiet : wantsDarkText(colour) ? '#101318' : '#ffffff';
    context.fillText(text, left, y + 0.5);
    count++;
  }
  return count;
}

/** Outlines the selected run and the state that keys have reached, each at least two pixels wide. */
export function paintTaskOutlines(
  context: Context,
  { laneOf }: TaskLanes,
  scale: Timescale,
  layout: LaneLayout,
  model: SceneModel,
  cursor: TaskCursor | null,
): void {
  const { selected, theme } = model;
  const state = cursor?.state;
  if (state && !(selected?.task === state.task && selected.start === state.start)) {
    outline(context, laneOf.get(state.task), state, scale, layout, { colour: theme.ink, halo: null, dashed: true });
  }
  if (selected?.task !== undefined) {
    const style = { colour: theme.selection, halo: theme.background, dashed: false };
    outline(context, laneOf.get(selected.task), selected, scale, layout, style);
  }
}

function outline(
  context: Context,
  lane: number | undefined,
  { start, end }: { readonly start: number; readonly end: number },
  scale: Timescale,
  layout: LaneLayout,
  { colour, halo, dashed }: { readonly colour: string; readonly halo: string | null; readonly dashed: boolean },
): void {
  if (lane === undefined) return;
  const width = scale.width / scale.pixelRatio;
  const from = scale.timeToCssPx(start as never);
  const left = Math.max(-8, from);
  const right = Math.min(width + 8, Math.max(scale.timeToCssPx(end as never), from + 2));
  if (right < -4 || left > width + 4) return;
  const top = laneTop(layout, lane);
  const rect = (grow: number, line: number, style: string): void => {
    context.lineWidth = line;
    context.strokeStyle = style;
    context.strokeRect(left - grow, top - grow, right - left + 2 * grow, layout.pitch - 2 + 2 * grow);
  };
  if (halo !== null) rect(2, 2, halo);
  context.setLineDash(dashed ? [3, 2] : []);
  rect(dashed ? 0.5 : 1, dashed ? 1.25 : 2, colour);
  context.setLineDash([]);
}

/** Paints arrows; returns how many were on the screen. */
export function paintTaskArrows(
  context: Context,
  { laneOf }: TaskLanes,
  scale: Timescale,
  layout: LaneLayout,
  model: SceneModel,
): number {
  let count = 0;
  for (const arrow of model.taskArrows) {
    const joined = arrowLanes(arrow, laneOf);
    if (joined === null) continue;
    const x = scale.timeToCssPx(arrow.at);
    const down = joined.from < joined.to;
    const foot = (lane: number): number => laneTop(layout, lane) + layout.pitch - 2;
    // The arrow begins in the middle of the waker's lane, so that it has a length even to the next lane.
    const tail = { x, y: laneTop(layout, joined.from) + (layout.pitch - 2) / 2 };
    const head = { x, y: down ? laneTop(layout, joined.to) + 1 : foot(joined.to) };
    if (clipLine(tail, head, -10, scale.width / scale.pixelRatio + 10) === null) continue;
    const colour = arrow.interrupt ? model.theme.arrowInterrupt : model.theme.arrow;
    context.globalAlpha = arrow.back ? 1 : 0.55;
    const style = { arched: false, dashed: arrow.interrupt, colour, halo: model.theme.background };
    paintArrow(context, tail, head, style);
    context.globalAlpha = 1;
    count++;
  }
  return count;
}
