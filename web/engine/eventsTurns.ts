/**
 * Decides what the events worker does next: rows at once, then searches and the filter of the list, in slices that are
 * short enough for a newer query never to wait.
 */
import type { FileRange } from './blobReader';
import { engineErrorOf } from './errors';
import type { EventsReply, EventsRequest } from './eventsHost';
import type { EngineError, EventCounterInfo, EventProgress, EventsAnswer, EventsReplies } from './protocol';
import type { TileAnswer } from './protocolTracks';
import type { FilePart } from './readAhead';

/** The part of the wasm side's `Events` that is used; tests stand in for it. Text is JSON. */
export interface EventSource {
  /** `undefined`: the budget was not enough, so ask again. */
  ask(query: string, budget: number): string | undefined;
  /** What is read to answer a query for rows: ranges of the file. */
  rowReads(query: string): string;
  advance(budget: number): void;
  filterProgress(): string;
  searchProgress(): string;
  pairsProgress(): string;
  /** What is read next for the filter of the list, and for the last search: `Reads`. */
  filterReads(): string;
  searchReads(): string;
  /** The answer to the last `event_hits`, as far as it is known. */
  hitsProgress(): string;
  /** What is read next for them: `Reads`. */
  hitsReads(): string;
  /** The answer to the last `event_counter`, as far as it is known. */
  counterProgress(): string;
  /** A part of the filter of the list, of the last search or of the last hits, for a seeker; `undefined`: there is none now. */
  handOut(): string | undefined;
  handOutSearch(): string | undefined;
  handOutHits(): string | undefined;
  learnPlaces(words: Uint32Array): void;
  /** The numbers of the tile, or of runs, that were answered last. */
  takeValues(): Uint32Array;
}

/** What reads the file: the parts of `ReadAhead` and of `BlockReader` that are used. */
export interface Ahead {
  /** Reads what is asked for next, at once. */
  prefetch(ranges: readonly FileRange[]): void;
  /** Whether there is nothing to wait for before the first of these parts is read. */
  want(parts: readonly FilePart[]): boolean;
}

/** The part of `Seekers` that is used. */
export interface Helping {
  feed(next: () => string | undefined): void;
  learnPlaces(words: Uint32Array): void;
}

/** What is read from the file to look at more events. */
interface Reads {
  /** The next step begins with the first of these parts. */
  readonly now: boolean;
  /** There is nothing to look at before a seeker has answered. */
  readonly elsewhere: boolean;
  readonly coming: readonly FilePart[];
}

type QueryRequest = Extract<EventsRequest, { type: 'query' }>;

/** A query that could not be answered at once. */
interface Waiting extends QueryRequest {
  /** The query as text, as the wasm side takes it. */
  readonly text: string;
}

/** Length of a slice in milliseconds. */
const SLICE = 15;
/** How many events are looked at between two looks at the clock. */
const STEP = 1000;
/**
 * Milliseconds of work that are worth sharing with seekers. They take some hundred to start; and where a browser takes longer to read
 * events than it takes to look at them, they gain nothing.
 */
const WORTH_SHARING = 2000;
/** Milliseconds between two reports of progress, and before the first that tells of no hits. */
const PROGRESS_INTERVAL = 100;

export class EventsTurns {
  readonly #post: (reply: EventsReply) => void;
  readonly #now: () => number;
  #events: EventSource | null = null;
  #ahead: Ahead | null = null;
  #seekers: Helping | null = null;
  #askedForSeekers = false;
  /** How long all slices were. */
  #workedMs = 0;
  /** What is worked on, by its query, and how far it and the work were when it was first seen. */
  #measured: { readonly of: number | null; readonly done: number; readonly workedMs: number } | null = null;
  /** Whether seekers help with that. */
  #isShared = false;
  /** Where tasks ran, once that was told. */
  #places: Uint32Array | null = null;
  #error: EngineError | null = null;
  /** Queries that have not been tried yet, by key; the one that was asked last comes last. */
  readonly #fresh = new Map<string, QueryRequest>();
  readonly #waiting = new Map<string, Waiting>();
  #session = 0;
  /** Whether the filter of the list still has work to do. */
  #filtering = false;
  #reported = Number.NEGATIVE_INFINITY;
  /** The query that the walk for hits was begun for, and the one whose first hits were reported. */
  #begunHits: number | null = null;
  #toldHits: number | null = null;

  constructor(post: (reply: EventsReply) => void, now: () => number = () => performance.now()) {
    this.#post = post;
    this.#now = now;
  }

