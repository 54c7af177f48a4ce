/** The list of findings as a part of the view: what it lists, and which arrows the lanes draw. Pure. */
import { type Ns, ns, type TimeWindow } from '../base/units';
import type { FindingKind } from '../engine/protocol';

/** The kinds in the order of their buttons. */
export const FINDING_KINDS: readonly FindingKind[] = [
  'overload',
  'wait',
  'gap',
  'moved_off_idle',
  'cascade',
  'latency',
  'kernel_preemption',
  'preemption',
  'call_wait',
  'call_blocked',
];

export interface FindingsView {
  /** The kinds that are listed; empty: all. */
  readonly kinds: readonly FindingKind[];
  /** Only findings in this window are listed; null: all. */
  readonly within: TimeWindow | null;
  /** Whether tasks that were never seen on a second CPU, which may be pinned, are left out. */
  readonly movable: boolean;
  /** The least duration of overloads, where they alone are listed. */
  readonly least: Ns;
}

export const initialFindings: FindingsView = { kinds: [], within: null, movable: false, least: ns(0) };

/** The arrows of the selected run: its wakeup chain, or the cascade of moves that it is part of. */
export type ArrowsOf = 'chain' | 'cascade';

/** The most hops by which a chain is followed. */
export const CHAIN_HOPS = 32;

/** Adds a kind to those that are listed, or removes it; the list of all kinds is the empty list. */
export function withKind(kinds: readonly FindingKind[], kind: FindingKind): readonly FindingKind[] {
  const next = FINDING_KINDS.filter((other) => (other === kind) !== kinds.includes(other));
  return next.length === FINDING_KINDS.length ? [] : next;
}
