/** The list of findings as a part of the view: what it lists, and which arrows the lanes draw. Pure. */
import { type Ns, ns, type TimeWindow } from '../base/units';
import type { FindingKind } from '../engine/protocol';

/** In the order of their buttons. */
export const FINDING_KINDS: readonly FindingKind[] = [
  'overload',
  'wait',
  'gap',
  'moved_off_idle',
  'cascade',
  'latency',
  'kernel_preemption',
  'preemption',
];

export interface FindingsView {
  /** Empty: all. */
  readonly kinds: readonly FindingKind[];
  /** Only what happens then; null: ever. */
  readonly within: TimeWindow | null;
  /** Without tasks that were never seen on a second CPU, which may be pinned. */
  readonly movable: boolean;
  /** Where overloads alone are listed: only those that last so long. */
  readonly least: Ns;
}

export const initialFindings: FindingsView = { kinds: [], within: null, movable: false, least: ns(0) };

/** The arrows of the selected run: its wakeup chain, or the cascade of moves that it is part of. */
export type ArrowsOf = 'chain' | 'cascade';

/** So far back a chain is followed. */
export const CHAIN_HOPS = 32;

/** Another kind is listed too, or no longer; all of them is none in particular. */
export function withKind(kinds: readonly FindingKind[], kind: FindingKind): readonly FindingKind[] {
  const next = FINDING_KINDS.filter((other) => (other === kind) !== kinds.includes(other));
  return next.length === FINDING_KINDS.length ? [] : next;
}
