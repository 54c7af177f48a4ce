/**
 * Arrows between lanes: of wakeups, from where the waker made the wakeup to where the wakee came onto a CPU; of moves, from
 * the CPU that a task left to where it came onto another.
 */
import type { Ns } from '../../base/units';
import { type Chain, type Cpu, type Hop, isInterrupt } from '../../engine/protocol';
import type { Cascade } from '../../engine/protocolExplain';

export interface Arrow {
  readonly fromCpu: Cpu;
  readonly fromTime: Ns;
  readonly toCpu: Cpu;
  readonly toTime: Ns;
  /** Made by an interrupt that interrupted the waker's CPU. */
  readonly interrupt: boolean;
  /** On the way from the selected run back to its cause; the others are wakeups made by the run. */
  readonly back: boolean;
  /** Its place in a cascade, from 1; null for wakeups. */
  readonly number: number | null;
}

/** Forward arrows of one run; more would hide the lanes. */
export const MOST_FORWARD = 64;

export function chainArrows(chain: Chain | null): Arrow[] {
  if (chain === null) return [];
  return [
    ...chain.back.flatMap((hop) => hopArrow(hop, true)),
    ...chain.forward.slice(0, MOST_FORWARD).flatMap((hop) => hopArrow(hop, false)),
  ];
}

/** None for a wakee that never came onto a CPU. */
function hopArrow(hop: Hop, back: boolean): Arrow[] {
  if (hop.cpu === null || hop.running === null) return [];
  const interrupt = isInterrupt(hop.waker_context);
  return [
    { fromCpu: hop.waker_cpu, fromTime: hop.woken, toCpu: hop.cpu, toTime: hop.running, interrupt, back, number: null },
  ];
}

/** None for a fork: the task was nowhere before. */
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
