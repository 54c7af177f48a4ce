/**
 * Timers of what follows the user at a distance, once or while they rest: all such timers together, so that one who waits
 * for the page to rest (`testHook.ts`) knows when the last of them has run.
 */

let running = 0;

/** How many timers still have something to do. */
export const restsUnderWay = (): number => running;

/** Calls `run` after `ms`; returns what prevents that. */
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
