// biome-ignore-all lint/a11y/useSemanticElements: rows out of sight are not in the document, so the roles tell what a <table> would.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active row.
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react';
import type { TraceClock } from '../../base/traceTime';
import type { Ns } from '../../base/units';
import { elementHeight, offsetToShow, visibleRows } from '../../components/rowScroll';
import { useRowScroll } from '../../components/useRowScroll';
import type { EventRow } from '../../engine/protocol';
import type { EventList, EventListState, Target } from '../../page/events/eventList';
import { hoverLine } from '../../page/events/hoverLine';
import { type RowRange, rangeTo, rowAfterKey, rowsOf } from '../../page/events/rowRange';
import type { EventMark } from '../../state/events';
import { usePage } from '../context';
import { EventRowView } from './EventRowView';

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

interface EventsGridProps {
  readonly list: EventList;
  readonly state: EventListState;
  readonly clock: TraceClock;
  readonly origin: Ns;
  readonly absoluteTime: boolean;
  readonly swatchOf: (pid: number, comm: string) => string | null;
  readonly marks: readonly EventMark[];
  /** What was searched for; empty for nothing. */
  readonly hit: string;
  readonly range: RowRange | null;
  readonly setRange: (range: RowRange | null) => void;
  readonly controls: { current: GridControls | null };
  /** A click, or Enter. */
  readonly onOpen: (row: EventRow) => void;
  readonly onMark: (row: EventRow) => void;
  readonly onCopy: () => void;
  readonly onTimeFormat: () => void;
  /** Said in place of rows when there are none. */
  readonly empty: string;
}

/** The page's keys focus it. */
export const GRID_ID = 'events-grid';
const ROW_HEIGHT = 20;
/** Rows above and below what is visible that are asked for ahead. */
const AHEAD = 40;

