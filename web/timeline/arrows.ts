/** Wakeup arrows: from where the waker made the wakeup to where the wakee came onto a CPU. */
import type { Ns } from '../base/units';
import type { Chain, Cpu, Hop } from '../engine/protocol';

export interface Arrow {
  readonly fromCpu: Cpu;
  readonly fromTime: Ns;
  readonly toCpu: Cpu;
  readonly toTime: Ns;
  /** Made by an interrupt that interrupted the waker's CPU. */
  readonly interrupt: boolean;
  /** On the way from the selected run back to its cause; the others are wakeups made by the run. */
  readonly back: boolean;
}

/** Forward arrows of one run; more would hide the lanes. */
const MOST_FORWARD = 64;

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
  const interrupt = hop.wakerContext === 'hardirq' || hop.wakerContext === 'softirq';
  return [{ fromCpu: hop.wakerCpu, fromTime: hop.woken, toCpu: hop.cpu, toTime: hop.running, interrupt, back }];
}
