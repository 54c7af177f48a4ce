/** CPU lists as the kernel and taskset write them: `1,4-7`. */
export const formatCpuList = (cpus: readonly number[]): string => formatCpuOrder([...cpus].sort((a, b) => a - b));

/** The same in the order in which they are given. */
export function formatCpuOrder(cpus: readonly number[]): string {
  const sorted = [...new Set(cpus)];
  const parts: string[] = [];
  let from = 0;
  for (const [index, cpu] of sorted.entries()) {
    const next = sorted[index + 1];
    if (next === cpu + 1) {
      continue;
    }
    const first = sorted[from] ?? cpu;
    parts.push(first === cpu ? `${cpu}` : `${first}-${cpu}`);
    from = index + 1;
  }
  return parts.join(',');
}

/** More CPUs than any kernel has (`NR_CPUS` is at most 8192): a longer range is a typing error. */
const MOST_CPUS = 8192;

/**
 * Reads what `formatCpuList` writes, with spaces and overlaps allowed; the result ascends; null: not a list of CPUs.
 */
export function parseCpuList(text: string): readonly number[] | null {
  const cpus = parseCpuOrder(text);
  return cpus && [...cpus].sort((a, b) => a - b);
}

/** The same, in the order of the text. */
export function parseCpuOrder(text: string): readonly number[] | null {
  const cpus = new Set<number>();
  for (const part of text.trim() === '' ? [] : text.split(',')) {
    const match = /^\s*(\d{1,5})(?:\s*-\s*(\d{1,5}))?\s*$/.exec(part);
    const first = Number(match?.[1]);
    const last = Number(match?.[2] ?? match?.[1]);
    if (!match || last < first || last >= MOST_CPUS) {
      return null;
    }
    for (let cpu = first; cpu <= last; cpu += 1) {
      cpus.add(cpu);
    }
  }
  return [...cpus];
}
