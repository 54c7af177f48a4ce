/**
 * The rows of the list of events that the page holds: those in sight and some around them. They are asked for as they
 * come into sight and dropped when they are far away. When the filter changes, the old rows stay on the screen until
 * the first new ones arrive, and the list keeps its place in time. No React.
 */
import { type Observable, observable } from '../../base/observable';
import type { Ns } from '../../base/units';
import type { AnswerTo, EngineClient, Outcome } from '../../engine/client';
import type { EventFilter, EventProgress, EventRow, EventsQuery, EventTextMode } from '../../engine/protocol';
import type { EventPlace } from '../../state/events';

/** The place to which the list is to be scrolled. */
export interface Target {
  /** The event, or a place; then the nearest event after it is meant. */
  readonly place: EventPlace;
  /**
   * How far below the top of the visible part it is to be, in CSS pixels; null: it stays where it is if it is visible,
   * and otherwise goes where there are rows around it.
   */
  readonly below: number | null;
  /** Whether the event is to be the current one, or already was. */
  readonly isCurrent: boolean;
}

/** A scroll that the list asks for once. */
export interface Placement {
  readonly row: number;
  /** Whether the row is the event that is to be the current one, and not merely near it. */
  readonly isCurrent: boolean;
  readonly below: number | null;
}

export interface EventListState extends EventProgress {
  /** How many rows are known so far. */
  readonly total: number;
  readonly rows: ReadonlyMap<number, EventRow>;
  /** The filter of the rows that are held, not of those that were asked for since. */
  readonly filter: EventFilter | null;
  /** Rows are on their way. */
  readonly pending: boolean;
  readonly error: string | null;
  /** A different object for each scroll. */
  readonly placement: Placement | null;
}

type Engine = Pick<EngineClient, 'query' | 'onEventProgress'>;

interface Asked {
  readonly filter: EventFilter;
  readonly mode: EventTextMode;
}

/** How many rows one answer has. */
const CHUNK = 256;
/** How many rows are asked for on either side of one that is looked for. */
const AROUND = 96;
/** The most rows that are held. */
const MOST_ROWS = 8192;
/** How long, in milliseconds, the old list stays while the place in the new one is looked for. */
const PATIENCE = 200;

const NOT_ASKED: EventListState = {
  total: 0,
  done: 0,
  all: 0,
  complete: false,
  rows: new Map(),
  filter: null,
  pending: false,
  error: null,
  placement: null,
};

