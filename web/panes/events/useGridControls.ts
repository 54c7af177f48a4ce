/** How the pane scrolls the list, and how the list scrolls itself. */
import { useLayoutEffect } from 'react';
import { offsetToShow } from '../../components/rowScroll';
import type { RowScroll } from '../../components/useRowScroll';
import type { EventList, EventListState, Target } from '../../page/events/eventList';
import { type RowRange, rangeTo } from '../../page/events/rowRange';

/** What the pane can ask of the grid. */
export interface GridControls {
  /** Makes a row the current one and scrolls to it. */
  readonly goTo: (row: number) => void;
  /** The current row, else the top one, with its position, so that another list can be put at the same place. */
  readonly anchor: () => Target | null;
  /** The row from which a search continues. */
  readonly searchFrom: (direction: -1 | 1) => number;
  readonly focus: () => void;
  /** Called when the height of the pane has changed: the current row, if it was in sight, stays in sight. */
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

/** Fills `controls`, and carries out the placements that the list asks for. */
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

  // In a layout effect, so that the rows of another list are never seen at the old place.
  const { placement } = state;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each placement is carried out once, when it arrives.
  useLayoutEffect(() => {
    if (placement) {
      const { row, below, isCurrent } = placement;
      const wanted = below ?? (isWhole(row) ? row * rowHeight - offset : geometry.viewport / 3);
      scrollTo(row * rowHeight - wanted);
      setRange(isCurrent ? { active: row, anchor: row } : null);
    }
  }, [placement]);

  // The text of the current row calls this too: a height that changes and changes back between two frames is not
  // observed, but the browser has scrolled for it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another height moves the rows.
  useLayoutEffect(keepInSight, [geometry.viewport]);
}
