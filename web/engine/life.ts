/**
 * Whether a worker still lives: one that closes itself, or that the browser ends, says nothing. So it holds a lock of its
 * name as long as it lives, and who gets that lock knows. Browsers have locks in secure contexts only; elsewhere nobody is
 * told, as before.
 */

/** In the worker: lives from now on. */
export function live(name: string): void {
  void navigator.locks?.request(name, () => new Promise(() => undefined));
}

/** On the page: calls `ended` when the worker of that name lives no more. Once it has said something, it holds its lock. */
export function watch(worker: Worker, name: string, ended: () => void): void {
  const wait = (): void => void navigator.locks?.request(name, ended);
  worker.addEventListener('message', wait, { once: true });
}

/** A name that no other page of this origin uses. */
export const lifeName = (what: string): string => `${what} ${Date.now()} ${Math.random()}`;
