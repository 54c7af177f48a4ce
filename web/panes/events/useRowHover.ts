/** Shows the hovered instant among the rows, and hovers the pointed row on the lanes; without React where possible. */
import { type PointerEvent, type RefObject, useLayoutEffect, useRef } from 'react';
import type { RowScroll } from '../../components/useRowScroll';
import type { EventListState } from '../../page/events/eventList';
import { hoverLine } from '../../page/events/hoverLine';
import { usePage } from '../context';

export interface RowHover {
  /** The line at an instant that is hovered elsewhere. */
  readonly line: RefObject<HTMLDivElement | null>;
  readonly onPointerMove: (event: PointerEvent) => void;
  readonly onPointerLeave: () => void;
}

/** `first`, `end`: the rows in sight. */
export function useRowHover(state: EventListState, scroll: RowScroll, first: number, end: number): RowHover {
  const { hover } = usePage();
  const { scroller, geometry, offset } = scroll;
  const { rowHeight } = geometry;
  const line = useRef<HTMLDivElement>(null);
  /** The pointer's y while it is over the rows. */
  const pointedY = useRef<number | null>(null);

  useLayoutEffect(() => {
    const draw = (): void => {
      const { at } = hover.get();
      // While the pointer is over the list, the row below it shows the instant already.
      const y = at === null || pointedY.current !== null ? null : hoverLine(state.rows, first, end, at);
      if (line.current) {
        line.current.style.visibility = y === null ? 'hidden' : 'visible';
        line.current.style.transform = `translateY(${y === null ? 0 : y * rowHeight - offset}px)`;
      }
    };
    draw();
    return hover.subscribe(draw);
  }, [hover, state, first, end, offset, rowHeight]);

  const point = (clientY: number): void => {
    const top = scroller.current?.getBoundingClientRect().top ?? 0;
    const row = state.rows.get(Math.floor((offset + clientY - top) / rowHeight));
    hover.set({ at: row?.at ?? null, cpu: row?.cpu ?? null, interval: null });
  };
  // Rows may move below a pointer that rests.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the rows have moved.
  useLayoutEffect(() => {
    if (pointedY.current !== null) {
      point(pointedY.current);
    }
  }, [offset, state.rows]);

  return {
    line,
    onPointerMove: (event) => {
      pointedY.current = event.clientY;
      point(event.clientY);
    },
    onPointerLeave: () => {
      pointedY.current = null;
      hover.set({ at: null, cpu: null });
    },
  };
}
