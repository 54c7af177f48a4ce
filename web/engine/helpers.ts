/** The page's part of an engine worker's own workers (`helperWorker.ts`): it starts and ends them. */
import type { HelperFailed, HelperKind, HelperMessage } from './protocolHelpers';

const START: Readonly<Record<HelperKind, (name: string) => Worker>> = {
  scan: (name) => new Worker(new URL('./scanWorker.ts', import.meta.url), { type: 'module', name }),
  events: (name) => new Worker(new URL('./eventsWorker.ts', import.meta.url), { type: 'module', name }),
  seek: (name) => new Worker(new URL('./seekWorker.ts', import.meta.url), { type: 'module', name }),
  figures: (name) => new Worker(new URL('./figuresWorker.ts', import.meta.url), { type: 'module', name }),
  calls: (name) => new Worker(new URL('./callsWorker.ts', import.meta.url), { type: 'module', name }),
  files: (name) => new Worker(new URL('./filesWorker.ts', import.meta.url), { type: 'module', name }),
  studies: (name) => new Worker(new URL('./studiesWorker.ts', import.meta.url), { type: 'module', name }),
};

export class Helpers {
  readonly #failed: (message: HelperFailed) => void;
  readonly #workers = new Map<number, Worker>();

  constructor(failed: (message: HelperFailed) => void) {
    this.#failed = failed;
  }

  take(message: HelperMessage): void {
    const { id } = message;
    if (message.type === 'endHelper') {
      this.#workers.get(id)?.terminate();
      this.#workers.delete(id);
      return;
    }
    const worker = START[message.kind](message.name);
    worker.onerror = (event) => {
      event.preventDefault();
      // A script that cannot be loaded gives an event without a message.
      this.#failed({ type: 'helperFailed', id, what: event.message ?? '' });
    };
    worker.postMessage(message.port, [message.port]);
    this.#workers.set(id, worker);
  }

  /** Ends all: their engine worker has ended. */
  end(): void {
    for (const worker of this.#workers.values()) worker.terminate();
    this.#workers.clear();
  }
}
