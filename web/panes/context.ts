import { createContext, useContext, useSyncExternalStore } from 'react';
import { useObservable } from '../components/useObservable';
import type { Page } from '../page/page';
import type { Session } from '../state/traces';
import type { ViewState } from '../state/viewState';
import type { Scene } from '../timeline/scene';

export interface PaneContext {
  readonly page: Page;
  readonly scene: Scene;
}

export const PageContext = createContext<PaneContext | null>(null);

function usePanes(): PaneContext {
  const context = useContext(PageContext);
  if (context === null) {
    throw new Error('a pane is used outside the page');
  }
  return context;
}

export const usePage = (): Page => usePanes().page;

export const useScene = (): Scene => usePanes().scene;

/**
 * Renders the component again when the selected part of the view changes. Panning and zooming render only components
 * that select something that they change.
 */
export function useView<T>(select: (view: ViewState) => T): T {
  const { store } = usePage();
  return useSyncExternalStore(store.subscribe, () => select(store.getState()));
}

export const useSession = (): Session => useObservable(usePage().session);