export class EventList {
  readonly state: Observable<EventListState> = observable(NOT_ASKED);
  readonly #engine: Engine;
  readonly #unlisten: () => void;
  #asked: Asked | null = null;
  /** Whether the rows that are held are those of `#asked`. */
  #isFresh = false;
  #rows = new Map<number, EventRow>();
  #want = { first: 0, end: 0 };
  #isAsking = false;
  #pending = 0;
  /** Grows with every scroll that is asked for, and with every scroll by hand, so that none undoes a later one. */
  #move = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#unlisten = engine.onEventProgress((progress) => {
      if (progress.of === 'filter' && this.#isFresh) {
        const { total, done, all, complete } = progress;
        this.#set({ total, done, all, complete });
        this.#fill();
      }
    });
  }

  dispose(): void {
    this.#unlisten();
    clearTimeout(this.#timer);
    this.#asked = null;
  }

  /**
   * Shows the list of a filter at a place. Without a place, the list begins at its first row, or stays where it is if
   * it is already shown.
   */
  show(filter: EventFilter, mode: EventTextMode, target: Target | null): void {
    const isOther = JSON.stringify([filter, mode]) !== JSON.stringify([this.#asked?.filter, this.#asked?.mode]);
    if (isOther) {
      this.#asked = { filter, mode };
      this.#isFresh = false;
      this.#isAsking = false;
      clearTimeout(this.#timer);
    }
    if (target) {
      void this.#goTo(target);
      if (isOther) {
        this.#timer = setTimeout(() => !this.#isFresh && !this.#isAsking && this.#ask(0, CHUNK, null), PATIENCE);
      }
    } else if (isOther) {
      this.#move += 1;
      this.#ask(0, CHUNK, { row: 0, isCurrent: false, below: 0 });
    }
  }

  /** Says which rows are in sight, or nearly. */
  want(first: number, end: number): void {
    this.#want = { first, end };
    this.#fill();
  }

  /** The user has scrolled: the list no longer scrolls to what is still being looked for. */
  movedByHand(): void {
    this.#move += 1;
  }

  /**
   * The nearest row before or after `from` whose line holds `text`; `from` may lie beyond the ends of the list. null:
   * the list has none. Superseded by another search, and by `cancelSearch`.
   */
  async search(
    text: string,
    from: number,
    direction: -1 | 1,
  ): Promise<{ readonly row: number; readonly wrapped: boolean } | null | 'superseded'> {
    for (const wrapped of [false, true]) {
      const start = wrapped ? (direction > 0 ? -1 : this.state.get().total) : from;
      const row = await this.#search(text, start, direction);
      if (row !== null) {
        return row === 'superseded' ? row : { row, wrapped };
      }
    }
    return null;
  }

  cancelSearch(): void {
    void this.#search('', 0, 1);
  }

  async #search(text: string, from: number, direction: -1 | 1): Promise<number | null | 'superseded'> {
    if (!this.#asked) {
      return 'superseded';
    }
    const query = { type: 'event_search', ...this.#asked, text, from, direction } as const;
    const outcome = await this.#query('events/search', query);
    if (outcome.kind === 'failed') {
      this.#set({ error: outcome.error.what });
    }
    return outcome.kind === 'answer' ? outcome.answer.row : 'superseded';
  }

  async #goTo({ place, below, isCurrent }: Target): Promise<void> {
    const asked = this.#asked;
    if (!asked) {
      return;
    }
    this.#move += 1;
    const move = this.#move;
    const row = await this.#rowAt(asked, place.at);
    if (asked !== this.#asked || row === 'superseded') {
      return;
    }
    if (move === this.#move) {
      await this.#ask(
        Math.max(0, row - AROUND),
        CHUNK,
        { row, isCurrent: false, below },
        isCurrent ? place : undefined,
      );
    } else if (!this.#isFresh) {
      await this.#ask(0, CHUNK, null);
    }
  }

  /** The row at an instant; the last row when there is none so late. */
  async #rowAt(asked: Asked, at: Ns): Promise<number | 'superseded'> {
    const found = await this.#query('events/at', { type: 'event_row_at', ...asked, at, cpu: null });
    if (found.kind !== 'answer') {
      return found.kind === 'failed' ? 0 : 'superseded';
    }
    if (found.answer.row !== null) {
      return found.answer.row;
    }
    const outcome = await this.#query('events/total', { type: 'event_rows', ...asked, first: 0, count: 1 });
    return outcome.kind === 'answer' ? Math.max(0, outcome.answer.total - 1) : 'superseded';
  }

  /**
   * Asks for rows that are in sight and missing. There is one query at a time; the next asks for what is in sight then.
   */
  #fill(): void {
    if (this.#isAsking || !this.#isFresh) {
      return;
    }
    const end = Math.min(this.#want.end, this.state.get().total);
    let first = this.#want.first;
    while (first < end && this.#rows.has(first)) {
      first += 1;
    }
    if (first < end) {
      void this.#ask(first, Math.min(CHUNK, end - first), null);
    }
  }

  async #ask(first: number, count: number, placement: Placement | null, place?: EventPlace): Promise<void> {
    const asked = this.#asked;
    if (!asked) {
      return;
    }
    this.#isAsking = true;
    const move = this.#move;
    const outcome = await this.#query('events/rows', { type: 'event_rows', ...asked, first, count });
    if (asked !== this.#asked || outcome.kind === 'superseded') {
      return;
    }
    this.#isAsking = false;
    if (outcome.kind === 'failed') {
      this.#set({ error: outcome.error.what });
      return;
    }
    const { rows, total, done, all, complete } = outcome.answer;
    if (!this.#isFresh) {
      this.#isFresh = true;
      clearTimeout(this.#timer);
      this.#rows = new Map();
    }
    this.#drop();
    for (const row of rows) {
      // In raw mode each field, the first one too, begins with a blank.
      this.#rows.set(row.row, asked.mode === 'raw' ? { ...row, text: row.text.replace(/^ /, '') } : row);
    }
    const moved = placement && move === this.#move ? { placement: exactly(placement, place, this.#rows) } : {};
    this.#set({
      rows: this.#rows,
      filter: asked.filter,
      total,
      done,
      all,
      complete,
      pending: false,
      error: null,
      ...moved,
    });
    this.#fill();
  }

  /** Drops rows that are far away. */
  #drop(): void {
    if (this.#rows.size > MOST_ROWS) {
      const { first, end } = this.#want;
      for (const row of this.#rows.keys()) {
        if (row < first - CHUNK || row >= end + CHUNK) {
          this.#rows.delete(row);
        }
      }
    }
  }

  async #query<Q extends EventsQuery>(key: string, query: Q): Promise<Outcome<AnswerTo<Q>>> {
    this.#pending += 1;
    this.#setPending();
    const outcome = await this.#engine.query(key, query);
    this.#pending -= 1;
    // The code that receives the answer may ask again; the list stays pending until then.
    queueMicrotask(() => this.#setPending());
    return outcome;
  }

  #setPending(): void {
    const pending = this.#pending > 0;
    if (pending !== this.state.get().pending) {
      this.#set({ pending });
    }
  }

  #set(change: Partial<EventListState>): void {
    this.state.set({ ...this.state.get(), ...change });
  }
}

/** The row of exactly this event among those with the same time. */
function exactly(placement: Placement, place: EventPlace | undefined, rows: ReadonlyMap<number, EventRow>): Placement {
  for (let row = placement.row; place && rows.get(row)?.at === place.at; row += 1) {
    if (rows.get(row)?.cpu === place.cpu) {
      return { ...placement, row, isCurrent: true };
    }
  }
  return { ...placement };
}
