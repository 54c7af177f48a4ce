/** Wakeups of the chain on the task lanes: from the waker's lane straight to that of the wakee, whose wait begins there. */
import type { Ns } from '../../base/units';
import { type Chain, type Hop, isInterrupt, type TaskId } from '../../engine/protocol';
import type { TaskInfo } from '../../engine/protocolTasks';
import { MOST_FORWARD } from './arrows';

export interface TaskArrow {
  /** null: only the PID is known. */
  readonly waker: TaskId | null;
  readonly wakerPid: number;
  readonly wakee: TaskId;
  readonly at: Ns;
  readonly interrupt: boolean;
  /** On the way from the selected run back to its cause. */
  readonly back: boolean;
}

export function chainTaskArrows(chain: Chain | null): TaskArrow[] {
  if (chain === null) return [];
  const arrow = (hop: Hop, waker: TaskId | null, back: boolean): TaskArrow => ({
    waker,
    wakerPid: hop.waker_pid,
    wakee: hop.wakee,
    at: hop.woken,
    interrupt: isInterrupt(hop.waker_context),
    back,
  });
  return [
    // Who woke is who was woken in the hop before, back to the first.
    ...chain.back.map((hop, i) => arrow(hop, chain.back[i + 1]?.wakee ?? null, true)),
    ...chain.forward.slice(0, MOST_FORWARD).map((hop) => arrow(hop, chain.run.task ?? null, false)),
  ];
}

/** The lanes that an arrow joins; null when one of them is not there. */
export function arrowLanes(
  { waker, wakerPid, wakee }: TaskArrow,
  lanes: readonly TaskInfo[],
  laneOf: ReadonlyMap<TaskId, number>,
): { readonly from: number; readonly to: number } | null {
  const from = waker === null ? lanes.findIndex(({ pid }) => pid === wakerPid) : laneOf.get(waker);
  const to = laneOf.get(wakee);
  return from === undefined || from < 0 || to === undefined || from === to ? null : { from, to };
}
