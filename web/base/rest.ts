/**
 * Work that ends by itself later: timers of what follows the user with a delay, once or while they rest, and what is awaited
 * without the page showing that it waits. All of it is counted together, so that code that waits for the page to rest
 * (`testHook.ts`) knows when the last of it is done.
 */

let running = 0;

/** How much of it there is. */
export const restsUnderWay = (): number => running;

/** Calls `run` after `ms`; returns a function that prevents that. */
export function afterRest(ms: number, run: () => void): () => void {
  let isOver = false;
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    running--;
    clearTimeout(timer);
  };
  running++;
  const timer = setTimeout(() => {
    end();
    run();
  }, ms);
  return end;
}

/** Counts a promise until it settles; returns it. */
export function underWay<T>(work: Promise<T>): Promise<T> {
  const end = (): void => {
    running--;
  };
  running++;
  work.then(end, end);
  return work;
}

/** Resolves after the next frame and the work that it left. */
export const painted = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
