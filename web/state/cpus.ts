/** Which CPUs have lanes, and in which order. */
import type { Cpu } from '../engine/protocol';
import type { TopologyView } from './topology';

/** The longest list of CPUs in a link. */
export const MAX_CPU_LIST = 400;

/** Those of `all` that are chosen, in their order; all of them where none is chosen, or none of those is there. */
export function chosenCpus(chosen: readonly Cpu[], all: readonly Cpu[]): readonly Cpu[] {
  if (chosen.length === 0) return all;
  const wanted = new Set(chosen);
  const found = all.filter((cpu) => wanted.has(cpu));
  return found.length === 0 || found.length === all.length ? all : found;
}

/** The orders of a trace's CPUs, as far as they are known. */
export interface CpuOrders {
  /** By number. */
  readonly number: readonly Cpu[];
  readonly topology: readonly Cpu[] | null;
  /** The busiest first. */
  readonly activity: readonly Cpu[] | null;
}

/** The CPUs that have lanes, from top to bottom. */
export function laneCpus(chosen: readonly Cpu[], order: TopologyView['order'], orders: CpuOrders): readonly Cpu[] {
  const { number, topology, activity } = orders;
  if (order !== 'list' || chosen.length === 0)
    return chosenCpus(chosen, (order === 'topology' ? topology : order === 'activity' ? activity : null) ?? number);
  const present = new Set(number);
  const listed = chosen.filter((cpu) => present.has(cpu));
  return listed.length === 0 ? number : listed;
}
