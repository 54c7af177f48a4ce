/**
 * The events worker as the engine worker sees it. Queries go there and replies come back unchanged, so that the
 * timeline and the list of events never wait for each other.
 */
import { internalError } from './errors';
import type { Asked, EngineError, EngineMessage, EventsQuery, Metadata } from './protocol';

type EventsQueryRequest = { readonly type: 'query' } & Asked<EventsQuery>;

export type EventsRequest =
  /** The first message: the compiled wasm, and the file to open again. */
  | { readonly type: 'start'; readonly module: WebAssembly.Module; readonly blob: Blob; readonly baseNs: string }
  /** The places of a CPU's records: a `RecordIndex` as bytes. */
  | { readonly type: 'index'; readonly index: ArrayBuffer }
  /** All CPUs have been sent: the events can be put in order. */
  | { readonly type: 'list' }
  /** Names of tasks, for those without a saved command line. After this message, queries are answered. */
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

/** Why there is no list of events: the model already has all that a file of this format holds. */
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

  /** Says that there is no list: the worker ends, and every query is answered with the reason. */
  refuse(error: EngineError): void {
    this.#worker.terminate();
    this.#fail(error);
  }

  /** Sends the places of a CPU's records. */
  add(index: ArrayBuffer): void {
    this.#worker.postMessage({ type: 'index', index }, [index]);
  }

  /** Says that all CPUs have been sent: the events can be put in order. */
  list(): void {
    this.#worker.postMessage({ type: 'list' }, []);
  }

  /** Sends the names of the tasks with these `pids`, after which queries are answered. */
  name(pids: Int32Array<ArrayBuffer>, comms: readonly string[]): void {
    this.#worker.postMessage({ type: 'names', pids, comms }, []);
  }

  /** Sends a query; the reply comes back on its own. */
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