  /** From now on, queries are answered from `events`; `ahead` reads what they need soon, if they are in a file. */
  start(events: EventSource, ahead: Ahead | null = null): void {
    this.#events = events;
    this.#ahead = ahead;
  }

  /** From now on, seekers help: they know all but where tasks ran. */
  help(seekers: Helping): void {
    this.#seekers = seekers;
    if (this.#places !== null) seekers.learnPlaces(this.#places);
  }

  /** From now on, queries are answered with an error. */
  fail(error: EngineError): void {
    this.#error = error;
    this.#events = null;
    for (const request of [...this.#fresh.values(), ...this.#waiting.values()]) this.#refuse(request, error);
    this.#fresh.clear();
    this.#waiting.clear();
    this.#filtering = false;
  }

  /** Adds a query, which supersedes the earlier ones of its key. */
  push(request: QueryRequest): void {
    if (this.#error !== null) {
      this.#refuse(request, this.#error);
      return;
    }
    this.#session = request.session;
    this.#waiting.delete(request.key);
    this.#fresh.delete(request.key);
    this.#fresh.set(request.key, request);
  }

  /** Does a slice of work; returns whether there is more that need not wait for the file. */
  turn(): boolean {
    const events = this.#events;
    if (events === null) return false;
    let waits = false;
    try {
      const started = this.#now();
      this.#answerFresh(events);
      while (this.#busy && !waits && this.#now() < started + SLICE) waits = !this.#step(events);
      this.#workedMs += this.#now() - started;
      if (this.#busy) this.#report(events, false);
    } catch (error) {
      // The wasm side was stopped in the middle of its work: it can no longer be asked.
      this.fail(engineErrorOf(error));
    }
    return this.#busy && !waits;
  }

  get #busy(): boolean {
    return this.#filtering || this.#waiting.size > 0;
  }

  /** Answers all queries whose answers are already known, before any work is done. */
  #answerFresh(events: EventSource): void {
    for (const request of this.#fresh.values()) {
      const text = request.query.type === 'event_places' ? '' : JSON.stringify(request.query);
      const waiting = { ...request, text };
      if (!this.#ask(events, waiting, 0)) this.#waiting.set(request.key, waiting);
    }
    this.#fresh.clear();
  }

  /**
   * Works on the query that was asked last; the list's filter goes on when no query waits. Returns false where the file has to be
   * waited for.
   */
  #step(events: EventSource): boolean {
    const waiting = [...this.#waiting.values()].at(-1);
    if (!this.#isRead(events, waiting)) return false;
    if (waiting !== undefined) {
      if (this.#ask(events, waiting, STEP)) this.#waiting.delete(waiting.key);
      return true;
    }
    try {
      events.advance(STEP);
      this.#filtering = !progressOf(events.filterProgress()).complete;
      if (!this.#filtering) this.#report(events, true);
    } catch (error) {
      if (typeof error !== 'string') throw error;
      // The file cannot be read there; the rows report it when they are asked for.
      this.#filtering = false;
    }
    return true;
  }

  /**
   * Gives seekers something to do. Returns whether the part of the file is there that the next step needs. The first part for hits is
   * small, and read by who needs it: that takes less than waiting for a part that is read beside others, and most filters have hits in it.
   */
  #isRead(events: EventSource, waiting: Waiting | undefined): boolean {
    const begins = waiting !== undefined && isOfHits(waiting) && this.#begunHits !== waiting.id;
    if (begins) {
      this.#begunHits = waiting.id;
      this.#reported = this.#now();
    }
    const walk = walkOf(events, waiting);
    if (walk === null) return true;
    if (this.#isShared && this.#measured?.of === (waiting?.id ?? null)) this.#seekers?.feed(() => walk.handOut());
    if (this.#ahead === null) return true;
    const { now, elsewhere, coming } = JSON.parse(walk.reads()) as Reads;
    if (elsewhere) return false;
    if (!begins) return this.#ahead.want(coming) || !now;
    this.#ahead.want(now ? coming.slice(1) : coming);
    return true;
  }

  /** Asks the wasm side; returns whether that settled the query. */
  #ask(events: EventSource, { session, id, query, text }: Waiting, budget: number): boolean {
    if (query.type === 'event_places') {
      events.learnPlaces(query.places);
      this.#places = query.places;
      this.#seekers?.learnPlaces(query.places);
      this.#post({ type: 'answer', session, id, answer: { type: 'event_places' } });
      return true;
    }
    let answer: string | undefined;
    try {
      // Rows of hundreds of CPUs are in as many parts of the file.
      if (query.type === 'event_rows') this.#ahead?.prefetch(JSON.parse(events.rowReads(text)) as FileRange[]);
      answer = events.ask(text, budget);
    } catch (error) {
      // The wasm side returns its errors as text.
      if (typeof error !== 'string') throw error;
      this.#post({ type: 'queryFailed', session, id, error: engineErrorOf(error) });
      return true;
    }
    if (answer === undefined) return false;
    const plain = JSON.parse(answer) as EventsAnswer;
    const found: EventsReplies | TileAnswer =
      plain.type === 'tile' && query.type === 'tile'
        ? { ...plain, kind: query.kind, values: events.takeValues() as Uint32Array<ArrayBuffer> }
        : plain.type === 'event_hit_runs'
          ? { ...plain, values: events.takeValues() as Uint32Array<ArrayBuffer> }
          : (plain as EventsReplies);
    if (query.type === 'event_rows' && found.type === 'event_rows') this.#filtering = !found.complete;
    this.#post({ type: 'answer', session, id, answer: found });
    return true;
  }

  #report(events: EventSource, atOnce: boolean): void {
    const now = this.#now();
    const waiting = [...this.#waiting.values()].at(-1);
    const isDue = atOnce || now >= this.#reported + PROGRESS_INTERVAL;
    // The first hits are waited for.
    if (!isDue && !(waiting?.query.type === 'event_hits' && this.#toldHits !== waiting.id)) return;
    if (waiting !== undefined && isOfHits(waiting)) {
      const { session, id, query } = waiting;
      const answer = JSON.parse(events.hitsProgress()) as Extract<EventsReplies, { type: 'event_hits' }>;
      if (!isDue && answer.total === 0) return;
      if (answer.total > 0) this.#toldHits = id;
      this.#reported = now;
      const known = query.type === 'event_hits' ? answer : null;
      this.#post({ type: 'jobProgress', session, id, share: answer.done / Math.max(1, answer.all), answer: known });
      this.#measure(id, answer);
      return;
    }
    this.#reported = now;
    if (waiting?.query.type === 'pairs') {
      const { session, id } = waiting;
      const { done, all } = progressOf(events.pairsProgress());
      this.#post({ type: 'jobProgress', session, id, share: done / Math.max(1, all), answer: null });
      return;
    }
    if (waiting?.query.type === 'event_counter') {
      const { session, id } = waiting;
      const info = JSON.parse(events.counterProgress()) as EventCounterInfo | null;
      const answer = info && ({ type: 'event_counter', ...info } as const);
      this.#post({ type: 'jobProgress', session, id, share: (info?.done ?? 0) / Math.max(1, info?.all ?? 1), answer });
      return;
    }
    const of = waiting !== undefined ? 'search' : 'filter';
    const progress = progressOf(of === 'search' ? events.searchProgress() : events.filterProgress());
    this.#post({ type: 'eventProgress', session: this.#session, of, ...progress });
    this.#measure(waiting?.id ?? null, progress);
  }

  /** Shares work with seekers where much is left. */
  #measure(of: number | null, { done, all }: { readonly done: number; readonly all: number }): void {
    const before = this.#measured;
    if (before === null || before.of !== of || done < before.done) {
      this.#measured = { of, done, workedMs: this.#workedMs };
      this.#isShared = false;
      return;
    }
    const looked = done - before.done;
    const leftMs = ((all - done) * (this.#workedMs - before.workedMs)) / looked;
    if (looked === 0 || leftMs < WORTH_SHARING) return;
    this.#isShared = true;
    if (this.#askedForSeekers) return;
    this.#askedForSeekers = true;
    this.#post({ type: 'seekersWanted' });
  }

  #refuse({ session, id }: QueryRequest, error: EngineError): void {
    this.#post({ type: 'queryFailed', session, id, error });
  }
}

const isOfHits = ({ query: { type } }: Waiting): boolean => type === 'event_hits' || type === 'event_hit_at';

/** What looks at many events: what its next step reads, and parts for seekers. */
interface Walk {
  reads(): string;
  handOut(): string | undefined;
}

/** The one that a query waits for, or the filter of the list; null: it reads by itself. */
function walkOf(events: EventSource, waiting: Waiting | undefined): Walk | null {
  switch (waiting?.query.type) {
    case 'event_hits':
    case 'event_hit_at':
      return { reads: () => events.hitsReads(), handOut: () => events.handOutHits() };
    case 'event_search':
      return { reads: () => events.searchReads(), handOut: () => events.handOutSearch() };
    case 'event_row_at':
    case 'event_lines':
    case undefined:
      return { reads: () => events.filterReads(), handOut: () => events.handOut() };
    default:
      return null;
  }
}

const progressOf = (text: string): EventProgress & { readonly total: number } => JSON.parse(text);
