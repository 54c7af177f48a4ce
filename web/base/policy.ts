/**
 * What the page and its workers may do: the directives of their Content-Security-Policies. The build writes the page's into the
 * page and into header files for web servers (`scripts/lib/headerFiles.mjs`); the service worker sets the workers' where it
 * controls the page. `corelane serve` sends the page's as a header (`crates/tracecore-cli/src/serve/answer.rs`).
 */

/** Run its own code, and connect to where it came from. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/**
 * The policy of a worker. A page's `<meta>` policy does not bind its workers: browsers go by the headers of a worker's own script.
 * `address`: of the script, whose parameter `connect` the page sets once the user has agreed to that server (`engine/workerAddress.ts`).
 */
export function workerPolicy(address: string): string {
  const host = new URL(address).searchParams.get('connect');
  const isOrigin = host !== null && URL.canParse(host) && new URL(host).origin === host;
  const sources = isOrigin ? `'self' ${host}` : "'self'";
  return `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src ${sources}`;
}
