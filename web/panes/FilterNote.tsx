import type { ReactNode } from 'react';
import { plural } from '../base/format';
import { useObservable } from '../components/useObservable';
import type { DetailsTab } from '../state/details';
import { usePage } from './context';
import './filterNote.css';

/** Tabs and other places that show runs. */
type Place = DetailsTab | 'wakeup_figure';

/** Of those that the filter leaves something out of, true; of others what they show of all, and why. The rest says nothing of runs. */
const OF_PLACES: Readonly<Partial<Record<Place, true | readonly [what: string, why: string]>>> = {
  findings: true,
  range: true,
  latency: true,
  relations: true,
  compare: true,
  instant: ['All CPUs', 'at an instant each of them does one thing'],
  syscalls: true,
  pairs: ['All pairs', 'their events may be in different runs'],
  sched_ext: ['All runs', 'a scheduler counts for all tasks'],
  wakeup_figure: ['All runs', 'it is of one run, and of what led to it'],
};

interface FilterNoteProps {
  /** Where it stands; without it, that is something of the runs that pass. */
  readonly of?: Place;
}

/**
 * Says that something is only of the runs that pass the filter, or that the filter does not act on it, and why. If no run passes, it
 * clears the filter: what follows has nothing to say about the trace then.
 */
export function FilterNote({ of }: FilterNoteProps): ReactNode {
  const { engine, store } = usePage();
  const runs = useObservable(engine.passing);
  const acts = of === undefined || OF_PLACES[of];
  if (runs === null || acts === undefined) return null;
  if (acts === true && runs === 0) {
    return (
      <span className="filter-note">
        No run passes the filter.{' '}
        <button
          type="button"
          className="link"
          aria-label="Clear the filter, which no run passes"
          onClick={() => store.dispatch({ type: 'filter', filter: '' })}
        >
          Clear
        </button>
      </span>
    );
  }
  const [text, title] =
    acts === true
      ? [
          `Of ${plural(runs, 'run')} that ${runs === 1 ? 'passes' : 'pass'} the filter`,
          'Runs without an event that passes are left out',
        ]
      : [`${acts[0]}, whatever passes the filter: ${acts[1]}`, 'What passes is marked on the lanes'];
  return (
    <span className="filter-note" title={title}>
      {text}
    </span>
  );
}
