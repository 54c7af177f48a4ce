/**
 * The events worker as the engine worker sees it. Queries go there and replies come back unchanged, so that the
 * timeline and the list of events never wait for each other. It is started when the list is asked for, or when there is
 * time for it: the first picture needs neither its module nor its work.
 */
import type { TraceBytes } from './blobReader';
import { internalError } from './errors';
import { endWorker } from './life';
import type { Asked, EngineError, EngineMessage, EventsQuery } from './protocol';
import type { SeekerStart, SeekerState } from './seekers';

type EventsQueryRequest = { readonly type: 'query' } & Asked<EventsQuery>;

export interface EventsStart {
  readonly blob: TraceBytes;
  readonly baseNs: string;
  /** How many CPUs the file has. */
  readonly cpus: number;
  /** Its records have text, and scans tell where they are; else the worker itself makes records of them that have. */
  readonly hasText: boolean;
}

export type EventsRequest =
  /** The first message: the file to open again. */
  | ({ readonly type: 'start' } & EventsStart)
  /** The places of a CPU's records: a `RecordIndex` as bytes. */
  | { readonly type: 'index'; readonly index: ArrayBuffer }
  /** All CPUs have been sent: the events can be put in order. */
  | { readonly type: 'list' }
  /** Names of tasks, for those without a saved command line. After this message, queries are answered. */
  | { readonly type: 'names'; readonly pids: Int32Array<ArrayBuffer>; readonly comms: readonly string[] }
  /** The seekers that it asked for, each by a port; and that the one at a place was lost. */
  | { readonly type: 'seekers'; readonly ports: readonly MessagePort[] }
  | { readonly type: 'seekerLost'; readonly place: number }
  | EventsQueryRequest;

export type EventsReply =
  | Extract<EngineMessage, { type: 'answer' | 'queryFailed' | 'eventProgress' | 'jobProgress' }>
  /** The list is there; the systems of its events. */
  | { readonly type: 'listed'; readonly systems: readonly string[] }
  /** There is much to look at: seekers are to help. */
  | { readonly type: 'seekersWanted' };

