import { useEffect, useState } from 'react';
import { afterRest } from '../base/rest';
import type { TimeWindow } from '../base/units';
import { visibleWindow } from '../state/viewState';
import { usePage } from './context';

const REST_MS = 120;

/**
 * The window on the screen in whole ns, once panning and zooming rest. Tables and statistics follow this: updating them
 * in every frame of a zoom would make it stutter.
 */
export function useRestingWindow(): TimeWindow {
  const { store } = usePage();
  const [window, setWindow] = useState(() => visibleWindow(store.getState(), store.getLimits()));
  useEffect(() => {
    let cancel: (() => void) | undefined;
    const take = (): void => {
      const next = visibleWindow(store.getState(), store.getLimits());
      setWindow((last) => (last.start === next.start && last.end === next.end ? last : next));
    };
    take();
    const unsubscribe = store.subscribe(() => {
      cancel?.();
      cancel = afterRest(REST_MS, take);
    });
    return () => {
      cancel?.();
      unsubscribe();
    };
  }, [store]);
  return window;
}
