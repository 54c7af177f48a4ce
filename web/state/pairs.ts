/** The pairs tab as a part of the view: which pair of events it shows, put together by what, and from which time. Pure. */
import type { OwnPair } from '../engine/protocol';
import { SPANS } from './latency';

export const PAIR_GROUPINGS = ['group', 'command', 'task', 'cpu'] as const;
export const AGAIN = ['last', 'first', 'nest'] as const satisfies readonly OwnPair['again'][];

export interface PairsView {
  /** The name of the pair whose numbers are shown; null: the one that took longest. */
  readonly pair: string | null;
  readonly by: (typeof PAIR_GROUPINGS)[number];
  /** The group whose numbers are shown beside those of all; null: none. */
  readonly group: string | null;
  /** Thread ids and beginnings of command names, with commas between, in which pairs begin; empty: any. */
  readonly task: string;
  /** `window`: the range, else the window on the screen. */
  readonly span: (typeof SPANS)[number];
  /** The user's own pair, which is shown in place of those built in; null: none. */
  readonly own: OwnPair | null;
}

export const initialPairs: PairsView = { pair: null, by: 'group', group: null, task: '', span: 'trace', own: null };

export const NO_PAIR: OwnPair = { start: '', end: '', key: '', group: '', value: '', again: 'last' };

/** The most characters of the tasks in which pairs begin. */
export const MAX_PAIR_TASKS = 64;

/** Changes the tab; a group belongs to its pair and to what groups are made of. */
export function withPairs(view: PairsView, change: Partial<PairsView>): PairsView {
  const same = (['pair', 'by', 'own'] as const).every((key) => change[key] === undefined || change[key] === view[key]);
  return { ...view, group: same ? view.group : null, ...change };
}

/** The most characters of the user's own pair, in all. */
export const MAX_OWN_PAIR = 300;

/** The texts of a user's pair in one: a line each, without those that are empty at the end. */
export function formatOwnPair(own: OwnPair | null): string {
  if (own === null) return '';
  const { start, end, key, group, value, again } = own;
  return [start, end, key, group, value, again === 'last' ? '' : again].join('\n').trimEnd();
}

/** Reads that again; null where it is none. */
export function parseOwnPair(text: string): OwnPair | null {
  const [start = '', end = '', key = '', group = '', value = '', again = '', ...rest] = text.split('\n');
  const found = AGAIN.find((name) => name === (again || 'last'));
  return text.length <= MAX_OWN_PAIR && start !== '' && found && rest.length === 0
    ? { start, end, key, group, value, again: found }
    : null;
}

/** The words of a URL: what is not as at first. */
export const formatPairs = ({ by, span }: Pick<PairsView, 'by' | 'span'>): string =>
  [by !== initialPairs.by && by, span !== initialPairs.span && span].filter(Boolean).join(',');

export function parsePairs(text: string): Pick<PairsView, 'by' | 'span'> | null {
  let { by, span } = initialPairs;
  for (const word of text.split(',')) {
    const grouping = PAIR_GROUPINGS.find((name) => name === word);
    const found = SPANS.find((name) => name === word);
    if (!grouping && !found) return null;
    by = grouping ?? by;
    span = found ?? span;
  }
  return { by, span };
}
