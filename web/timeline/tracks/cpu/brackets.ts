/** Brackets in the gutter, around lanes of one socket and of one last-level cache. Pure. In CSS pixels of the plot. */
import type { Cpu, CpuDistance, TopologyCpu } from '../../../engine/protocol';
import { type LaneLayout, laneTop } from '../../frame/laneLayout';
import type { TraceInfo } from '../../frame/traceInfo';

export interface Bracket {
  readonly level: 'socket' | 'llc';
  readonly number: number;
  /** Top of the part that is in sight. */
  readonly top: number;
  readonly bottom: number;
  /** Whether its ends are in sight: only such an end has a hook. */
  readonly begins: boolean;
  readonly ends: boolean;
}

/** The least height of a bracket: shorter ones cannot be told apart. */
const LEAST_HEIGHT = 6;

/**
 * A bracket for each stretch of lanes of the same socket, and, if sockets have several LLCs of several cores, for each
 * stretch of lanes of the same LLC.
 */
export function placeBrackets(trace: TraceInfo, layout: LaneLayout): Bracket[] {
  const { topology } = trace;
  if (topology === null) return [];
  const severalLlcs = topology.llcs > topology.sockets && topology.llcs < topology.cores;
  return [...stretches(trace, layout, 'socket'), ...(severalLlcs ? stretches(trace, layout, 'llc') : [])];
}

function stretches(trace: TraceInfo, layout: LaneLayout, level: Bracket['level']): Bracket[] {
  const numbers = trace.cpus.map((cpu) => trace.placeOf.get(cpu)?.[level]);
  const found: Bracket[] = [];
  for (let first = 0; first < numbers.length; ) {
    const number = numbers[first];
    let end = first + 1;
    while (end < numbers.length && numbers[end] === number) end++;
    const [top, bottom] = [laneTop(layout, first), laneTop(layout, end)];
    if (number !== undefined && bottom > 0 && top < layout.height && bottom - top >= LEAST_HEIGHT) {
      found.push({
        level,
        number,
        top: Math.max(0, top),
        bottom: Math.min(layout.height, bottom),
        begins: top >= 0,
        ends: bottom <= layout.height,
      });
    }
    first = end;
  }
  return found;
}

/** How far apart two CPUs are; null if the machine is not known, or one of them is not part of it. */
export function distanceBetween(placeOf: ReadonlyMap<Cpu, TopologyCpu>, a: Cpu, b: Cpu): CpuDistance | null {
  if (a === b) return 'cpu';
  const [from, to] = [placeOf.get(a), placeOf.get(b)];
  if (from === undefined || to === undefined) return null;
  if (from.core === to.core) return 'core';
  if (from.llc === to.llc) return 'llc';
  return from.socket === to.socket ? 'socket' : 'machine';
}
