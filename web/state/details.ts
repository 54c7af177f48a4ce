/** Which tab of the details is open: a part of the view. Pure. */
import type { ViewState } from './viewState';

export const DETAILS_TABS = [
  'findings',
  'commands',
  'selection',
  'instant',
  'range',
  'latency',
  'relations',
  'syscalls',
  'pairs',
  'sched_ext',
  'compare',
  'diagnostics',
  'trace',
] as const;

export type DetailsTab = (typeof DETAILS_TABS)[number];

/** The tab that a URL need not name: the one for what is selected, else the list with which a trace opens. */
export const naturalTab = ({ selection, range }: Pick<ViewState, 'selection' | 'range'>): DetailsTab =>
  selection ? 'selection' : range ? 'range' : 'findings';
