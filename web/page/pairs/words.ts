/** What the tab of pairs calls things. Pure. */
import { plural } from '../../base/format';
import type { LongestPair, PairAnswer, PairTimes } from '../../engine/protocol';
import type { PairsView } from '../../state/pairs';
import { taskName } from '../words';

export const BY_TEXTS: Readonly<Record<PairsView['by'], { readonly one: string; readonly many: string }>> = {
  group: { one: 'Group', many: 'Groups' },
  command: { one: 'Command', many: 'Commands' },
  task: { one: 'Task', many: 'Tasks' },
  cpu: { one: 'CPU', many: 'CPUs' },
};

/** The pair that is shown: the chosen one, else that which took longest in all, with which their table begins. */
export const chosenPair = (pairs: readonly PairAnswer[], name: string | null): PairAnswer | null =>
  pairs.find((pair) => pair.name === name) ??
  pairs.reduce<PairAnswer | null>((most, pair) => (most && most.ns.sum >= pair.ns.sum ? most : pair), null);

/** From which event to which; a single event has a value of its own. */
export const eventsOf = ({ start, end }: Pick<PairAnswer, 'start' | 'end'>): string =>
  end === null ? start : `${start} → ${end}`;

/** How many durations are negative: those of ends that were before what the start announced. */
const negativeIn = ({ histogram }: PairTimes): number =>
  histogram.reduce((sum, [from, count]) => (from < 0 ? sum + count : sum), 0);

/** What belongs to no pair, or is in doubt, in words; empty if there is nothing. */
export function doubtsOf(pair: PairAnswer): string {
  const counted = [
    [pair.unmatched_starts, 'start', 'without an end'],
    [pair.unmatched_ends, 'end', 'without a start'],
    [pair.restarted, 'start', 'again before the end'],
    [pair.across_loss, 'pair', 'across lost events'],
    [negativeIn(pair.ns), 'negative duration', '(the end came early), not in the histogram'],
  ] as const;
  return counted
    .filter(([count]) => count > 0)
    .map(([count, noun, what]) => `${plural(count, noun)} ${what}`)
    .join(', ');
}

export const longestTask = ({ comm, pid }: LongestPair): string => (pid === 0 ? 'idle' : taskName(comm, pid));

/** The thread ids in a text, and the beginnings of names. */
export function pairTasks(text: string): { readonly pids: readonly number[]; readonly comms: readonly string[] } {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const isPid = (part: string): boolean => /^\d{1,9}$/.test(part);
  return { pids: parts.filter(isPid).map(Number), comms: parts.filter((part) => !isPid(part)) };
}
