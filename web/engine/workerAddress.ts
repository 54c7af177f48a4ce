/** The addresses of workers' scripts, with what their policy depends on. */
import { CONNECT } from '../base/policy';

/**
 * The address of a worker that may connect to the server `host` besides the page's own (`https://host:port`; null: to no other).
 * Where the service worker controls the page, it makes the worker's policy of it (`serviceWorker.ts`).
 */
export function workerAddress(script: string, host: string | null): string {
  if (host === null) return script;
  const separator = script.includes('?') ? '&' : '?';
  return `${script}${separator}${CONNECT}=${encodeURIComponent(host)}`;
}
