/** Says in words what call a task is in, for the text beside the pointer. */
import { formatDuration, formatPercent, formatTime } from '../../../base/format';
import type { TraceClock } from '../../../base/traceTime';
import type { Ns } from '../../../base/units';
import type { CallItem } from '../../../engine/protocol';

/** `futex for 179.0 ms since 92.413 s, returned -110 ETIMEDOUT: on CPU 1 %, sleeping 99 %` */
export function callInWords(item: CallItem, clock: Pick<TraceClock, 'isNs'>, origin: Ns): string {
  const length = formatDuration(clock, item.end - item.start);
  const since = formatTime(clock, item.start, origin);
  switch (item.span) {
    case 'call':
      return `${item.call} for ${length} since ${since}, returned ${item.returned ?? 'nothing'}${meanwhile(item)}`;
    case 'unfinished':
      return `${item.call} since ${since}, not returned after ${length}${meanwhile(item)}`;
    case 'begun':
      return `in a call that began before, for ${length}`;
    case 'unknown':
      return `unknown for ${length}: an event that begins or ends a call is missing`;
    case 'outside':
      return `in no call for ${length} since ${since}`;
  }
}

function meanwhile(item: CallItem): string {
  const whole = Math.max(1, item.end - item.start);
  const parts = [
    ['on CPU', item.oncpu_ns],
    ['runnable', item.runnable_ns],
    ['sleeping', item.sleeping_ns],
    ['blocked', item.blocked_ns],
    ['stopped', item.stopped_ns],
    ['unknown', item.unknown_ns],
  ] as const;
  const told = parts.flatMap(([words, ns]) => (ns ? [`${words} ${formatPercent(ns / whole)}`] : []));
  return told.length === 0 ? '' : `: ${told.join(', ')}`;
}
