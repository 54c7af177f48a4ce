/**
 * Workers beside the events worker, which look at parts of its filters and searches. Each has the same file open, and knows where
 * records are, but not their order: it is told a part, and answers with what it found.
 */
import type { EventsStart } from './eventsHost';

export type SeekerRequest =
  /** Where the records of a CPU are: what `Events.index` returned. */
  | { readonly type: 'index'; readonly index: Uint8Array<ArrayBuffer> }
  /** That was all of them; names of tasks, as for the events worker. */
  | { readonly type: 'list'; readonly pids: Int32Array; readonly comms: readonly string[] }
  /** Where tasks ran, as in a query. */
  | { readonly type: 'places'; readonly words: Uint32Array }
  /** What `Events.handOut` returned. */
  | { readonly type: 'seek'; readonly id: number; readonly handed: string };

export type SeekerReply =
  /** It has the list. */
  | 'ready'
  /** What it found; null: it could not look at it. */
  | { readonly id: number; readonly words: BigUint64Array<ArrayBuffer> | null };

/** What the engine worker tells a seeker first: all else comes by this port. */
export type SeekerStart = EventsStart & { readonly port: MessagePort };

/** Its first message says that it lives; the other one that it can do nothing. */
export type SeekerState = 'started' | 'stopped';

/** The part of a port that is used; tests stand in for it. */
export interface SeekerPort {
  onmessage: ((event: MessageEvent<SeekerReply>) => void) | null;
  postMessage(request: SeekerRequest, transfer: Transferable[]): void;
  close(): void;
}

/** Parts that a seeker has: it reads some while it looks at one. */
const EACH = 4;
const MOST_SEEKERS = 4;

/** How many there are beside the events worker. */
export const seekerCount = (cores: number): number => Math.max(0, Math.min(cores - 1, MOST_SEEKERS));

interface Seeker {
  readonly port: SeekerPort;
  isReady: boolean;
  /** What it looks at, by the id of the request. */
  readonly asked: Map<number, string>;
}

export class Seekers {
  /** By place; null: it was lost. */
  readonly #seekers: (Seeker | null)[];
  readonly #found: (handed: string, words: BigUint64Array<ArrayBuffer> | null) => void;
  #count = 0;

  /** `found` is told of each part that was handed out. */
  constructor(
    ports: readonly SeekerPort[],
    found: (handed: string, words: BigUint64Array<ArrayBuffer> | null) => void,
  ) {
    this.#found = found;
    this.#seekers = ports.map((port) => {
      const seeker: Seeker = { port, isReady: false, asked: new Map() };
      port.onmessage = ({ data }) => {
        if (data === 'ready') {
          seeker.isReady = true;
          return;
        }
        const handed = seeker.asked.get(data.id);
        seeker.asked.delete(data.id);
        if (handed !== undefined) found(handed, data.words);
      };
      return seeker;
    });
  }

  /** Tells all of them something. */
  tell(request: SeekerRequest): void {
    for (const seeker of this.#seekers) seeker?.port.postMessage(request, []);
  }

  /** Tells where tasks ran. What was found before is not told any more: it was looked for without that. */
  learnPlaces(words: Uint32Array): void {
    for (const seeker of this.#seekers) seeker?.asked.clear();
    this.tell({ type: 'places', words });
  }

  /** Hands out what `next` returns to those that have little to do. */
  feed(next: () => string | undefined): void {
    for (let round = 1; round <= EACH; round++) {
      for (const seeker of this.#seekers) {
        if (!seeker?.isReady || seeker.asked.size >= round) continue;
        const handed = next();
        if (handed === undefined) return;
        const id = this.#count++;
        seeker.asked.set(id, handed);
        seeker.port.postMessage({ type: 'seek', id, handed }, []);
      }
    }
  }

  /** A seeker was lost: others look at what it had. */
  lost(place: number): void {
    const seeker = this.#seekers[place] ?? null;
    if (seeker === null) return;
    this.#seekers[place] = null;
    seeker.port.onmessage = null;
    seeker.port.close();
    for (const handed of seeker.asked.values()) this.#found(handed, null);
  }
}
