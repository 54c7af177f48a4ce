/**
 * The events worker as the engine worker sees it: queries go there and replies come back as they are, so that the
 * timeline never waits for the list of events, nor the list for the timeline.
 */
import { internalError } from './errors';
import type { EngineError, EngineMessage, EngineRequest, EventsQuery, Metadata } from './protocol';

type EventsQueryRequest = Extract<EngineRequest, { type: 'query' }> & { readonly query: EventsQuery };

export type EventsRequest =
  /** First of all: the compiled wasm, and the file to open again. */
  | { readonly type: 'start'; readonly module: WebAssembly.Module; readonly blob: Blob; readonly baseNs: string }
  /** Where a CPU's records are: a `RecordIndex` as bytes. */
  | { readonly type: 'index'; readonly index: ArrayBuffer }
  /** All CPUs are there: the events can be put in order. */
  | { readonly type: 'list' }
  /** Names of tasks, for those without a saved command line. From now on there are answers. */
  | { readonly type: 'names'; readonly pids: Int32Array<ArrayBuffer>; readonly comms: readonly string[] }
  | EventsQueryRequest;

export type EventsReply = Extract<EngineMessage, { type: 'answer' | 'queryFailed' | 'eventProgress' }>;

/** The part of `Worker` that is used; tests stand in for it. */
export interface EventsWorker {
  onmessage: ((event: MessageEvent<EventsReply>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(request: EventsRequest, transfer: Transferable[]): void;
  terminate(): void;
}

/** Why there is no list of events: the model has all that such a file holds. */
export const noText = ({ format }: Pick<Metadata, 'format'>): EngineError => ({
  kind: 'unsupported',
  what: `this format (${format}) holds no text of its records`,
  where: null,
  advice: 'Lanes, tables and chains show all that the file holds.',
});

export class EventsHost {
  readonly #worker: EventsWorker;
  readonly #reply: (reply: EventsReply) => void;
  /** Queries without a reply, by id. */
  readonly #open = new Map<number, EventsQueryRequest>();
  #error: EngineError | null = null;

  constructor(worker: EventsWorker, reply: (reply: EventsReply) => void) {
    this.#worker = worker;
    this.#reply = reply;
    worker.onmessage = ({ data }) => {
      if (data.type !== 'eventProgress') this.#open.delete(data.id);
      reply(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(internalError(`the events worker stopped: ${event.message || 'it could not be started'}`));
    };
  }

  /** Opens the file. */
  start(module: WebAssembly.Module, blob: Blob, baseNs: string): void {
    this.#worker.postMessage({ type: 'start', module, blob, baseNs }, []);
  }

  /** There is no list: the worker ends, and every query is answered with the reason. */
  refuse(error: EngineError): void {
    this.#worker.terminate();
    this.#fail(error);
  }

  /** Hands over where a CPU's records are. */
  add(index: ArrayBuffer): void {
    this.#worker.postMessage({ type: 'index', index }, [index]);
  }

  /** All CPUs are handed over: the events can be put in order. */
  list(): void {
    this.#worker.postMessage({ type: 'list' }, []);
  }

  /** Hands over the names of the tasks with these `pids`, after which queries are answered. */
  name(pids: Int32Array<ArrayBuffer>, comms: readonly string[]): void {
    this.#worker.postMessage({ type: 'names', pids, comms }, []);
  }

  /** Asks; the reply comes when it comes. */
  ask(request: EventsQueryRequest): void {
    this.#open.set(request.id, request);
    if (this.#error === null) this.#worker.postMessage(request, []);
    else this.#fail(this.#error);
  }

  #fail(error: EngineError): void {
    this.#error = error;
    for (const { session, id } of this.#open.values()) this.#reply({ type: 'queryFailed', session, id, error });
    this.#open.clear();
  }
}
