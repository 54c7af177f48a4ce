/** A value that can be watched; the shape that React's `useSyncExternalStore` takes. */
export interface Observable<T> {
  get(): T;
  /** Listeners are called when the value is another one (`Object.is`). */
  set(value: T): void;
  /** Returns the function that ends the subscription. */
  subscribe(listener: () => void): () => void;
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
