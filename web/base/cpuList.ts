/** CPU lists as the kernel and taskset write them: `1,4-7`. */
export function formatCpuList(cpus: readonly number[]): string {
  const sorted = [...new Set(cpus)].sort((a, b) => a - b);
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
