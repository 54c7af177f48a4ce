/**
 * The traces that were open last in this browser, with what opens them again: a handle of the file, where the browser gives one,
 * or an address. Only names, fingerprints and handles are kept, no trace.
 */

import { handleOf, withHandle } from '../../base/fileHandles';
import { type Observable, observable } from '../../base/observable';
import { underWay } from '../../base/rest';
import { originOf } from '../origins';
import type { Page } from '../page';

export interface RecentTrace {
  readonly fingerprint: string;
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** When it was opened, in ms. */
  readonly opened: number;
  /** The value of `?trace=`; null for a file. */
  readonly query: string | null;
  /** Undefined: the file has to be chosen again. */
  readonly handle?: FileSystemFileHandle;
}

/** How many are kept. */
export const MOST_RECENT = 10;

/** The list with another trace that was opened; a handle that is known stays. */
export function withRecent(list: readonly RecentTrace[], trace: RecentTrace): readonly RecentTrace[] {
  const before = list.find(({ fingerprint }) => fingerprint === trace.fingerprint);
  const handle = trace.handle ?? (before?.name === trace.name ? before.handle : undefined);
  const others = list.filter((other) => other !== before);
  return [{ ...trace, ...(handle && { handle }) }, ...others].slice(0, MOST_RECENT);
}

const DATABASE = 'corelane.recent';
const STORE = 'lists';
const KEY = 'traces';

/**
 * Does something with the stored list; null where the browser stores nothing. What was written is kept once this resolves,
 * also if the page is left at once: a request succeeds before its transaction does.
 */
async function stored<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T | null> {
  const settled = <R>(request: IDBRequest<R>): Promise<R> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  try {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    const database = await settled(opening);
    try {
      const transaction = database.transaction(STORE, mode);
      const completed = new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve();
        transaction.onabort = () => reject(transaction.error);
      });
      const [result] = await Promise.all([settled(act(transaction.objectStore(STORE))), completed]);
      return result;
    } finally {
      database.close();
    }
  } catch {
    // Private windows and full disks: there is no list then.
    return null;
  }
}

/** Chromium asks the user before a page reads a file again. */
interface WithPermission {
  requestPermission?: (options: { readonly mode: 'read' }) => Promise<PermissionState>;
}

export class RecentTraces {
  readonly list: Observable<readonly RecentTrace[]> = observable<readonly RecentTrace[]>([]);
  readonly #page: Page;
  #ready: Promise<void>;

  constructor(page: Page) {
    this.#page = page;
    this.#ready = this.#read();
    page.session.subscribe(() => void underWay(this.#note()));
    void underWay(this.#note());
  }

  /** Opens a trace again. What the browser refuses, or is no longer there, has to be chosen: `choose`. */
  async open(trace: RecentTrace, choose: () => void): Promise<void> {
    if (trace.query !== null) {
      this.#page.reopen(originOf(trace.query));
      return;
    }
    const file = trace.handle && (await fileOf(trace.handle));
    if (file) {
      await this.#page.openFiles([file]);
      return;
    }
    this.#page.announce(
      trace.handle
        ? `${trace.name} can no longer be read there: choose it again.`
        : `This browser cannot open files by itself: choose ${trace.name}.`,
    );
    choose();
  }

  /** The list is gone from the page once it is gone from the browser. */
  async forget(): Promise<void> {
    await write([]);
    this.list.set([]);
  }

  async #read(): Promise<void> {
    const found = await stored<unknown>('readonly', (store) => store.get(KEY));
    if (Array.isArray(found)) this.list.set(found as readonly RecentTrace[]);
  }

  async #note(): Promise<void> {
    const session = this.#page.session.get();
    if (session.kind !== 'open' || session.origin.query === 'sample') return;
    const { origin, summary } = session;
    await this.#ready;
    const { source, query, name } = origin;
    const handle = source.kind === 'file' ? handleOf(source.file) : undefined;
    const { fingerprint, size } = summary;
    const trace = { fingerprint, name, size, opened: Date.now(), query, ...(handle && { handle }) };
    this.list.set(withRecent(this.list.get(), trace));
    await write(this.list.get());
  }
}

async function write(list: readonly RecentTrace[]): Promise<void> {
  await stored('readwrite', (store) => store.put(list, KEY));
}

/** null: the browser does not let the page read it, or it is gone. */
async function fileOf(handle: FileSystemFileHandle): Promise<File | null> {
  try {
    const permission = (await (handle as WithPermission).requestPermission?.({ mode: 'read' })) ?? 'granted';
    return permission === 'granted' ? withHandle(await handle.getFile(), handle) : null;
  } catch {
    return null;
  }
}

const held = new WeakMap<Page, RecentTraces>();

/** Those of the page's browser; from the first call on, traces that are opened are noted. */
export function recentOf(page: Page): RecentTraces {
  const known = held.get(page) ?? new RecentTraces(page);
  held.set(page, known);
  return known;
}
