/**
 * Whether a worker still lives: one that closes itself, or that the browser ends, says nothing. So it holds a lock of its
 * name as long as it lives, and who gets that lock knows. Browsers have locks in secure contexts only; elsewhere nobody is
 * told, as before.
 */

/** The part of `navigator.locks` that is used; tests stand in for it. */
export interface Locks {
  request(name: string, held: () => unknown): Promise<unknown>;
}

/**
 * In the worker: lives from now on. A worker sends its first message after this has resolved: locks are granted by another
 * process, and a page that asked before the worker's request arrived there would take it for dead.
 */
export function live(name: string, locks: Locks | null = navigator.locks ?? null): Promise<void> {
  return new Promise((resolve) => {
    const hold = (): Promise<never> => {
      resolve();
      return new Promise(() => undefined);
    };
    // A browser that refuses the worker a lock refuses the page one too.
    if (locks) locks.request(name, hold).catch(() => resolve());
    else resolve();
  });
}

/** On the page: calls `ended` when the worker of that name lives no more. Once it has said something, it holds its lock. */
export function watch(
  worker: Pick<Worker, 'addEventListener'>,
  name: string,
  ended: () => void,
  locks: Locks | null = navigator.locks ?? null,
): void {
  const wait = (): void => void locks?.request(name, ended).catch(() => undefined);
  worker.addEventListener('message', wait, { once: true });
}

/** A name that no other page of this origin uses. */
export const lifeName = (what: string): string => `${what} ${Date.now()} ${Math.random()}`;
