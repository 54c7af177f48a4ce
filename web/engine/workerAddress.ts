/**
 * The addresses of workers' scripts, with what their policy depends on. Shares no module with the service worker, which is a single
 * script; `workerAddress.test.ts` shows that the two agree.
 */

/**
 * The address of a worker that may connect to the server `host` besides the page's own (`https://host:port`; null: to no other).
 * Where the service worker controls the page, it makes the worker's policy of it (`serviceWorker.ts`).
 */
export function workerAddress(script: string, host: string | null): string {
  if (host === null) return script;
  const separator = script.includes('?') ? '&' : '?';
  return `${script}${separator}connect=${encodeURIComponent(host)}`;
}
