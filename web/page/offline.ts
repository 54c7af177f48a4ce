/** The service worker that keeps the page for when there is no network, and sets the policy of the page's workers. */
import { type Observable, observable } from '../base/observable';

/** Whether this browser has stored the page: `no` where it has no such storage, refuses it, or is full. */
export const pageKept: Observable<'storing' | 'yes' | 'no'> = observable('storing');

/** Installs the service worker, in a built page. */
export async function keepPage(): Promise<void> {
  const container = import.meta.env.PROD ? navigator.serviceWorker : undefined;
  const registration = await container?.register('./sw.js', { scope: './' }).catch(() => undefined);
  const worker = registration?.active ?? registration?.installing ?? registration?.waiting;
  if (!worker) {
    pageKept.set('no');
    return;
  }
  const look = (): void => {
    if (worker.state === 'activated') pageKept.set('yes');
    // It could not fetch or store the page's files.
    else if (worker.state === 'redundant') pageKept.set('no');
  };
  worker.addEventListener('statechange', look);
  look();
}
