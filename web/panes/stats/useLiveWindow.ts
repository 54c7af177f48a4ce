import { useEffect, useState } from 'react';
import { ns, type TimeWindow } from '../../base/units';
import { visibleWindow } from '../../state/viewState';
import { usePage } from '../context';

const EVERY_MS = 100;

/** The window on the screen in whole ns, in step with panning and zooming: ten times a second, and where they end. */
export function useLiveWindow(): TimeWindow {
  const { store } = usePage();
  const [window, setWindow] = useState(() => visibleWindow(store.getState(), store.getLimits()));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const take = (): void => {
      timer = undefined;
      const { start, end } = visibleWindow(store.getState(), store.getLimits());
      const next = { start: ns(Math.round(start)), end: ns(Math.round(end)) };
      setWindow((last) => (last.start === next.start && last.end === next.end ? last : next));
    };
    take();
    const unsubscribe = store.subscribe(() => {
      timer ??= setTimeout(take, EVERY_MS);
    });
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [store]);
  return window;
}
