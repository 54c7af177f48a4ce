/**
 * Keeps the page for when there is no network. Of the page's own files alone, as they were built together: no trace is ever
 * kept, and nothing that another site sends.
 *
 * What has the build's hash in its name never changes, and is taken from the cache. The rest (the page itself, the sample) comes
 * from the network while there is one: a new version is used as soon as it is loaded, whichever version of this worker is
 * in charge. A version's files stay until the last page that uses them is closed.
 */

/** What the build writes here: see `vite.config.ts`. */
declare const CORELANE_FILES: { readonly version: string; readonly files: readonly string[] };

/** The parts of `ServiceWorkerGlobalScope` that are used; its types and those of the page exclude each other. */
interface Scope {
  readonly registration: { readonly scope: string };
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
  event.waitUntil(forget());
};

scope.onfetch = (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  // A trace is named behind the page's address: `?trace=`.
  const url = origin + pathname;
  if (request.method !== 'GET' || !own.has(url)) return;
  const kept = async () => (await caches.open(CACHE)).match(url);
  const named = url.startsWith(urlOf('./assets/'));
  event.respondWith(
    named
      ? kept().then((response) => response ?? fetch(request))
      : fetch(request).catch(async () => (await kept()) ?? Response.error()),
  );
};
