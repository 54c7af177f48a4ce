/**
 * A worker that answers from a copy of the trace's model, as the engine worker sees it. It is started by the first query for
 * it; then queries go there and replies come back unchanged, so that the timeline never waits for it.
 */
import { engineErrorOf, internalError } from './errors';
import { endWorker } from './life';
import type { Asked, EngineError, QueryMessage } from './protocol';

export type ModelRequest<Start, Query> =
  /** The first message. */
  ({ readonly type: 'start' } & Start) | ({ readonly type: 'query' } & Asked<Query>);

export type ModelReply<Answer> =
  | QueryMessage<Answer>
  /** Nothing more is answered. */
  | { readonly type: 'stopped'; readonly error: EngineError };

/** The part of `Worker` that is used; tests stand in for it. */
export interface ModelWorker<Start, Query, Answer> {
  onmessage: ((event: MessageEvent<ModelReply<Answer>>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(request: ModelRequest<Start, Query>, transfer: Transferable[]): void;
  terminate(): void;
}

/** What a worker is started with; buffers are transferred. */
export type Given<Start> = () => readonly [given: Start, transfer: Transferable[]];

export class ModelHost<Start, Query, Answer> {
  readonly #what: string;
  readonly #start: () => ModelWorker<Start, Query, Answer>;
  readonly #reply: (reply: QueryMessage<Answer>) => void;
  /** Queries without a reply, by id, in the order of asking. */
  readonly #open = new Map<number, { readonly type: 'query' } & Asked<Query>>();
  /** Those of them that a worker died with: not asked a third time. */
  readonly #again = new Set<number>();
  #worker: ModelWorker<Start, Query, Answer> | null = null;
  #given: Given<Start> | null = null;

  /** `what`: what the worker is called. */
  constructor(
    what: string,
    start: () => ModelWorker<Start, Query, Answer>,
    reply: (reply: QueryMessage<Answer>) => void,
  ) {
    this.#what = what;
    this.#start = start;
    this.#reply = reply;
  }

  /** The trace is open: `given` returns what a worker needs. */
  open(given: Given<Start>): void {
    this.#given = given;
    this.#sendAll();
  }

  /** Asks; the reply comes when it comes, if no later query of the key supersedes this one. */
  ask(request: { readonly type: 'query' } & Asked<Query>): void {
    for (const { id, key } of this.#open.values()) {
      if (key === request.key) this.#forget(id);
    }
    this.#open.set(request.id, request);
    this.#send(request);
  }

  /** Nobody waits any more for the query of a key: the worker ends, and another one answers the others. */
  cancel(key: string): void {
    const known = this.#open.size;
    for (const { id, key: of } of this.#open.values()) if (of === key) this.#forget(id);
    if (this.#worker === null || this.#open.size === known) return;
    this.#end();
    this.#sendAll();
  }

  #sendAll(): void {
    // A worker that cannot be started fails all of them at the first.
    for (const request of [...this.#open.values()]) if (this.#open.has(request.id)) this.#send(request);
  }

  #send(request: { readonly type: 'query' } & Asked<Query>): void {
    if (this.#given === null) return;
    try {
      this.#worker ??= this.#started(this.#given());
      this.#worker.postMessage(request, []);
    } catch (error) {
      this.stop(engineErrorOf(error));
    }
  }

  #started([given, transfer]: ReturnType<Given<Start>>): ModelWorker<Start, Query, Answer> {
    const worker = this.#start();
    worker.onmessage = ({ data }) => {
      if (data.type === 'stopped') {
        this.stop(data.error);
        return;
      }
      if (data.type !== 'jobProgress') this.#forget(data.id);
      this.#reply(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#died(internalError(`the ${this.#what} worker stopped: ${event.message || 'it could not be started'}`));
    };
    worker.postMessage({ type: 'start', ...given }, transfer);
    return worker;
  }

  #forget(id: number): void {
    this.#open.delete(id);
    this.#again.delete(id);
  }

  /** The browser ended the worker, or could not start it: another one answers, or whoever asked is told if it is the second time. */
  #died(error: EngineError): void {
    this.#end();
    this.#fail(
      [...this.#open.values()].filter(({ id }) => this.#again.has(id)),
      error,
    );
    for (const id of this.#open.keys()) this.#again.add(id);
    this.#sendAll();
  }

  /** Every query fails; the next one starts another worker. */
  stop(error: EngineError): void {
    this.#end();
    this.#fail([...this.#open.values()], error);
  }

  #end(): void {
    if (this.#worker !== null) endWorker(this.#worker);
    this.#worker = null;
  }

  #fail(requests: readonly Asked<Query>[], error: EngineError): void {
    for (const { session, id } of requests) {
      this.#forget(id);
      this.#reply({ type: 'queryFailed', session, id, error });
    }
  }
}
