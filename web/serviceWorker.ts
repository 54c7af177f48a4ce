/**
 * Keeps the page for when there is no network, and sets the policy of its workers. It keeps the page's own files alone, as they
 * were built together: no trace, and nothing that another site sends.
 *
 * A file with the build's hash in its name never changes: it comes from the cache. The rest (the page itself, the sample) comes
 * from the network if that answers soon: a new version is used as soon as it is loaded, whichever version of this worker is in
 * charge. A version's files stay until the last page that uses them is closed.
 */
import { workerPolicy } from './base/policy';

/** What the build writes here: see `vite.config.ts`. */
declare const CORELANE_FILES: { readonly version: string; readonly files: readonly string[] };

/** The parts of `ServiceWorkerGlobalScope` that are used; its types and those of the page exclude each other. */
interface Scope {
  readonly registration: { readonly scope: string };
  readonly clients: { claim(): Promise<void> };
  onactivate: ((event: Lasting) => void) | null;
  oninstall: ((event: Lasting) => void) | null;
  onfetch: ((event: Fetching) => void) | null;
}
interface Lasting {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetching {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

const scope = self as unknown as Scope;
const { version, files } = CORELANE_FILES;
/** Other programs may be hosted beside this one, and other copies of it: caches belong to the whole origin. */
const PREFIX = `corelane ${scope.registration.scope} `;
const CACHE = PREFIX + version;
const urlOf = (file: string) => new URL(file, scope.registration.scope).href;
const PAGE = urlOf('./');
const own = new Set([PAGE, ...files.map(urlOf)]);
/** How long the network has to send a file that the cache has too, in ms: about as long as people wait for a page. */
const PATIENCE = 2500;

scope.oninstall = (event) => {
  // All or nothing: with a file missing this version is not installed. Servers may say that files can be kept for long.
  const fetched = [...own].map((url) => new Request(url, { cache: 'no-cache' }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(fetched)));
};

scope.onactivate = (event) => {
  const forget = async () => {
    const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
  };
  // Workers of the page that installed this one get their policy from now on, without another visit.
  event.waitUntil(Promise.all([forget(), scope.clients.claim()]));
};

scope.onfetch = (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  // A trace is named behind the page's address: `?trace=`.
  const url = origin + pathname;
  const isWorker = request.destination === 'worker' && url.startsWith(scope.registration.scope);
  if (request.method !== 'GET' || !(isWorker || own.has(url))) return;
  const response = url.startsWith(urlOf('./assets/')) ? fromCache(request, url) : fromNetwork(request, url);
  event.respondWith(isWorker ? response.then((script) => bound(script, request.url)) : response);
};

const kept = async (url: string): Promise<Response | undefined> => (await caches.open(CACHE)).match(url);

async function fromCache(request: Request, url: string): Promise<Response> {
  return (await kept(url)) ?? fetch(request);
}

/** What the network sends within some time, whole; otherwise, or if the server fails, what is kept. */
async function fromNetwork(request: Request, url: string): Promise<Response> {
  const sent = fetch(request).then(whole);
  const failed = (): null => null;
  const inTime = await Promise.race([sent.catch(failed), pause(PATIENCE)]);
  if (inTime !== null && inTime.status < 500) return inTime;
  return (await kept(url).catch(failed)) ?? sent;
}

const pause = (ms: number): Promise<null> => new Promise((resolve) => setTimeout(resolve, ms, null));

/** A response whose body has come: a server may hang in the middle of one. */
async function whole(response: Response): Promise<Response> {
  // A redirection has none that can be read: the browser follows it.
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  return new Response(await response.arrayBuffer(), { status, statusText, headers });
}

/** A worker's script with the policy that binds the worker, in place of the server's. */
function bound(script: Response, address: string): Response {
  const { status, statusText } = script;
  const headers = new Headers(script.headers);
  headers.set('content-security-policy', workerPolicy(address));
  return new Response(script.body, { status, statusText, headers });
}
