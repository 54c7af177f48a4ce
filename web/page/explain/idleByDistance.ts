/** Groups idle CPUs by their distance from the CPU on which a task last ran. Pure. */
import type { Cpu, CpuDistance, Topology } from '../../engine/protocol';
import { distanceBetween } from '../../timeline/tracks/cpu/brackets';

interface IdleGroup {
  readonly text: string;
  readonly cpus: readonly Cpu[];
}

const NEAREST_FIRST: readonly (readonly [CpuDistance | null, string])[] = [
  ['cpu', 'its last CPU'],
  ['core', 'the same core'],
  ['llc', 'the same LLC'],
  ['socket', 'the same socket'],
  ['machine', 'another socket'],
  [null, 'not known'],
];

/** The groups from the nearest to the farthest, without those that are empty. */
export function idleByDistance(idle: readonly Cpu[], last: Cpu, topology: Topology): IdleGroup[] {
  const placeOf = new Map(topology.cpus.map((place) => [place.cpu, place]));
  const at = idle.map((cpu) => ({ cpu, distance: distanceBetween(placeOf, last, cpu) }));
  return NEAREST_FIRST.flatMap(([distance, text]) => {
    const cpus = at.filter((other) => other.distance === distance).map(({ cpu }) => cpu);
    return cpus.length > 0 ? [{ text, cpus }] : [];
  });
}
