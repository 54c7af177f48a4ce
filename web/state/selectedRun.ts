/** What is known about the selected run, which the view identifies by its CPU and start alone. Pure. */
import type { Cascade, Chain, EngineError, Interval } from '../engine/protocol';
import type { Action } from './viewState';

export interface SelectedRun {
  /** `asking`: what is known belongs to the previous selection, or to an earlier view. */
  readonly status: 'none' | 'asking' | 'known' | 'failed';
  /** null: nothing is selected, there is nothing at that place, or it is not known yet. */
  readonly interval: Interval | null;
  /** Whether the interval belongs to the present selection, and not to the previous one. */
  readonly isPresent: boolean;
  /** The wakeups that led to the run, and those that it made; null if it is no run. Stays until another is known. */
  readonly chain: Chain | null;
  /** The moves that the run is part of; null if its task was not moved there. Stays until another is known. */
  readonly cascade: Cascade | null;
  /** Why the interval is not known. */
  readonly error: EngineError | null;
}

export const noRun: SelectedRun = {
  status: 'none',
  interval: null,
  isPresent: false,
  chain: null,
  cascade: null,
  error: null,
};

/** The interval of the present selection; null while it is not known. */
export const presentInterval = ({ isPresent, interval }: SelectedRun): Interval | null => (isPresent ? interval : null);

/** Dispatches an action that selects `interval`, which is then not asked for again; null: the interval is unknown. */
export type SelectKnown = (interval: Interval | null, action: Action) => void;
