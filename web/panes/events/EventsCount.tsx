import { type ReactNode, useRef } from 'react';
import { formatCount, formatPercent, plural } from '../../base/format';
import type { EventFilter } from '../../engine/protocol';
import type { EventListState } from '../../page/events/eventList';
import { type EventsView, isFiltered, unfiltered } from '../../state/events';
import { usePage, useView } from '../context';

interface EventsCountProps {
  readonly state: EventListState;
  /** The filter that is asked for. */
  readonly filter: EventFilter;
}

/** The number of events; while a filter runs, also its progress and a way back to the earlier list. */
export function EventsCount({ state, filter }: EventsCountProps): ReactNode {
  const { store } = usePage();
  const events = useView((view) => view.events);
  const last = useRef<EventsView | null>(null);
  if (state.complete && state.filter === filter) {
    last.current = events;
  }
  if (state.error !== null) {
    // The list itself says what is wrong.
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
