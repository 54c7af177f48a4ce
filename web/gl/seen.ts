/**
 * Waits while the page is visible: browsers take contexts from hidden tabs, and restore them when the tabs are shown.
 */

type Seen = Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>;

/** Calls `done` when the page has been visible for `ms` without a break. Returns a function that stops the waiting. */
export function afterSeen(ms: number, done: () => void, page: Seen = document): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = (): void => {
    clearTimeout(timer);
    page.removeEventListener('visibilitychange', look);
  };
  const look = (): void => {
    clearTimeout(timer);
    if (page.visibilityState === 'hidden') return;
    timer = setTimeout(() => {
      end();
      done();
    }, ms);
  };
  page.addEventListener('visibilitychange', look);
  look();
  return end;
}
