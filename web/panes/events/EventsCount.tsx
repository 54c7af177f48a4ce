import { type ReactNode, useRef } from 'react';
import { formatCount, formatPercent, plural } from '../../base/format';
import type { EventFilter } from '../../engine/protocol';
import type { EventListState } from '../../page/events/eventList';
import { type EventsView, isFiltered, unfiltered } from '../../state/events';
import { usePage, useView } from '../context';

interface EventsCountProps {
  readonly state: EventListState;
  /** What is asked for. */
  readonly filter: EventFilter;
}

/** How many events there are; while a filter runs, how far it is, and a way back to what was shown before. */
export function EventsCount({ state, filter }: EventsCountProps): ReactNode {
  const { store } = usePage();
  const events = useView((view) => view.events);
  const last = useRef<EventsView | null>(null);
  if (state.complete && state.filter === filter) {
    last.current = events;
  }
  if (state.error !== null) {
    // What is wrong stands in the list.
    return <output className="events-count muted">no list of events</output>;
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
      {isFiltered(events)
        ? `${formatCount(state.total)} of ${plural(state.all, 'event')}`
        : plural(state.total, 'event')}
    </output>
  );
}
