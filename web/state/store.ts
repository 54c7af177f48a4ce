/** Holds the view, which changes nowhere else. */

import { reduce } from './reduce';
import { type Action, initialView, type Limits, noLimits, type ViewState } from './viewState';

/** Called after every change; `action` is null if only the limits changed. */
export type StoreListener = (action: Action | null) => void;

export interface Store {
  getState(): ViewState;
  getLimits(): Limits;
  dispatch(action: Action): void;
  setLimits(limits: Limits): void;
  /** Returns the function that ends the subscription. */
  subscribe(listener: StoreListener): () => void;
}

export function createStore(view: ViewState = initialView): Store {
  let state = view;
  let limits = noLimits;
  const listeners = new Set<StoreListener>();
  const notify = (action: Action | null): void => {
    for (const listener of listeners) {
      listener(action);
    }
  };
  return {
    getState: () => state,
    getLimits: () => limits,
    dispatch(action) {
      const next = reduce(state, action, limits);
      if (next !== state) {
        state = next;
        notify(action);
      }
    },
    setLimits(next) {
      limits = next;
      notify(null);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
