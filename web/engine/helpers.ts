/** The page's part of an engine worker's own workers (`helperWorker.ts`): it starts and ends them. */
import callsScript from './callsWorker?worker&url';
import eventsScript from './eventsWorker?worker&url';
import figuresScript from './figuresWorker?worker&url';
import filesScript from './filesWorker?worker&url';
import type { HelperFailed, HelperKind, HelperMessage } from './protocolHelpers';
import scanScript from './scanWorker?worker&url';
import seekScript from './seekWorker?worker&url';
import studiesScript from './studiesWorker?worker&url';
import { workerAddress } from './workerAddress';

const SCRIPTS: Readonly<Record<HelperKind, string>> = {
  scan: scanScript,
  events: eventsScript,
  seek: seekScript,
  figures: figuresScript,
  calls: callsScript,
  files: filesScript,
  studies: studiesScript,
};

export class Helpers {
  readonly #failed: (message: HelperFailed) => void;
  readonly #workers = new Map<number, Worker>();
  /** The server to which they may connect besides the page's own. */
  #host: string | null = null;

  constructor(failed: (message: HelperFailed) => void) {
    this.#failed = failed;
  }

  /** Workers that start from now on may connect to this server. */
  allow(host: string | null): void {
    this.#host = host;
  }

  take(message: HelperMessage): void {
    const { id } = message;
    if (message.type === 'endHelper') {
      this.#workers.get(id)?.terminate();
      this.#workers.delete(id);
      return;
    }
    const address = workerAddress(SCRIPTS[message.kind], this.#host);
    const worker = new Worker(address, { type: 'module', name: message.name });
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
