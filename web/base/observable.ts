/** A value that can be watched; the shape that React's `useSyncExternalStore` takes. */
export interface Observable<T> {
  get(): T;
  /** Listeners are called if the value differs (`Object.is`). */
  set(value: T): void;
  /** Returns the function that ends the subscription. */
  subscribe(listener: () => void): () => void;
}

/** A value that is computed from a watched one; it changes when the result differs. */
export function derived<T, U>(
  source: Pick<Observable<T>, 'get' | 'subscribe'>,
  of: (value: T) => U,
): Pick<Observable<U>, 'get' | 'subscribe'> {
  const get = (): U => of(source.get());
  return {
    get,
    subscribe(listener) {
      let value = get();
      return source.subscribe(() => {
        const next = get();
        if (Object.is(next, value)) return;
        value = next;
        listener();
      });
    },
  };
}

export function observable<T>(initial: T): Observable<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (!Object.is(value, next)) {
        value = next;
        for (const listener of [...listeners]) {
          listener();
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
