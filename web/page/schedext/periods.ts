/** Parts of a trace to compare: before a scheduler of sched_ext was loaded, under it, and after it. Pure. */
import { type Ns, ns, type TimeWindow } from '../../base/units';
import type { Bypass } from '../../engine/protocol';

export interface Period {
  readonly name: string;
  readonly title: string;
  readonly window: TimeWindow;
}

/** The part in which the scheduler runs. */
export const UNDER = 'With the scheduler';
const UNDER_TITLE = 'Loading and unloading a scheduler each bypass it once: from the first bypass to the last';

/** `chosen`: the range, or the window on the screen; null: the whole trace is shown. */
export function periodsOf(bypasses: readonly Bypass[], span: Ns, chosen: Period | null): readonly Period[] {
  const first = bypasses[0];
  const last = bypasses.at(-1);
  // The last ns of the trace belongs to it.
  const end = ns(span + 1);
  const found: Period[] = [];
  const add = (name: string, title: string, from: Ns, to: Ns): void => {
    if (from < to) found.push({ name, title, window: { start: from, end: to } });
  };
  if (first === undefined || last === undefined) {
    add('Whole trace', 'The whole trace', ns(0), end);
  } else {
    add('Before', 'Before the first bypass', ns(0), first.start);
    if (bypasses.length > 1 && first.end !== null) add(UNDER, UNDER_TITLE, first.end, last.start);
    if (last.end !== null) add('After', 'After the last bypass', last.end, end);
  }
  return chosen === null ? found : [...found, chosen];
}
