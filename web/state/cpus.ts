/** Which CPUs have lanes. */
import type { Cpu } from '../engine/protocol';

/** The longest list of CPUs in a link. */
export const MAX_CPU_LIST = 400;

/** Those of `all` that are chosen, in their order; all of them where none is chosen, or none of those is there. */
export function chosenCpus(chosen: readonly Cpu[], all: readonly Cpu[]): readonly Cpu[] {
  if (chosen.length === 0) return all;
  const wanted = new Set(chosen);
  const found = all.filter((cpu) => wanted.has(cpu));
  return found.length === 0 || found.length === all.length ? all : found;
}
