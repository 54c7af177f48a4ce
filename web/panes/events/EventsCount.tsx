import { type ReactNode, useRef } from 'react';
import { formatCount, formatPercent, plural } from '../../base/format';
import type { EventsView } from '../../state/events';
import { unfiltered } from '../../state/events';
import { usePage, useView } from '../context';
import type { EventListState } from './eventList';

interface EventsCountProps {
  readonly state: EventListState;
  readonly isFiltered: boolean;
}

/** How many events there are; while a filter runs, how far it is, and a way back to what was shown before. */
export function EventsCount({ state, isFiltered }: EventsCountProps): ReactNode {
  const { store } = usePage();
  const events = useView((view) => view.events);
  const last = useRef<EventsView | null>(null);
  if (state.complete && !state.pending) {
    last.current = events;
  }
  if (!state.complete && state.all > 0) {
    const back = last.current ?? unfiltered(events);
    return (
      <output className="events-count">
        {formatCount(state.total)} of {formatPercent(state.done / state.all)}
        <progress className="progress" max={state.all} value={state.done} aria-label="Filtering" />
        <button type="button" className="link" onClick={() => store.dispatch({ type: 'events', change: back })}>
          Cancel
        </button>
      </output>
    );
  }
  return (
    <output className="events-count muted">
      {isFiltered ? `${formatCount(state.total)} of ${plural(state.all, 'event')}` : plural(state.total, 'event')}
    </output>
  );
}
