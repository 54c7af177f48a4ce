import { useSyncExternalStore } from 'react';
import type { Observable } from '../base/observable';

/** Renders again when the value changes. */
export function useObservable<T>(value: Pick<Observable<T>, 'get' | 'subscribe'>): T {
  return useSyncExternalStore(value.subscribe, value.get);
}
