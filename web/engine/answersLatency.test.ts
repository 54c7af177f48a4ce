import { expect, test } from 'vitest';
import { openFixture } from './answersFixture';
import type { LatencyGroup } from './protocol';
import { withGroups } from './protocolLatency';

const SELECTION = { window: null, forked: false, movable: false, target: null, comms: [], pids: [], cpus: null };

test('the groups of a report come to what the report says of all', async () => {
  const { ask } = await openFixture();
  for (const by of ['cpu', 'command', 'task'] as const) {
    const report = withGroups(ask({ type: 'latency', selection: SELECTION, by, top: 1 }));
    expect(report.groups).toHaveLength(report.groups_total);
    const sum = (of: (group: LatencyGroup) => number) => report.groups.reduce((all, group) => all + of(group), 0);
    const most = (of: (group: LatencyGroup) => number | null) =>
      Math.max(...report.groups.map((group) => of(group) ?? 0));
    expect(sum(({ wakeups }) => wakeups.count)).toBe(report.count);
    expect(sum(({ wakeups }) => wakeups.ns.sum)).toBe(report.latency_ns.sum);
    expect(most(({ wakeups }) => wakeups.ns.max)).toBe(report.latency_ns.max);
    for (const part of ['all', 'woken', 'preempted'] as const) {
      expect(sum(({ waits }) => waits[part].count)).toBe(report.waits[part].count);
      expect(sum(({ waits }) => waits[part].ns.sum)).toBe(report.waits[part].ns.sum);
    }
    for (const part of ['all', 'preempted', 'slept', 'exited', 'throttled'] as const) {
      expect(sum(({ runs }) => runs[part].count)).toBe(report.runs[part].count);
      expect(most(({ runs }) => runs[part].ns.max)).toBe(report.runs[part].ns.max ?? 0);
    }
    expect(sum(({ runs }) => runs.cut)).toBe(report.runs.cut);
    for (const { wakeups } of report.groups) {
      const { p50, p90, p99, p999, max, histogram } = wakeups.ns;
      expect(histogram.reduce((all, [, count]) => all + count, 0)).toBe(wakeups.count);
      const ascending = [p50, p90, p99, p999, max].map((ns) => ns ?? -1);
      expect(ascending).toEqual([...ascending].sort((a, b) => a - b));
    }
  }
});
