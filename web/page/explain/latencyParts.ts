/** A wakeup's latency and the wait on the runqueue in it, which may begin later. Pure. */
import type { Interval, WakeupEdge } from '../../engine/protocol';

export interface LatencyPart {
  readonly ns: number;
  /** What it led to. */
  readonly text: string;
}

/** From the wakeup to the run: first until the task was on a runqueue, if that took any time, then until it ran. */
export function latencyParts(
  run: Pick<Interval, 'start' | 'cpu' | 'waited_since' | 'wait_cause'>,
  wakeup: Pick<WakeupEdge, 'at_ns' | 'waker_cpu' | 'chosen_cpu'>,
): readonly LatencyPart[] {
  const since = run.waited_since ?? null;
  if (since === null || run.wait_cause !== 'wakeup' || since <= wakeup.at_ns) return [];
  const { waker_cpu: from, chosen_cpu: chosen } = wakeup;
  const isRemote = from !== (chosen ?? run.cpu);
  return [
    {
      ns: since - wakeup.at_ns,
      text: `waking → wakeup: until it was on a runqueue${isRemote ? `, asked for by CPU ${from}` : ''}`,
    },
    { ns: run.start - since, text: 'wakeup → run: waited there' },
  ];
}
