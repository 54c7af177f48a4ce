/** Texts in runs: `comm:pid` where it fits, else the comm alone, else nothing. */
import type { LabelRun } from '../../../engine/protocol';
import { type LaneLayout, laneTop } from '../../frame/laneLayout';
import type { Timescale } from '../../frame/timescale';
import type { TraceInfo } from '../../frame/traceInfo';

export interface PlacedLabel {
  readonly run: LabelRun;
  readonly text: string;
  /** The text's left end and vertical middle, in CSS pixels of the plot. */
  readonly x: number;
  readonly y: number;
}

/** Runs have texts in lanes of at least this height, in CSS pixels. */
export const LABEL_LANE = 12;
/** The least width of a run with a text: narrower runs are not asked for. */
export const LABEL_LEAST = 22;
const PADDING = 4;
/** The most texts, since painting each takes some microseconds; the widest runs come first. */
const MOST = 1500;

export function placeLabels(
  runs: readonly LabelRun[],
  trace: TraceInfo,
  scale: Timescale,
  layout: LaneLayout,
  measure: (text: string) => number,
): PlacedLabel[] {
  const placed: PlacedLabel[] = [];
  const width = scale.width / scale.pixelRatio;
  for (const run of runs) {
    const lane = trace.laneOf.get(run.cpu);
    if (lane === undefined || !scale.shows(run.start, run.end)) continue;
    const y = laneTop(layout, lane) + layout.pitch / 2;
    if (y < 0 || y > layout.height) continue;
    // Runs that begin before the window have their texts at its edge.
    const left = Math.max(0, scale.timeToCssPx(run.start)) + PADDING;
    const room = Math.min(width, scale.timeToCssPx(run.end)) - PADDING - left;
    if (room < LABEL_LEAST - 2 * PADDING) continue;
    const text = [`${run.comm}:${run.pid}`, run.comm].find((candidate) => measure(candidate) <= room);
    if (text !== undefined) placed.push({ run, text, x: left, y });
    if (placed.length >= MOST) break;
  }
  return placed;
}
