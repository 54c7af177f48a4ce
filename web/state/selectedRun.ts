/** What is known of the selected run, which the view names by its CPU and start alone. Pure. */
import type { Cascade, Chain, EngineError, Interval } from '../engine/protocol';

export interface SelectedRun {
  /** `asking`: what is known is that of the selection before, or of an earlier view. */
  readonly status: 'none' | 'asking' | 'known' | 'failed';
  /** null: nothing is selected, nothing is there, or it is not known yet. */
  readonly interval: Interval | null;
  /** Whether the interval is that of the present selection, and not that of the one before. */
  readonly isPresent: boolean;
  /** What woke it, and what it woke; null also for what is not a run. Stays until another is known. */
  readonly chain: Chain | null;
  /** The moves that it is part of; null also for a run whose task was not moved there. Stays until another is known. */
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
