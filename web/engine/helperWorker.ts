/**
 * The engine worker's own workers: the page starts them for it, and each talks to the engine worker through a port. In Firefox (153
 * at least) a worker that starts another one may wait for that one's registration for ever.
 */
import type { HelperFailed, HelperKind, HelperMessage } from './protocolHelpers';
import type { WorkerScope } from './workerScope';

/** Such a worker as the engine worker sees it: the part of `Worker` that is used. */
export class HelperWorker<Sent, Received> {
  static readonly #living = new Map<number, HelperWorker<never, never>>();
  static #count = 0;

  onmessage: ((event: MessageEvent<Received>) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  readonly #id = HelperWorker.#count++;
  readonly #port: MessagePort;
  readonly #page = self as unknown as WorkerScope<unknown, HelperMessage>;

  constructor(kind: HelperKind, name: string) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.onmessage = (event) => this.onmessage?.(event);
    HelperWorker.#living.set(this.#id, this as HelperWorker<never, never>);
    this.#page.postMessage({ type: 'startHelper', id: this.#id, kind, name, port: port2 }, [port2]);
  }

  /** Hears from the page. */
  static failed({ id, what }: HelperFailed): void {
    HelperWorker.#living.get(id)?.onerror?.(new ErrorEvent('error', { message: what }));
  }

  postMessage(message: Sent, transfer: Transferable[] = []): void {
    this.#port.postMessage(message, transfer);
  }

  addEventListener(type: 'message', listener: () => void, options: { readonly once: true }): void {
    this.#port.addEventListener(type, listener, options);
  }

  terminate(): void {
    HelperWorker.#living.delete(this.#id);
    this.#port.close();
    this.#page.postMessage({ type: 'endHelper', id: this.#id }, []);
  }
}
