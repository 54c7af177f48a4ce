import type { EngineClient } from '../../engine/client';
import type { EventFilter, EventRow } from '../../engine/protocol';
import { type EventPlace, samePlace } from '../../state/events';
import type { Page } from '../page';

const EVERYTHING: EventFilter = { cpus: null, pids: null, events: null, text: '', window: null };
/** How many events with the same time are looked through. */
const SAME_TIME = 64;

/** Marks an event on the lanes (by default the current one); the list then asks for a note. */
export async function markEvent(page: Page, row: EventRow | null = page.eventRow.get()): Promise<void> {
  const { store } = page;
  const place = row ?? store.getState().event;
  if (!place) {
    page.announce('Go to an event in the list first: M marks it on the lanes.');
    return;
  }
  const isMarked = (): boolean => store.getState().marks.some((mark) => samePlace(mark, place));
  if (!isMarked()) {
    const { session } = page.engine;
    const note = row ? row.event : await nameOf(page.engine, place);
    // The mark is one of a trace that may have been closed meanwhile.
    if (note === null || page.engine.session !== session) return;
    store.dispatch({ type: 'mark', mark: { cpu: place.cpu, at: place.at, note } });
    page.announce(isMarked() ? 'The event is marked on the lanes.' : 'No more marks fit into the URL of this view.');
  }
  if (isMarked()) {
    store.dispatch({ type: 'events', change: { open: true } });
    page.noting.set(place);
  }
}

/** Takes the mark off the current event. */
export function unmarkEvent(page: Page): void {
  const { event, marks } = page.store.getState();
  const mark = event && marks.find((other) => samePlace(other, event));
  if (mark) {
    page.store.dispatch({ type: 'unmark', place: mark });
    page.announce(mark.note === '' ? 'The mark is removed.' : `The mark “${mark.note}” is removed.`);
  } else {
    page.announce(
      event ? 'The current event has no mark.' : 'No event is current: click on one in the list of events.',
    );
  }
}

/**
 * The event's name, as a first text for the note: empty if it is not known, null if nobody waits for it any more. Only for
 * when no list is open, because the query would disturb an open list.
 */
async function nameOf(engine: EngineClient, { cpu, at }: EventPlace): Promise<string | null> {
  const list = { filter: EVERYTHING, mode: 'trace-cmd' } as const;
  const found = await engine.query('mark/at', { type: 'event_row_at', ...list, at, cpu });
  if (found.kind === 'superseded') {
    return null;
  }
  if (found.kind === 'failed' || found.answer.row === null) {
    return '';
  }
  const query = { type: 'event_rows', ...list, first: found.answer.row, count: SAME_TIME } as const;
  const outcome = await engine.query('mark/rows', query);
  if (outcome.kind === 'superseded') {
    return null;
  }
  return (outcome.kind === 'answer' && outcome.answer.rows.find((row) => samePlace(row, { cpu, at }))?.event) || '';
}
