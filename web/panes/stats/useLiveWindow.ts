import { useEffect, useState } from 'react';
import { afterRest } from '../../base/rest';
import { ns, type TimeWindow } from '../../base/units';
import { visibleWindow } from '../../state/viewState';
import { usePage } from '../context';

const EVERY_MS = 100;

/** The window on the screen in whole ns, updated ten times a second during panning and zooming, and at their end. */
export function useLiveWindow(): TimeWindow {
  const { store } = usePage();
  const [window, setWindow] = useState(() => visibleWindow(store.getState(), store.getLimits()));
  useEffect(() => {
    let cancel: (() => void) | undefined;
    const take = (): void => {
      cancel = undefined;
      const { start, end } = visibleWindow(store.getState(), store.getLimits());
      const next = { start: ns(Math.round(start)), end: ns(Math.round(end)) };
      setWindow((last) => (last.start === next.start && last.end === next.end ? last : next));
    };
    take();
    const unsubscribe = store.subscribe(() => {
      cancel ??= afterRest(EVERY_MS, take);
    });
    return () => {
      cancel?.();
      unsubscribe();
    };
  }, [store]);
  return window;
}
