/** Where marks of moves are: those that would overlap on a lane are one mark. Pure. */
import type { CpuDistance, CpuMove } from '../../../engine/protocol';

export interface MoveMark {
  /** From the plot's left edge, in CSS pixels. */
  readonly x: number;
  readonly cpu: number;
  /** The farthest of its moves. */
  readonly distance: CpuDistance | null;
  readonly count: number;
}

/** From near to far. */
const REACH: readonly (CpuDistance | null)[] = [null, 'core', 'llc', 'socket', 'machine'];
const reach = (distance: CpuDistance | null): number => REACH.indexOf(distance);

/**
 * The marks between 0 and `width`, those from far away last, so that they are above the others. Moves of one CPU within `room`
 * CSS pixels share a mark at the farthest of them.
 */
export function moveMarks(
  moves: readonly CpuMove[],
  xOf: (move: CpuMove) => number,
  width: number,
  room: number,
): readonly MoveMark[] {
  const marks = new Map<string, MoveMark>();
  for (const move of moves) {
    const x = xOf(move);
    if (move.distance === null || move.distance === 'cpu' || x < 0 || x > width) continue;
    const key = `${move.cpu} ${Math.floor(x / room)}`;
    const other = marks.get(key);
    const count = (other?.count ?? 0) + 1;
    const isFarther = other === undefined || reach(move.distance) > reach(other.distance);
    marks.set(key, isFarther ? { x, cpu: move.cpu, distance: move.distance, count } : { ...other, count });
  }
  return [...marks.values()].sort((a, b) => reach(a.distance) - reach(b.distance));
}
