import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { writeClipboard } from '../../base/clipboard';
import { useObservable } from '../../components/useObservable';
import { type EventRow, type EventTextMode, MAX_EVENT_LINES, type Summary } from '../../engine/protocol';
import { holdsRecords } from '../../page/cannotTell';
import { copyText } from '../../page/events/copyText';
import { filterInWords } from '../../page/events/eventFilter';
import { EventList, type EventListState } from '../../page/events/eventList';
import { markEvent } from '../../page/events/markEvent';
import { openEvent } from '../../page/events/openEvent';
import { type RowRange, rowsOf } from '../../page/events/rowRange';
import { sentence } from '../../page/words';
import { type EventPlace, samePlace } from '../../state/events';
import { clockOf } from '../../state/traces';
import { usePage, useScene, useSession, useView } from '../context';
import { useOrigin } from '../useOrigin';
import { EventsCount } from './EventsCount';
import { EventsGrid } from './EventsGrid';
import { EventText } from './EventText';
import { FilterBar } from './FilterBar';
import { MarksMenu } from './MarksMenu';
import { SearchBox } from './SearchBox';
import { useEventFilter } from './useEventFilter';
import type { GridControls } from './useGridControls';
import './events.css';

/** All events of the trace in time order, as text. */
export function EventsPane(): ReactNode {
  const session = useSession();
  const { engine } = usePage();
  return (
    <section className="pane events" aria-label="Events">
      {session.kind === 'open' ? (
        <Events key={engine.session} summary={session.summary} />
      ) : (
        <header className="pane-head">
          <h2>Events</h2>
        </header>
      )}
    </section>
  );
}

const MODES: readonly { readonly value: EventTextMode; readonly text: string }[] = [
  { value: 'trace-cmd', text: 'as trace-cmd' },
  { value: 'kernel', text: 'as the kernel' },
  { value: 'raw', text: 'raw fields' },
];

