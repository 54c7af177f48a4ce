/** How the pane moves the list, and how the list moves itself. */
import { useLayoutEffect } from 'react';
import { offsetToShow } from '../../components/rowScroll';
import type { RowScroll } from '../../components/useRowScroll';
import type { EventList, EventListState, Target } from '../../page/events/eventList';
import { type RowRange, rangeTo } from '../../page/events/rowRange';

/** What the pane asks of the grid. */
export interface GridControls {
  /** Makes a row the current one, in sight. */
  readonly goTo: (row: number) => void;
  /** The current row, else the one at the top, where it is: so that another list can be put there too. */
  readonly anchor: () => Target | null;
  /** The row that a search goes on from. */
  readonly searchFrom: (direction: -1 | 1) => number;
  readonly focus: () => void;
  /** The pane got lower or higher: the current row, if it was in sight, stays there. */
  readonly keepInSight: () => void;
}

interface GridControlsOptions {
  readonly list: EventList;
  readonly state: EventListState;
  readonly scroll: RowScroll;
  /** Rows in sight, `[first, end)`. */
  readonly first: number;
  readonly end: number;
  readonly range: RowRange | null;
  readonly setRange: (range: RowRange | null) => void;
  readonly focus: () => void;
  readonly controls: { current: GridControls | null };
}

/** Fills `controls`, and obeys the placements that the list asks for. */
export function useGridControls(options: GridControlsOptions): void {
  const { list, state, scroll, first, end, range, setRange, focus, controls } = options;
  const { geometry, offset, scrollTo } = scroll;
  const { rowHeight } = geometry;
  const isActiveInSight = range !== null && range.active >= first && range.active < end;
  const isWhole = (row: number): boolean => row >= first && row < end - 1;

  const keepInSight = (): void => {
    if (range && range.active >= first && range.active < end + 8) {
      scrollTo(offsetToShow(geometry, offset, range.active));
    }
  };

  useLayoutEffect(() => {
    controls.current = {
      goTo: (row) => {
        setRange(rangeTo(null, row, false));
        list.movedByHand();
        scrollTo(isWhole(row) ? offsetToShow(geometry, offset, row) : row * rowHeight - geometry.viewport / 3);
      },
      anchor: () => {
        const active = isActiveInSight ? state.rows.get(range.active) : undefined;
        const row = active ?? state.rows.get(first);
        return row ? { place: row, below: row.row * rowHeight - offset, isCurrent: row === active } : null;
      },
      searchFrom: (direction) => (isActiveInSight ? range.active : direction > 0 ? first - 1 : end),
      focus,
      keepInSight,
    };
  });

  // A scroll that the list asks for. In a layout effect: the rows of another list are never seen at the old place.
  const { placement } = state;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each placement is obeyed once, when it comes.
  useLayoutEffect(() => {
    if (placement) {
      const { row, below, isCurrent } = placement;
      const wanted = below ?? (isWhole(row) ? row * rowHeight - offset : geometry.viewport / 3);
      scrollTo(row * rowHeight - wanted);
      setRange(isCurrent ? { active: row, anchor: row } : null);
    }
  }, [placement]);

  // Also said by the text of the current row: heights that change and change back between two frames are not observed,
  // but the browser has scrolled for them.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another height moves the rows.
  useLayoutEffect(keepInSight, [geometry.viewport]);
}
