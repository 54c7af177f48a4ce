/**
 * Detects that a worker has ended: one that closes itself, or that the browser ends, says nothing. Therefore a worker
 * holds a lock with its name as long as it lives, and the page is granted that lock when it has ended. Browsers have
 * locks only in secure contexts; elsewhere the end goes unnoticed.
 */

/** The part of `navigator.locks` that is used; tests stand in for it. */
export interface Locks {
  request(name: string, held: () => unknown): Promise<unknown>;
}

/**
 * For the worker: takes the lock. A worker sends its first message after this has resolved: locks are granted by
 * another process, and if the page's request arrived there before the worker's, the page would take the worker for
 * dead.
 */
export function live(name: string, locks: Locks | null = navigator.locks ?? null): Promise<void> {
  return new Promise((resolve) => {
    const hold = (): Promise<never> => {
      resolve();
      return new Promise(() => undefined);
    };
    // A browser that refuses the lock to the worker refuses it to the page too.
    if (locks) locks.request(name, hold).catch(() => resolve());
    else resolve();
  });
}

/** The part of a worker that is used. */
interface Watched {
  onerror?: ((event: ErrorEvent) => unknown) | null;
  addEventListener(type: 'message', listener: () => void, options: { readonly once: true }): void;
}

/**
 * For the page: calls `ended` when the worker with that name has ended. The page asks for the lock after the worker's
 * first message, because the worker then holds it.
 */
export function watch(
  worker: Watched,
  name: string,
  ended: () => void,
  locks: Locks | null = navigator.locks ?? null,
): void {
  const wait = (): void => void locks?.request(name, ended).catch(() => undefined);
  worker.addEventListener('message', wait, { once: true });
}

/** A worker whose end, whatever ended it, is told to its `onerror`. It holds the lock of that `name`, see `live`. */
export function watched<W extends Watched>(worker: W, name: string): W {
  // Who ends a worker does so by `endWorker`.
  watch(worker, name, () => worker.onerror?.(new ErrorEvent('error', { message: 'it ended by itself' })));
  return worker;
}

/** The part of a worker that is used to end it. */
interface Ended {
  onmessage: unknown;
  onerror: unknown;
  terminate(): void;
}

/** Ends a worker, and listens to it no more: its lock is free only some time later, when another one may be in its place. */
export function endWorker(worker: Ended): void {
  worker.onmessage = null;
  worker.onerror = null;
  worker.terminate();
}

/** Makes a name that no other page of this origin uses. */
export const lifeName = (what: string): string => `${what} ${Date.now()} ${Math.random()}`;
