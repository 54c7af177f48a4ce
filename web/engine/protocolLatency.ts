/**
 * The groups of a report of latencies: names, and beside them one list of numbers, as `LatencyGroup::put_numbers` of the Rust side lays them out. As
 * objects they would be copied between threads, which takes tens of milliseconds.
 */
import type { LatencyReport, Measured, TraceAnswer } from './protocol';

/** The report with its groups. */
export function withGroups({
  report,
  groups,
  values,
}: Extract<TraceAnswer, { readonly type: 'latency' }>): LatencyReport {
  let at = 0;
  const next = (): number => values[at++] as number;
  const time = (): number | null => {
    const ns = next();
    return Number.isNaN(ns) ? null : ns;
  };
  const measured = (): Measured => ({
    count: next(),
    ns: {
      p50: time(),
      p90: time(),
      p99: time(),
      p999: time(),
      max: time(),
      sum: next(),
      histogram: Array.from({ length: next() }, (): [number, number] => [next(), next()]),
    },
  });
  return {
    ...report,
    // Properties are read in this order.
    groups: groups.map((name) => ({
      ...name,
      wakeups: measured(),
      waits: { all: measured(), woken: measured(), preempted: measured(), replenished: measured() },
      runs: {
        all: measured(),
        preempted: measured(),
        yielded: measured(),
        slept: measured(),
        exited: measured(),
        throttled: measured(),
        cut: next(),
      },
    })),
  };
}
