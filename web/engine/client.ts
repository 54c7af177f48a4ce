/**
 * The page's side of the engine: one worker for each opened trace, queries as promises of values, events for the rest.
 *
 * A trace's memory is its worker's memory, so cancelling, closing and opening another trace all terminate the worker
 * (and with it the scan workers it started), at whatever stage it is.
 */
import { internalError } from './errors';
import { lifeName, watch } from './life';
import { type AnswerTo, type JobProgress, type Outcome, Pending } from './pending';
import type { Answer, EngineMessage, EngineRequest, Query, TraceSource } from './protocol';

export type { AnswerTo, JobProgress, Outcome } from './pending';

/** What happens without being asked for. After `failed` and `closed` no trace is open. */
export type EngineEvent =
  | Exclude<EngineMessage, { type: 'answer' | 'queryFailed' | 'jobProgress' | 'eventProgress' }>
  | { readonly type: 'closed' };

/** How far a filter or a search over the events is. */
export type EventProgressMessage = Extract<EngineMessage, { type: 'eventProgress' }>;

/** The part of `Worker` that is used; tests stand in for it. */
export interface EngineWorker {
  onmessage: ((event: MessageEvent<EngineMessage>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  onmessageerror: ((event: MessageEvent) => void) | null;
  postMessage(request: EngineRequest): void;
  terminate(): void;
}

function startWorker(): EngineWorker {
  const name = lifeName('corelane engine');
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name });
  // Nobody listens any more to a worker that the page itself ended.
  watch(worker, name, () => worker.onerror?.(new ErrorEvent('error', { message: 'it ended by itself' })));
  return worker;
}

export class EngineClient {
  readonly #start: () => EngineWorker;
  readonly #listeners = new Set<(event: EngineEvent) => void>();
  readonly #progressListeners = new Set<(progress: EventProgressMessage) => void>();
  readonly #revisionListeners = new Set<() => void>();
  readonly #pending = new Pending();
  #worker: EngineWorker | null = null;
  #session = 0;
  #revision = 0;
  #traceRevision = 0;
  #nextId = 1;

  constructor(start: () => EngineWorker = startWorker) {
    this.#start = start;
  }

  /** Number of the last opened trace; events carry theirs. */
  get session(): number {
    return this.#session;
  }

  /** Grows whenever earlier answers may no longer hold: another trace, more of it, another view, or another topology. */
  get revision(): number {
    return this.#revision;
  }

  /** The same without the view: what is asked of the trace itself holds until this grows. */
  get traceRevision(): number {
    return this.#traceRevision;
  }

  /** How many queries wait for an answer. */
  get waiting(): number {
    return this.#pending.size;
  }

  /** Listens to `revision`; returns what ends it. An arrow function, to be handed to `useSyncExternalStore`. */
  readonly onRevision = (listener: () => void): (() => void) => {
    this.#revisionListeners.add(listener);
    return () => this.#revisionListeners.delete(listener);
  };

  /** Listens to events; returns what ends it. */
  on(listener: (event: EngineEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Listens to how filters and searches over the events go on; returns what ends it. */
  onEventProgress(listener: (progress: EventProgressMessage) => void): () => void {
    this.#progressListeners.add(listener);
    return () => this.#progressListeners.delete(listener);
  }

  /** Closes what is open and begins to open `source`; events say how it goes on. Returns the session's number. */
  open(source: TraceSource): number {
    this.close();
    const session = ++this.#session;
    const worker = this.#start();
    this.#worker = worker;
    worker.onmessage = ({ data }) => this.#receive(data);
    worker.onerror = (event) => {
      event.preventDefault();
      // A script that cannot be loaded gives an event without a message.
      this.#fail(event.message ? `the engine stopped: ${event.message}` : 'the engine could not be started');
    };
    worker.onmessageerror = () => this.#fail('a message from the engine could not be read');
    worker.postMessage({ type: 'open', session, source: absolute(source) });
    return session;
  }

  /** Cancels or closes: ends the workers at once and frees all they hold. Pending queries are superseded. */
  close(): void {
    if (this.#worker === null) return;
    this.#end({ kind: 'superseded' });
    this.#changed();
    this.#tell({ type: 'closed' });
  }

  /**
   * Asks; never rejects. A later query with the same `key` supersedes this one (latest wins). Queries asked while the
   * trace loads are answered once it is open, tiles of CPUs earlier, from what is there. Jobs tell how far they are.
   */
  query<Q extends Query>(
    key: string,
    query: Q,
    onProgress?: (progress: JobProgress<AnswerTo<Q>>) => void,
  ): Promise<Outcome<AnswerTo<Q>>> {
    const worker = this.#worker;
    if (worker === null) return Promise.resolve({ kind: 'superseded' });
    const id = this.#nextId++;
    return new Promise((resolve) => {
      // An answer's type is its query's.
      const progress = onProgress as ((progress: JobProgress<Answer>) => void) | undefined;
      this.#pending.add(id, key, resolve as (outcome: Outcome<Answer>) => void, progress);
      worker.postMessage({ type: 'query', session: this.#session, id, key, query });
    });
  }

  #receive(message: EngineMessage): void {
    // A terminated worker's last words may still be under way.
    if (message.session !== this.#session || this.#worker === null) return;
    switch (message.type) {
      case 'answer':
        if (message.answer.type === 'set_view') this.#viewChanged();
        else if (changesAnswers(message.answer)) this.#changed();
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
      case 'failed':
        this.#end({ kind: 'failed', error: message.error });
        break;
      case 'metadata':
      case 'progress':
      case 'preview':
      case 'opened':
        break;
    }
    if (message.type !== 'progress' && message.type !== 'metadata') this.#changed();
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
    this.#worker = null;
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

const changesAnswers = (answer: Answer): boolean => answer.type === 'set_topology' && answer.error === null;

/** Relative addresses are relative to the page, not to the worker's script. */
function absolute(source: TraceSource): TraceSource {
  if (source.kind === 'file' || typeof document === 'undefined') return source;
  return URL.canParse(source.url, document.baseURI)
    ? { kind: 'url', url: new URL(source.url, document.baseURI).href }
    : source;
}
