/**
 * System calls and interrupts as the engine worker sees them: the rows that scans leave, and the worker that answers about them.
 * A trace without any starts no worker.
 */
import { type Given, ModelHost, type ModelReply, type ModelRequest, type ModelWorker } from './modelHost';
import type { Asked, CallsAnyAnswer, CallsAnyQuery, EngineError, QueryMessage } from './protocol';

export interface CallsStart {
  /** As `LoadedTrace.model` returns it. */
  readonly model: Uint8Array<ArrayBuffer>;
  /** As `Scanned.takeKernel` returned them. */
  readonly logs: readonly ArrayBuffer[];
  /** What `uname` says of the machine; null if that is not known. */
  readonly machine: string | null;
}

/** What another worker that has the model needs for the same calls: as `CallsSource.stored` returns it. */
interface CallsStored {
  readonly type: 'calls_stored';
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** `words`: which runs pass the filter, as the engine worker knows it. */
export type CallsHostQuery =
  | (CallsAnyQuery & { readonly words?: Uint32Array<ArrayBuffer> })
  | Pick<CallsStored, 'type'>;
export type CallsHostAnswer = CallsAnyAnswer | CallsStored;
export type CallsRequest = ModelRequest<CallsStart, CallsHostQuery>;
export type CallsReply = ModelReply<CallsHostAnswer>;
export type CallsWorker = ModelWorker<CallsStart, CallsHostQuery, CallsHostAnswer>;

/** The id of the query that the page does not ask. */
const STORED = -1;

/** Whether a log has calls or interrupts: its first byte says so. */
const hasSome = (log: ArrayBuffer): boolean => (new Uint8Array(log)[0] ?? 0) !== 0;

export class CallsHost {
  readonly #host: ModelHost<CallsStart, CallsHostQuery, CallsHostAnswer>;
  readonly #reply: (reply: QueryMessage<CallsAnyAnswer>) => void;
  #logs: ArrayBuffer[] = [];
  /** Queries that wait until it is known whether there is anything; null: it is known. */
  #waiting: ({ readonly type: 'query' } & Asked<CallsHostQuery>)[] | null = [];
  #taken: ((stored: Uint8Array<ArrayBuffer> | EngineError) => void) | null = null;
  #isEmpty = false;
  #refused: EngineError | null = null;

  constructor(start: () => CallsWorker, reply: (reply: QueryMessage<CallsAnyAnswer>) => void) {
    this.#reply = (message) => {
      if (message.id !== STORED) reply(message);
      else if (message.type === 'queryFailed') this.#taken?.(message.error);
    };
    this.#host = new ModelHost('calls', start, (message) => {
      if (message.type !== 'answer' || message.answer.type !== 'calls_stored') {
        this.#reply(message as QueryMessage<CallsAnyAnswer>);
      } else {
        this.#taken?.(message.answer.bytes);
      }
    });
  }

  /** Calls `taken` with what another worker needs for the same calls, or with why there is nothing. */
  stored(taken: (stored: Uint8Array<ArrayBuffer> | EngineError) => void): void {
    this.#taken = taken;
    this.ask({ type: 'query', session: 0, id: STORED, key: 'stored', query: { type: 'calls_stored' } });
  }

  /** Keeps what the scan of a stream left. */
  add(logs: readonly ArrayBuffer[]): void {
    this.#logs.push(...logs);
  }

  /** The trace is open, and all of it was scanned. If it was before, nothing changes: another scan finds the same. */
  open(machine: string | null, model: () => Uint8Array<ArrayBuffer>): void {
    const [logs, waiting] = [this.#logs, this.#waiting];
    this.#logs = [];
    if (waiting === null) return;
    this.#isEmpty = !logs.some(hasSome);
    let given: readonly ArrayBuffer[] | null = logs;
    const give: Given<CallsStart> = () => {
      // They are transferred, since they are as large as what is found in them.
      if (given === null) throw new Error('the worker of system calls stopped: open the trace again to see them');
      const start = { model: model(), logs: given, machine };
      given = null;
      return [start, [start.model.buffer, ...start.logs]];
    };
    if (!this.#isEmpty) this.#host.open(give);
    this.#waiting = null;
    for (const request of waiting) this.ask(request);
  }

  /** Says that the scan failed: every query is answered with the reason, unless another scan has told what there is. */
  refuse(error: EngineError): void {
    const waiting = this.#waiting;
    if (waiting === null) return;
    this.#refused = error;
    this.#waiting = null;
    for (const request of waiting) this.ask(request);
  }

  ask(request: { readonly type: 'query' } & Asked<CallsHostQuery>): void {
    const { session, id } = request;
    if (this.#waiting !== null) {
      this.#waiting = [...this.#waiting.filter(({ key }) => key !== request.key), request];
    } else if (this.#refused !== null) {
      this.#reply({ type: 'queryFailed', session, id, error: this.#refused });
    } else if (!this.#isEmpty) {
      this.#host.ask(request);
    } else {
      const what = 'the trace has no system calls and no interrupts';
      this.#reply({ type: 'queryFailed', session, id, error: { kind: 'empty', what, where: null, advice: '' } });
    }
  }
}