function Events({ summary }: { readonly summary: Summary }): ReactNode {
  const page = usePage();
  const { store, engine } = page;
  const events = useView((view) => view.events);
  const marks = useView((view) => view.marks);
  const origin = useOrigin();
  const clock = useMemo(() => clockOf(summary), [summary]);
  const filter = useEventFilter(summary);
  const list = useMemo(() => new EventList(engine), [engine]);
  useEffect(() => () => list.dispose(), [list]);
  const state = useObservable(list.state);
  const controls = useRef<GridControls | null>(null);
  const [range, setRange] = useState<RowRange | null>(null);
  const [searched, setSearched] = useState('');
  const swatchOf = useRunSwatch();
  const own = useFocus(list, filter, events.mode, controls);
  const current = range ? state.rows.get(range.active) : undefined;
  useCurrentEvent(current, own);
  const hasEvent = useView((view) => view.event !== null);
  useEffect(() => {
    if (!hasEvent) {
      // The same event may become current again, by a mark's flag.
      own.current = null;
      setRange(null);
    }
  }, [hasEvent, own]);

  const copy = async (): Promise<void> => {
    if (!range) {
      return;
    }
    const { first, end } = rowsOf(range);
    const count = Math.min(end - first, MAX_EVENT_LINES);
    const outcome = await engine.query('events/copy', { type: 'event_lines', filter, mode: events.mode, first, count });
    if (outcome.kind !== 'answer') {
      return;
    }
    const rows = { copied: count, left: end - first - count };
    const text = copyText(summary, events.mode, filterInWords(events, filter), rows, outcome.answer.text);
    try {
      await writeClipboard(text);
      page.announce(count === 1 ? 'One event is copied.' : `${count} events are copied.`);
    } catch {
      page.announce('The browser refused the clipboard.');
    }
  };

  return (
    <>
      <header className="events-bar">
        <div className="events-tools">
          <h2>Events</h2>
          <EventsCount state={state} filter={filter} />
          {!holdsRecords(summary) && (
            <span className="muted small" title="The file holds no records of ftrace: these are made of what it holds">
              the scheduler’s, as a kernel would write them
            </span>
          )}
          <FilterBar />
          <span className="spacer" />
          <SearchBox list={list} controls={controls} text={searched} onText={setSearched} />
          <select
            className="field small"
            aria-label="How events are printed"
            title="How events are printed: as trace-cmd report does, by the kernel’s own formats (-N), or field by field (-R)"
            value={events.mode}
            onChange={(event) =>
              store.dispatch({ type: 'events', change: { mode: event.target.value as EventTextMode } })
            }
          >
            {MODES.map(({ value, text }) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
          <MarksMenu clock={clock} origin={origin} absoluteTime={events.absoluteTime} />
          <button
            type="button"
            className="button small"
            disabled={!range}
            title="Copy the selected events as lines of text (Ctrl+C). Shift+click or Shift+arrows select several."
            onClick={() => void copy()}
          >
            Copy
          </button>
        </div>
        <button
          type="button"
          className="button small quiet"
          aria-label="Close the events"
          title="Close (E)"
          onClick={() => store.dispatch({ type: 'events', change: { open: false } })}
        >
          ✕
        </button>
      </header>
      <EventsGrid
        list={list}
        state={state}
        clock={clock}
        origin={origin}
        absoluteTime={events.absoluteTime}
        swatchOf={swatchOf}
        marks={marks}
        hit={searched}
        range={range}
        setRange={setRange}
        controls={controls}
        onOpen={(row) => {
          own.current = row;
          void openEvent(page, row, events.followSelection !== 'off');
        }}
        onMark={(row) => void markEvent(page, row)}
        onCopy={() => void copy()}
        onTimeFormat={() => store.dispatch({ type: 'events', change: { absoluteTime: !events.absoluteTime } })}
        empty={emptyText(state)}
      />
      {current && <EventText row={current} onRoom={() => controls.current?.keepInSight()} />}
    </>
  );
}

/** The colour in which the lanes show a task; null for idle. */
function useRunSwatch(): (pid: number, comm: string) => string | null {
  const scene = useScene();
  const theme = useObservable(usePage().theme);
  const colour = useView((view) => view.colour);
  const target = useView((view) => view.target);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other colours come with another theme.
  return useMemo(() => {
    const { colours } = scene;
    return (pid, comm) => (pid === 0 ? null : colours.ofRun({ colour, target }, pid, comm));
  }, [scene, theme, colour, target]);
}

/**
 * Shows the filtered list where the view is: at the current event, else at the start of the selected run if another run
 * was selected; else at the list's own place in time. Returns the place that the list itself made current.
 */
function useFocus(
  list: EventList,
  filter: Parameters<EventList['show']>[0],
  mode: EventTextMode,
  controls: { readonly current: GridControls | null },
): { current: EventPlace | null } {
  const { store } = usePage();
  const event = useView((view) => view.event);
  const selection = useView((view) => view.selection);
  const own = useRef<EventPlace | null>(null);
  const seen = useRef<{ filter: unknown; mode: unknown; focus: EventPlace | null } | null>(null);
  useEffect(() => {
    const focus = event ?? (selection && { cpu: selection.cpu, at: selection.start });
    const before = seen.current;
    seen.current = { filter, mode, focus };
    if (focus && !samePlace(focus, before?.focus ?? null) && !samePlace(focus, own.current)) {
      list.show(filter, mode, { place: focus, below: null, isCurrent: true });
    } else if (before === null) {
      const { window } = store.getState();
      list.show(filter, mode, window && { place: { cpu: -1, at: window.start }, below: 0, isCurrent: false });
    } else if (before.filter !== filter || before.mode !== mode) {
      list.show(filter, mode, controls.current?.anchor() ?? null);
    }
  }, [list, filter, mode, event, selection, store, controls]);
  return own;
}

/** Makes the current row the current event of the view, which the lanes show. */
function useCurrentEvent(current: EventRow | undefined, own: { current: EventPlace | null }): void {
  const { store, eventRow } = usePage();
  useEffect(() => () => eventRow.set(null), [eventRow]);
  useEffect(() => {
    eventRow.set(current ?? null);
    if (current) {
      const event = { cpu: current.cpu, at: current.at };
      own.current = event;
      store.dispatch({ type: 'event', event });
    }
  }, [current, own, store, eventRow]);
}

function emptyText({ error, complete }: EventListState): string {
  if (error !== null) {
    return sentence(error);
  }
  return complete ? 'No events match the filters.' : 'Looking for events…';
}
