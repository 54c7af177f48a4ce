/** Waiting while somebody looks: browsers take contexts from hidden tabs, and give them back when they are shown. */

type Seen = Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>;

/** Calls `done` when the page has been seen for `ms` without a break. Returns what ends the waiting. */
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
