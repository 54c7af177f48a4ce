/**
 * The figures worker as the engine worker sees it. It is started by the first query for a figure, and given the trace's
 * model; then queries go there and replies come back unchanged, so that the timeline never waits for a figure.
 */
import { engineErrorOf, internalError } from './errors';
import type { Asked, EngineError, FigureAnswer, FigureQuery, QueryMessage } from './protocol';

export type FigureQueryRequest = { readonly type: 'query' } & Asked<FigureQuery>;

export type FiguresRequest =
  /** The first message: the model, as `LoadedTrace.model` returns it. */
  { readonly type: 'start'; readonly model: Uint8Array<ArrayBuffer> } | FigureQueryRequest;

export type FiguresReply =
  | QueryMessage<FigureAnswer>
  /** Nothing more is answered. */
  | { readonly type: 'stopped'; readonly error: EngineError };

/** The part of `Worker` that is used; tests stand in for it. */
export interface FiguresWorker {
  onmessage: ((event: MessageEvent<FiguresReply>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(request: FiguresRequest, transfer: Transferable[]): void;
  terminate(): void;
}

/** The buffers of a figure, which are transferred instead of copied. */
export const filesOf = ({ files, preview }: FigureAnswer): ArrayBuffer[] =>
  [...files, preview].map(({ buffer }) => buffer);

export class FiguresHost {
  readonly #start: () => FiguresWorker;
  readonly #reply: (reply: QueryMessage<FigureAnswer>) => void;
  /** Queries without a reply, by id, in the order of asking. */
  readonly #open = new Map<number, FigureQueryRequest>();
  #worker: FiguresWorker | null = null;
  #model: (() => Uint8Array<ArrayBuffer>) | null = null;

  constructor(start: () => FiguresWorker, reply: (reply: QueryMessage<FigureAnswer>) => void) {
    this.#start = start;
    this.#reply = reply;
  }

  /** The trace is open: `model` returns its model. */
  open(model: () => Uint8Array<ArrayBuffer>): void {
    this.#model = model;
    // A worker that cannot be started fails all of them at the first.
    for (const request of [...this.#open.values()]) {
      if (this.#open.has(request.id)) this.#send(request);
    }
  }

  /** Asks; the reply comes when it comes, if no later query of the key supersedes this one. */
  ask(request: FigureQueryRequest): void {
    for (const { id, key } of this.#open.values()) {
      if (key === request.key) this.#open.delete(id);
    }
    this.#open.set(request.id, request);
    this.#send(request);
  }

  #send(request: FigureQueryRequest): void {
    if (this.#model === null) return;
    try {
      this.#worker ??= this.#started(this.#model());
      this.#worker.postMessage(request, []);
    } catch (error) {
      this.#stopped(engineErrorOf(error));
    }
  }

  #started(model: Uint8Array<ArrayBuffer>): FiguresWorker {
    const worker = this.#start();
    worker.onmessage = ({ data }) => {
      if (data.type === 'stopped') {
        this.#stopped(data.error);
        return;
      }
      if (data.type !== 'jobProgress') this.#open.delete(data.id);
      this.#reply(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#stopped(internalError(`the figures worker stopped: ${event.message || 'it could not be started'}`));
    };
    worker.postMessage({ type: 'start', model }, [model.buffer]);
    return worker;
  }

  /** Every query fails; the next one starts another worker. */
  #stopped(error: EngineError): void {
    this.#worker?.terminate();
    this.#worker = null;
    for (const { session, id } of this.#open.values()) this.#reply({ type: 'queryFailed', session, id, error });
    this.#open.clear();
  }
}
