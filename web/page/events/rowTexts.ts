/** The texts of a row's cells. Pure. */
import { formatCount, formatDuration } from '../../base/format';
import { absoluteText, type TraceClock } from '../../base/traceTime';
import type { Ns } from '../../base/units';
import type { EventRow } from '../../engine/protocol';

/** The time without its unit, which the column's head has. */
export function timeText(clock: TraceClock, at: Ns, origin: Ns, absolute: boolean): string {
  if (absolute) {
    return absoluteText(clock, at);
  }
  return clock.isNs ? ((at - origin) / 1e9).toFixed(9) : formatCount(at - origin);
}

export const sinceText = (clock: TraceClock, at: Ns, before: Ns | null): string =>
  before === null ? '' : `+${formatDuration(clock, at - before)}`;

/** A task as trace-cmd names it: comm-pid. */
export const taskText = ({ comm, pid }: Pick<EventRow, 'comm' | 'pid'>): string => `${comm}-${pid}`;

export function lostText(lost: EventRow['lost']): string | null {
  if (lost === null) {
    return null;
  }
  return lost === 'some' ? 'events lost before' : `${formatCount(lost)} lost before`;
}

/** The first line of a text, for a row; the rest is shown elsewhere. */
export function firstLine(text: string): { readonly line: string; readonly hasMore: boolean } {
  const trimmed = text.trimEnd();
  const end = trimmed.indexOf('\n');
  return end < 0 ? { line: trimmed, hasMore: false } : { line: trimmed.slice(0, end), hasMore: true };
}

/** A text cut at the occurrences of a searched text, ignoring case: `[before, hit, between, hit, after]`. */
export function cutAtHits(text: string, hit: string): readonly string[] {
  if (hit === '') {
    return [text];
  }
  const parts: string[] = [];
  // A few letters change their length in lower case; then nothing is highlighted.
  const lower = text.toLowerCase();
  const sought = hit.toLowerCase();
  let from = 0;
  for (let at = lower.indexOf(sought); at >= 0 && lower.length === text.length; at = lower.indexOf(sought, from)) {
    parts.push(text.slice(from, at), text.slice(at, at + sought.length));
    from = at + sought.length;
  }
  return [...parts, text.slice(from)];
}
