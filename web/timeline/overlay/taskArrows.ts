/**
 * The chain's wakeups on the task lanes: arrows from the waker's lane straight to that of the wakee, whose wait begins
 * there.
 */
import type { Ns } from '../../base/units';
import { type Chain, isInterrupt, type TaskId, type WakeupEdge } from '../../engine/protocol';
import { MOST_FORWARD } from './arrows';

export interface TaskArrow {
  /** null: idle, or unknown. */
  readonly waker: TaskId | null;
  readonly wakee: TaskId;
  readonly at: Ns;
  readonly interrupt: boolean;
  /** Whether the wakeup led to the selected run. */
  readonly back: boolean;
}

export function chainTaskArrows(chain: Chain | null): TaskArrow[] {
  if (chain === null) return [];
  const arrow = ({ waker, wakee, at_ns: at, context }: WakeupEdge, back: boolean): TaskArrow => ({
    waker: waker.kind === 'task' ? waker.task : null,
    wakee: wakee.task,
    at,
    interrupt: isInterrupt(context),
    back,
  });
  return [
    ...chain.back.map((hop) => arrow(hop, true)),
    ...chain.forward.slice(0, MOST_FORWARD).map((hop) => arrow(hop, false)),
  ];
}

/** The lanes that an arrow joins; null if one of them is not shown. */
export function arrowLanes(
  { waker, wakee }: TaskArrow,
  laneOf: ReadonlyMap<TaskId, number>,
): { readonly from: number; readonly to: number } | null {
  const from = waker === null ? undefined : laneOf.get(waker);
  const to = laneOf.get(wakee);
  return from === undefined || to === undefined || from === to ? null : { from, to };
}
