import { type ReactNode, useEffect, useRef } from 'react';
import { formatDuration, formatTime } from '../base/format';
import { setText } from '../base/setText';
import { clockOf, metadataOf } from '../state/traces';
import { timeOrigin, visibleWindow } from '../state/viewState';
import { usePage, useSession } from './context';
import { withFrame } from './withFrame';

/** The window in words. It follows every frame of a zoom, so it is written into the document without React. */
export function WindowText(): ReactNode {
  const { store } = usePage();
  const metadata = metadataOf(useSession());
  const text = useRef<HTMLSpanElement>(null);
  const width = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!metadata) {
      return;
    }
    const clock = clockOf(metadata);
    const write = (): void => {
      const view = store.getState();
      const limits = store.getLimits();
      const shown = visibleWindow(view, limits);
      const origin = timeOrigin(view, limits);
      const from = formatTime(clock, shown.start, origin, decimalsFor(shown.end - shown.start));
      const to = formatTime(clock, shown.end, origin, decimalsFor(shown.end - shown.start));
      setText(text.current, limits.span > 0 ? `${from} to ${to} · ` : '');
      setText(width.current, limits.span > 0 ? formatDuration(clock, shown.end - shown.start) : '');
    };
    write();
    return withFrame(write, store.subscribe);
  }, [store, metadata]);
  return (
    <span className="window-text" title="The time window on the screen">
      <span ref={text} />
      <strong ref={width} />
    </span>
  );
}

/** How many decimals show a thousandth of the window. */
function decimalsFor(width: number): number {
  return Math.min(9, Math.max(3, 12 - Math.floor(Math.log10(Math.max(1, width)))));
}
