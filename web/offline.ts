/** Installs the worker that keeps the page for when there is no network. */

/** Registers it, in a built page; a browser that has none, or refuses it, does without. */
export function keepPage(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  navigator.serviceWorker.register('./sw.js', { scope: './' }).catch(() => undefined);
}
