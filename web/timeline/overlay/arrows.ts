/**
 * Arrows between lanes. Those of wakeups lead from where the waker made the wakeup to where the wakee came onto a CPU;
 * those of moves from the CPU that a task left to where it came onto another.
 */
import type { Ns } from '../../base/units';
import type { Cascade } from '../../engine/protocol';
import { type Chain, type Cpu, isInterrupt, type WakeupEdge } from '../../engine/protocol';

export interface Arrow {
  readonly fromCpu: Cpu;
  readonly fromTime: Ns;
  readonly toCpu: Cpu;
  readonly toTime: Ns;
  /** Whether an interrupt on the waker's CPU made the wakeup. */
  readonly interrupt: boolean;
  /** Whether the wakeup led to the selected run; the others were made by the run. */
  readonly back: boolean;
  /** Its place in a cascade, from 1; null for wakeups. */
  readonly number: number | null;
}

/** The most forward arrows of one run; more would hide the lanes. */
export const MOST_FORWARD = 64;

export function chainArrows(chain: Chain | null): Arrow[] {
  if (chain === null) return [];
  return [
    ...chain.back.flatMap((hop) => hopArrow(hop, true)),
    ...chain.forward.slice(0, MOST_FORWARD).flatMap((hop) => hopArrow(hop, false)),
  ];
}

/** The arrow of a hop; none for a wakee that never came onto a CPU. */
function hopArrow(hop: WakeupEdge, back: boolean): Arrow[] {
  const { cpu, at_ns: at, running_ns: running } = hop;
  if (cpu === null || running === null) return [];
  const interrupt = isInterrupt(hop.context);
  return [{ fromCpu: hop.waker_cpu, fromTime: at, toCpu: cpu, toTime: running, interrupt, back, number: null }];
}

/** The arrows of a cascade; none for a fork, before which the task was nowhere. */
export function cascadeArrows(cascade: Cascade | null): Arrow[] {
  if (cascade === null) return [];
  return cascade.moves.flatMap(({ from_cpu, to_cpu, at_ns, running_ns }, index) =>
    from_cpu === null
      ? []
      : [
          {
            fromCpu: from_cpu,
            fromTime: at_ns,
            toCpu: to_cpu,
            toTime: running_ns,
            interrupt: false,
            back: true,
            number: index + 1,
          },
        ],
  );
}
