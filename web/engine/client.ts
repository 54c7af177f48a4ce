/**
 * The page's side of the engine: one worker for each opened trace, queries as promises of values, events for the rest.
 *
 * A trace's memory is its worker's memory. So cancelling, closing and opening another trace all terminate the worker
 * and the scan workers that it started, at any stage.
 */
import { foreignOrigin } from '../base/foreignOrigin';
import { type Observable, observable } from '../base/observable';
import { internalError } from './errors';
import { Helpers } from './helpers';
import { lifeName, watched } from './life';
import { type AnswerTo, type JobProgress, type Outcome, Pending } from './pending';
import type { Answer, EngineEvent, EngineMessage, EngineRequest, Query, TraceSource } from './protocol';
import type { HelperMessage } from './protocolHelpers';
import { changesAnswers, setsOf } from './questions';
import { sharedEngine } from './wasmModule';
import engineScript from './worker?worker&url';
import { workerAddress } from './workerAddress';

export type { AnswerTo, JobProgress, Outcome } from './pending';

/** How far a filter or a search over the events has come. */
export type EventProgressMessage = Extract<EngineMessage, { type: 'eventProgress' }>;

/** The part of `Worker` that is used; tests stand in for it. */
export interface EngineWorker {
  onmessage: ((event: MessageEvent<EngineMessage | HelperMessage>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  onmessageerror: ((event: MessageEvent) => void) | null;
  postMessage(request: EngineRequest): void;
  terminate(): void;
}

/** `host`: the server to which the worker may connect besides the page's own. */
function startWorker(host: string | null): EngineWorker {
  const name = lifeName('corelane engine');
  const worker: EngineWorker = watched(new Worker(workerAddress(engineScript, host), { type: 'module', name }), name);
  void sharedEngine().then((module) => worker.postMessage({ type: 'module', module }));
  return worker;
}

/** Begins to fetch and compile what the first trace needs. */
export const prepareEngine = (): void => void sharedEngine();

export class EngineClient {
  /** The systems of the open trace's events, as in `sched`; empty as long as there is no list of events. */
  readonly systems: Observable<readonly string[]> = observable<readonly string[]>([]);
  /** How many runs count, of those that pass the filter; null: all do, there is no filter or not yet. */
  readonly passing: Observable<number | null> = observable<number | null>(null);
  readonly #start: (host: string | null) => EngineWorker;
  readonly #listeners = new Set<(event: EngineEvent) => void>();
  readonly #progressListeners = new Set<(progress: EventProgressMessage) => void>();
  readonly #revisionListeners = new Set<() => void>();
  readonly #pending = new Pending();
  #worker: EngineWorker | null = null;
  readonly #helpers = new Helpers((message) => this.#worker?.postMessage(message));
  #session = 0;
  #revision = 0;
  #traceRevision = 0;
  #isOpen = false;
  #nextId = 1;

  constructor(start: (host: string | null) => EngineWorker = startWorker) {
    this.#start = start;
  }

  /** The number of the trace that was opened last; events carry the number of theirs. */
  get session(): number {
    return this.#session;
  }

  /**
   * Grows whenever earlier answers may no longer hold: another trace, more of it, another view, another topology, or other
   * names of calls.
   */
  get revision(): number {
    return this.#revision;
  }

  /** Like `revision`, but does not grow with the view: until it grows, answers about the trace itself hold. */
  get traceRevision(): number {
    return this.#traceRevision;
  }

  /** Whether answers are those of the opened trace; until then, previews. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** How many queries wait for an answer. */
  get waiting(): number {
    return this.#pending.size;
  }

  /** Listens to `revision`; returns a function that stops it. A property, so that it can be passed on unbound. */
  readonly onRevision = (listener: () => void): (() => void) => {
    this.#revisionListeners.add(listener);
    return () => this.#revisionListeners.delete(listener);
  };

  /** Listens to events; returns a function that stops it. */
  on(listener: (event: EngineEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Listens to the progress of filters and searches over the events; returns a function that stops it. */
  onEventProgress(listener: (progress: EventProgressMessage) => void): () => void {
    this.#progressListeners.add(listener);
    return () => this.#progressListeners.delete(listener);
  }

  /** Closes the open trace and begins to open `source`; events report the progress. Returns the session's number. */
  open(source: TraceSource): number {
    this.close();
    this.#isOpen = false;
    const session = ++this.#session;
    const host = hostOf(source);
    this.#helpers.allow(host);
    const worker = this.#start(host);
    this.#worker = worker;
    worker.onmessage = ({ data }) => {
      if (data.type === 'startHelper' || data.type === 'endHelper') this.#helpers.take(data);
      else this.#receive(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      // A script that cannot be loaded gives an event without a message.
      this.#fail(event.message ? `the engine stopped: ${event.message}` : 'the engine could not be started');
    };
    worker.onmessageerror = () => this.#fail('a message from the engine could not be read');
    worker.postMessage({ type: 'open', session, source: absolute(source) });
    return session;
  }

  /** Cancels or closes: ends the workers at once, which frees their memory. Pending queries are superseded. */
  close(): void {
    if (this.#worker === null) return;
    this.#end({ kind: 'superseded' });
    this.#changed();
    this.#tell({ type: 'closed' });
  }

  /**
   * Asks; never rejects. A later query with the same `key` supersedes this one (latest wins). While the trace loads,
   * what is asked of CPUs' lanes is answered from what is there; other queries wait until it is open. Jobs report their progress.
   */
  query<Q extends Query>(
    key: string,
    query: Q,
    onProgress?: (progress: JobProgress<AnswerTo<Q>>) => void,
  ): Promise<Outcome<AnswerTo<Q>>> {
    const worker = this.#worker;
    if (worker === null) return Promise.resolve({ kind: 'superseded' });
    const id = this.#nextId++;
    const outcome = new Promise<Outcome<AnswerTo<Q>>>((resolve) => {
      // The type of an answer follows from that of its query.
      const progress = onProgress as ((progress: JobProgress<Answer>) => void) | undefined;
      this.#pending.add(id, key, resolve as (outcome: Outcome<Answer>) => void, progress);
      worker.postMessage({ type: 'query', session: this.#session, id, key, query });
    });
    // What is asked after it is answered after it (`turns.ts`).
    if (setsOf(query) === 'view') this.#viewChanged();
    return outcome;
  }

  /** Gives up a query about the file: it settles as superseded, and no more work is done for it. */
  cancel(key: string): void {
    this.#pending.drop(key);
    this.#worker?.postMessage({ type: 'cancel', session: this.#session, key });
  }

  #receive(message: EngineMessage): void {
    // Messages of a terminated worker may still arrive.
    if (message.session !== this.#session || this.#worker === null) return;
    switch (message.type) {
      case 'answer':
        if (message.answer.type === 'filter_runs') this.passing.set(message.answer.runs);
        if (changesAnswers(message.answer)) this.#changed();
        this.#pending.settle(message.id, { kind: 'answer', answer: message.answer });
        return;
      case 'queryFailed':
        this.#pending.settle(message.id, { kind: 'failed', error: message.error });
        return;
      case 'jobProgress':
        this.#pending.progress(message.id, message);
        return;
      case 'eventProgress':
        for (const listener of [...this.#progressListeners]) listener(message);
        return;
      case 'systems':
        this.systems.set(message.systems);
        return;
      case 'failed':
        this.#end({ kind: 'failed', error: message.error });
        break;
      case 'opened':
        this.#isOpen = true;
        break;
      case 'metadata':
      case 'progress':
      case 'preview':
      case 'restarted':
        break;
    }
    if (message.type !== 'progress' && message.type !== 'metadata' && message.type !== 'restarted') this.#changed();
    this.#tell(message);
  }

  #tell(event: EngineEvent): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  #fail(what: string): void {
    this.#receive({ type: 'failed', session: this.#session, error: internalError(what) });
  }

  #end(outcome: Outcome<never>): void {
    const worker = this.#worker;
    if (worker === null) return;
    worker.onmessage = null;
    worker.onerror = null;
    worker.onmessageerror = null;
    worker.terminate();
    this.#helpers.end();
    this.#worker = null;
    this.systems.set([]);
    this.passing.set(null);
    this.#pending.settleAll(outcome);
  }

  #changed(): void {
    this.#traceRevision++;
    this.#viewChanged();
  }

  #viewChanged(): void {
    this.#revision++;
    for (const listener of [...this.#revisionListeners]) listener();
  }
}

/** The server that a trace is fetched from, if it is another than the page's. */
const hostOf = (source: TraceSource): string | null =>
  source.kind === 'url' && typeof document !== 'undefined' ? foreignOrigin(source.url, document.baseURI) : null;

/** Makes an address relative to the page absolute: the worker would take it relative to its script. */
function absolute(source: TraceSource): TraceSource {
  if (source.kind === 'file' || typeof document === 'undefined') return source;
  return URL.canParse(source.url, document.baseURI)
    ? { kind: 'url', url: new URL(source.url, document.baseURI).href }
    : source;
}