/** The rows in sight of a list of any length. Arrow keys move, Shift extends, Enter goes there on the lanes. */
export function EventsGrid(props: EventsGridProps): ReactNode {
  const { list, state, range, setRange, clock } = props;
  const { hover } = usePage();
  const id = useId();
  const grid = useRef<HTMLDivElement>(null);
  const line = useRef<HTMLDivElement>(null);
  /** Where the pointer is over the rows. */
  const pointedY = useRef<number | null>(null);
  const { scroller, geometry, offset, scrollTo } = useRowScroll(state.total, ROW_HEIGHT, () => list.movedByHand());
  const { first, end } = visibleRows(geometry, offset);
  const shift = first * ROW_HEIGHT - offset;

  useEffect(() => list.want(Math.max(0, first - AHEAD), end + AHEAD), [list, first, end]);

  const goTo = (row: number, extend = false): void => {
    setRange(rangeTo(range, row, extend));
    list.movedByHand();
    scrollTo(offsetToShow(geometry, offset, row));
  };

  const keepInSight = (): void => {
    if (range && range.active >= first && range.active < end + 8) {
      scrollTo(offsetToShow(geometry, offset, range.active));
    }
  };

  useLayoutEffect(() => {
    props.controls.current = {
      goTo: (row) => {
        setRange(rangeTo(null, row, false));
        list.movedByHand();
        const isVisible = row >= first && row < end - 1;
        scrollTo(isVisible ? offsetToShow(geometry, offset, row) : row * ROW_HEIGHT - geometry.viewport / 3);
      },
      anchor: () => {
        const active = range && range.active >= first && range.active < end ? state.rows.get(range.active) : undefined;
        const row = active ?? state.rows.get(first);
        return row ? { place: row, below: row.row * ROW_HEIGHT - offset, isCurrent: row === active } : null;
      },
      searchFrom: (direction) => {
        const isVisible = range && range.active >= first && range.active < end;
        return isVisible ? range.active : direction > 0 ? first - 1 : end;
      },
      focus: () => grid.current?.focus(),
      keepInSight,
    };
  });

  // A scroll that the list asks for. In a layout effect: the rows of another list are never seen at the old place.
  const { placement } = state;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each placement is obeyed once, when it comes.
  useLayoutEffect(() => {
    if (placement) {
      const { row, below, isCurrent } = placement;
      const isVisible = row >= first && row < end - 1;
      const wanted = below ?? (isVisible ? row * ROW_HEIGHT - offset : geometry.viewport / 3);
      scrollTo(row * ROW_HEIGHT - wanted);
      setRange(isCurrent ? { active: row, anchor: row } : null);
    }
  }, [placement]);

  // Also said by the text of the current row: heights that change and change back between two frames are not observed,
  // but the browser has scrolled for them.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another height moves the rows.
  useLayoutEffect(keepInSight, [geometry.viewport]);

  // The hovered instant, without React.
  useLayoutEffect(() => {
    const draw = (): void => {
      const { at } = hover.get();
      // Over the list the row below the pointer says it already.
      const y = at === null || pointedY.current !== null ? null : hoverLine(state.rows, first, end, at);
      if (line.current) {
        line.current.style.visibility = y === null ? 'hidden' : 'visible';
        line.current.style.transform = `translateY(${y === null ? 0 : (y - first) * ROW_HEIGHT + shift}px)`;
      }
    };
    draw();
    return hover.subscribe(draw);
  }, [hover, state, first, end, shift]);

  const press = (event: KeyboardEvent): void => {
    if (event.altKey) {
      return;
    }
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() === 'c' && range && getSelection()?.isCollapsed !== false) {
        event.preventDefault();
        props.onCopy();
      }
      return;
    }
    const page = Math.max(1, Math.floor(geometry.viewport / ROW_HEIGHT) - 1);
    const target = rowAfterKey(event.key, range?.active ?? null, state.total, page, Math.ceil(offset / ROW_HEIGHT));
    const current = range ? state.rows.get(range.active) : undefined;
    if (target !== null) {
      goTo(target, event.shiftKey);
    } else if (event.key === 'Enter' && current) {
      props.onOpen(current);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  const click = (event: MouseEvent): void => {
    const index = Number((event.target as Element).closest<HTMLElement>('[data-row]')?.dataset.row ?? Number.NaN);
    const row = state.rows.get(index);
    if (Number.isNaN(index)) {
      return;
    }
    if ((event.target as Element).closest('.pin') && row) {
      props.onMark(row);
      return;
    }
    setRange(rangeTo(range, index, event.shiftKey));
    if (row && !event.shiftKey) {
      props.onOpen(row);
    }
  };

  const point = (clientY: number): void => {
    const top = scroller.current?.getBoundingClientRect().top ?? 0;
    const row = state.rows.get(Math.floor((offset + clientY - top) / ROW_HEIGHT));
    hover.set({ at: row?.at ?? null, cpu: row?.cpu ?? null, interval: null });
  };
  // Rows move below a pointer that rests.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the rows have moved.
  useLayoutEffect(() => {
    if (pointedY.current !== null) {
      point(pointedY.current);
    }
  }, [offset, state.rows]);
  const leave = (): void => {
    pointedY.current = null;
    hover.set({ at: null, cpu: null });
  };

  const chosen = range ? rowsOf(range) : { first: -1, end: -1 };
  const indices = Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
  const isActiveShown = range !== null && range.active >= first && range.active < end;
  return (
    <div
      ref={grid}
      id={GRID_ID}
      className={props.absoluteTime || !clock.isNs ? 'events-grid absolute' : 'events-grid'}
      role="grid"
      aria-label="Events"
      aria-multiselectable="true"
      aria-busy={state.pending || !state.complete}
      aria-rowcount={state.complete ? state.total + 1 : -1}
      aria-activedescendant={isActiveShown ? `${id}-${range.active}` : undefined}
      tabIndex={0}
      onKeyDown={press}
    >
      <div className="events-head events-row" role="row" aria-rowindex={1}>
        <div role="columnheader" className="numeric">
          <button
            type="button"
            title={
              props.absoluteTime
                ? 'Absolute trace time, as trace-cmd prints it. Click: from time 0 of the axis'
                : 'From time 0 of the axis. Click: absolute trace time, as trace-cmd prints it'
            }
            onClick={props.onTimeFormat}
          >
            {props.absoluteTime ? 'Trace time' : 'Time'}, {clock.isNs ? 's' : 'ticks'}
          </button>
        </div>
        <div role="columnheader" className="numeric" title="Time since the row before">
          Since last
        </div>
        <div role="columnheader" className="numeric">
          CPU
        </div>
        <div role="columnheader" title="The task that the event happened in">
          Task
        </div>
        <div role="columnheader">Event</div>
        <div role="columnheader">Text</div>
        <div role="columnheader">
          <span className="visually-hidden">Mark</span>
        </div>
      </div>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keys. */}
      <div
        ref={scroller}
        className="events-body"
        role="rowgroup"
        onClick={click}
        onPointerMove={(event) => {
          pointedY.current = event.clientY;
          point(event.clientY);
        }}
        onPointerLeave={leave}
      >
        <div style={{ height: elementHeight(geometry) }}>
          <div className="events-port" style={{ height: Math.min(geometry.viewport, elementHeight(geometry)) }}>
            <div role="presentation" style={{ transform: `translateY(${shift}px)` }}>
              {indices.map((index) => {
                const row = state.rows.get(index);
                return (
                  <EventRowView
                    key={index}
                    id={`${id}-${index}`}
                    index={index}
                    row={row}
                    before={state.rows.get(index - 1)?.at ?? null}
                    clock={clock}
                    origin={props.origin}
                    absoluteTime={props.absoluteTime}
                    swatch={row ? props.swatchOf(row.pid, row.comm) : null}
                    hit={props.hit}
                    isActive={index === range?.active}
                    isSelected={index >= chosen.first && index < chosen.end}
                    isMarked={row !== undefined && props.marks.some(({ cpu, at }) => cpu === row.cpu && at === row.at)}
                  />
                );
              })}
            </div>
            <div ref={line} className="events-hover" aria-hidden="true" />
          </div>
        </div>
        {state.total === 0 && <p className="table-empty">{props.empty}</p>}
      </div>
    </div>
  );
}
