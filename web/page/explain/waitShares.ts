/** Which tasks had the CPU that a task waited for, as shares of its wait. Pure. */
import type { RunPlace, TaskName, WaitInfo } from '../../engine/protocol';

export interface WaitShare {
  readonly who: (TaskName & { readonly run: RunPlace }) | 'idle' | 'unknown' | 'others';
  readonly ns: number;
  /** The share of the whole wait. */
  readonly share: number;
}

/**
 * The `most` tasks that had the CPU longest, then all other tasks together, then idle and unknown time. The shares add
 * up to the whole wait.
 */
export function waitShares(wait: WaitInfo, most: number): WaitShare[] {
  const share = (who: WaitShare['who'], ns: number): WaitShare => ({ who, ns, share: ns / Math.max(1, wait.wait_ns) });
  const listed = wait.took.slice(0, most);
  const named = listed.reduce((sum, { ran_ns }) => sum + ran_ns, 0);
  // Tasks that the engine does not list may have had the CPU too: the remainder is theirs.
  const others = wait.wait_ns - named - wait.own_idle_ns - wait.unknown_ns;
  return [
    ...listed.map((took) => share(took, took.ran_ns)),
    share('others', wait.took_total > listed.length ? Math.max(0, others) : 0),
    share('idle', wait.own_idle_ns),
    share('unknown', wait.unknown_ns),
  ].filter(({ ns }) => ns > 0);
}