/** The part of `Worker` that is used; tests stand in for it. */
export interface EventsWorker {
  onmessage: ((event: MessageEvent<EventsReply>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(request: EventsRequest, transfer: Transferable[]): void;
  terminate(): void;
}

/** A seeker as the engine worker sees it, likewise. */
export interface SeekWorker {
  onmessage: ((event: MessageEvent<SeekerState>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(request: SeekerStart, transfer: Transferable[]): void;
  terminate(): void;
}

/** Starts workers. */
export interface EventsWorkers {
  start(): EventsWorker;
  startSeeker(): SeekWorker;
  /** How many seekers may help. */
  readonly seekers: number;
}

/** What the engine worker hears. */
export interface EventsListener {
  reply(reply: Exclude<EventsReply, { type: 'listed' | 'seekersWanted' }>): void;
  /** The list is there; the systems of its events. */
  listed(systems: readonly string[]): void;
  /** The worker died. Another one takes its place when there is a query for it. */
  died(what: string): void;
}

/** Tells the worker by `add`, `list` and `name` all that it has to know, as long as `isWanted`: it still lives. */
export type Tell = (isWanted: () => boolean) => void;

interface Open {
  readonly request: EventsQueryRequest;
  /** It was asked of a worker that died. */
  isSecond: boolean;
}

export class EventsHost {
  readonly #workers: EventsWorkers;
  readonly #listener: EventsListener;
  /** Queries without a reply, by id. */
  readonly #open = new Map<number, Open>();
  #error: EngineError | null = null;
  #worker: EventsWorker | null = null;
  #seekers: readonly SeekWorker[] = [];
  /** The file, once it is open: a worker's first message. */
  #file: EventsStart | null = null;
  /** What the worker is told once it is started. */
  #held: (readonly [EventsRequest, Transferable[]])[] = [];
  /** The worker died: what it was told is gone with it. */
  #isDead = false;
  #deaths = 0;
  #tell: Tell | null = null;

  constructor(workers: EventsWorkers, listener: EventsListener) {
    this.#workers = workers;
    this.#listener = listener;
  }

  /** The file whose events are listed. */
  open(start: EventsStart): void {
    this.#file = start;
    this.#held.unshift([{ type: 'start', ...start }, []]);
    if (this.#open.size > 0) this.start();
  }

  /** The trace is open. `tell` tells the worker everything, now if that was not done, and again should it die. */
  opened(tell: Tell, isTold: boolean): void {
    this.#tell = tell;
    if (this.#isDead && this.#open.size > 0) this.#startAgain();
    else if (!this.#isDead && !isTold) tell(this.#whileAlive());
  }

  /** Starts the worker, if that was not done before. */
  start(): void {
    if (this.#file === null || this.#worker !== null || this.#isDead || this.#error !== null) return;
    const worker = this.#workers.start();
    this.#worker = worker;
    worker.onmessage = ({ data }) => {
      if (data.type === 'answer' || data.type === 'queryFailed') this.#open.delete(data.id);
      if (data.type === 'listed') this.#listener.listed(data.systems);
      else if (data.type === 'seekersWanted') this.#startSeekers();
      else this.#listener.reply(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#died(`the events worker stopped: ${event.message || 'it could not be started'}`);
    };
    const held = this.#held;
    this.#held = [];
    for (const [request, transfer] of held) worker.postMessage(request, transfer);
  }

  /** Seekers end with the events worker. One that is lost stays so: the others do its part. */
  #startSeekers(): void {
    const file = this.#file;
    // What is listed in memory is not there for others.
    if (file === null || !file.hasText || this.#seekers.length > 0 || this.#workers.seekers === 0) return;
    const ports: MessagePort[] = [];
    this.#seekers = Array.from({ length: this.#workers.seekers }, (_, place) => {
      const { port1, port2 } = new MessageChannel();
      const seeker = this.#workers.startSeeker();
      const lost = () => {
        endWorker(seeker);
        this.#send({ type: 'seekerLost', place }, []);
      };
      seeker.onmessage = ({ data }) => {
        if (data === 'stopped') lost();
      };
      seeker.onerror = (event) => {
        event.preventDefault();
        lost();
      };
      seeker.postMessage({ ...file, port: port1 }, [port1]);
      ports.push(port2);
      return seeker;
    });
    this.#send({ type: 'seekers', ports }, ports);
  }

  /** Says that there is no list: the worker ends, and every query is answered with the reason. */
  refuse(error: EngineError): void {
    this.#end();
    this.#error = error;
    for (const { request } of [...this.#open.values()]) this.#fail(request, error);
  }

  /** Sends the places of a CPU's records. */
  add(index: ArrayBuffer): void {
    this.#send({ type: 'index', index }, [index]);
  }

  /** Says that all CPUs have been sent: the events can be put in order. */
  list(): void {
    this.#send({ type: 'list' }, []);
  }

  /** Sends the names of the tasks with these `pids`, after which queries are answered. */
  name(pids: Int32Array<ArrayBuffer>, comms: readonly string[]): void {
    this.#send({ type: 'names', pids, comms }, []);
  }

  /** Sends a query; the reply comes back on its own, if no later query of the key supersedes this one. */
  ask(request: EventsQueryRequest): void {
    for (const { request: other } of this.#open.values()) if (other.key === request.key) this.#open.delete(other.id);
    this.#open.set(request.id, { request, isSecond: false });
    if (this.#error !== null) {
      this.#fail(request, this.#error);
    } else if (this.#isDead) {
      this.#startAgain();
    } else {
      this.#send(request, []);
      this.start();
    }
  }

  #send(request: EventsRequest, transfer: Transferable[]): void {
    if (this.#error !== null || this.#isDead) return;
    if (this.#worker === null) this.#held.push([request, transfer]);
    else this.#worker.postMessage(request, transfer);
  }

  /** Queries are asked again, of another worker; those that were already fail: they may be what it dies of. */
  #died(what: string): void {
    this.#end();
    this.#isDead = true;
    this.#deaths++;
    this.#listener.died(what);
    for (const open of [...this.#open.values()]) {
      if (open.isSecond) this.#fail(open.request, internalError(what));
      else open.isSecond = true;
    }
    if (this.#open.size > 0) this.#startAgain();
  }

  #startAgain(): void {
    if (this.#tell === null || this.#file === null) return;
    this.#isDead = false;
    const requests: EventsRequest[] = [...this.#open.values()].map(({ request }) => request);
    this.#held = [{ type: 'start' as const, ...this.#file }, ...requests].map((request) => [request, []]);
    this.start();
    this.#tell(this.#whileAlive());
  }

  #whileAlive(): () => boolean {
    const deaths = this.#deaths;
    return () => this.#deaths === deaths;
  }

  #end(): void {
    this.#held = [];
    for (const worker of [...this.#seekers, ...(this.#worker === null ? [] : [this.#worker])]) endWorker(worker);
    this.#seekers = [];
    this.#worker = null;
  }

  #fail({ session, id }: EventsQueryRequest, error: EngineError): void {
    this.#open.delete(id);
    this.#listener.reply({ type: 'queryFailed', session, id, error });
  }
}
