/**
 * Timers of what follows the user with a delay, once or while they rest. All such timers are kept together, so that
 * code that waits for the page to rest (`testHook.ts`) knows when the last of them has run.
 */

let running = 0;

/** How many timers still have work to do. */
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
