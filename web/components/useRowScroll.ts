import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { afterRest } from '../base/rest';
import { clampOffset, type RowGeometry, type RowPosition, scrolled, scrollTopOf } from './rowScroll';

export interface RowScroll {
  /** The element that scrolls; its contents are `elementHeight` high. */
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly geometry: RowGeometry;
  /** Width of the visible part; 0 before it is measured. */
  readonly width: number;
  /** CSS pixels from the top of the first row to the top of the visible part. */
  readonly offset: number;
  readonly scrollTo: (offset: number) => void;
}

/** How long, in ms, wheels and fingers have to rest before the scroll bar is put right. */
const REST_MS = 160;

export interface RowScrollOptions {
  readonly rows: number;
  readonly rowHeight: number;
  /** Height of a head that stays above the rows within the element that scrolls. */
  readonly head?: number;
  /** Called when the user has scrolled. */
  readonly onHand?: () => void;
}

/** Scrolls rows of one height, more than an element can be high. */
export function useRowScroll({ rows, rowHeight, head = 0, onHand }: RowScrollOptions): RowScroll {
  const scroller = useRef<HTMLDivElement>(null);
  const [{ width, height }, setSize] = useState({ width: 0, height: 0 });
  const [offset, setOffset] = useState(0);
  const position = useRef<RowPosition>({ offset: 0, scrollTop: 0 });
  const viewport = Math.max(0, height - head);
  const geometry = useMemo(() => ({ rows, rowHeight, viewport }), [rows, rowHeight, viewport]);
  const latest = useRef({ geometry, onHand });
  latest.current = { geometry, onHand };

  const scrollTo = useCallback((wanted: number): void => {
    const { geometry: now } = latest.current;
    const next = clampOffset(now, wanted);
    const element = scroller.current;
    if (element) {
      element.scrollTop = scrollTopOf(now, next);
      // The browser rounds what it is given.
      position.current = { offset: next, scrollTop: element.scrollTop };
    }
    setOffset(next);
  }, []);

  useEffect(() => {
    const element = scroller.current;
    if (!element) {
      return;
    }
    let cancel: (() => void) | undefined;
    const scroll = (): void => {
      const { scrollTop } = element;
      if (Math.abs(scrollTop - position.current.scrollTop) < 0.5) {
        return;
      }
      position.current = scrolled(latest.current.geometry, position.current, scrollTop);
      setOffset(position.current.offset);
      latest.current.onHand?.();
      cancel?.();
      cancel = afterRest(REST_MS, () => scrollTo(position.current.offset));
    };
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }));
    observer.observe(element);
    element.addEventListener('scroll', scroll, { passive: true });
    return () => {
      cancel?.();
      observer.disconnect();
      element.removeEventListener('scroll', scroll);
    };
  }, [scrollTo]);

  // With more rows or a lower pane, the rows stay where they are, as far as possible.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the geometry is what changed.
  useLayoutEffect(() => scrollTo(position.current.offset), [geometry, scrollTo]);

  return { scroller, geometry, width, offset: Math.min(offset, clampOffset(geometry, offset)), scrollTo };
}
