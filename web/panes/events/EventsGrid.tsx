// biome-ignore-all lint/a11y/useSemanticElements: rows out of sight are not in the document, so the roles tell what a <table> would.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active row.
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import type { TraceClock } from '../../base/traceTime';
import type { Ns } from '../../base/units';
import { elementHeight, offsetToShow, rowAfterKey, visibleRows } from '../../components/rowScroll';
import { useRowScroll } from '../../components/useRowScroll';
import type { EventRow } from '../../engine/protocol';
import type { EventList, EventListState } from '../../page/events/eventList';
import { type RowRange, rangeTo, rowsOf } from '../../page/events/rowRange';
import type { EventMark } from '../../state/events';
import { EventRowView } from './EventRowView';
import { EventsHead } from './EventsHead';
import { GRID_ID } from './ids';
import { type GridControls, useGridControls } from './useGridControls';
import { useRowHover } from './useRowHover';

interface EventsGridProps {
  readonly list: EventList;
  readonly state: EventListState;
  readonly clock: TraceClock;
  readonly origin: Ns;
  readonly absoluteTime: boolean;
  readonly swatchOf: (pid: number, comm: string) => string | null;
  readonly marks: readonly EventMark[];
  /** The text that was searched for; empty for none. */
  readonly hit: string;
  readonly range: RowRange | null;
  readonly setRange: (range: RowRange | null) => void;
  readonly controls: { current: GridControls | null };
  /** Called for a click, or Enter. */
  readonly onOpen: (row: EventRow) => void;
  readonly onMark: (row: EventRow) => void;
  readonly onCopy: () => void;
  readonly onTimeFormat: () => void;
  /** The text in place of rows when there are none. */
  readonly empty: string;
}
const ROW_HEIGHT = 20;
/** How many rows above and below the visible ones are asked for ahead. */
const AHEAD = 40;

/** The rows in sight of a list of any length. Arrow keys move, Shift extends, Enter goes there on the lanes. */
export function EventsGrid(props: EventsGridProps): ReactNode {
  const { list, state, range, setRange, clock, controls } = props;
  const id = useId();
  const grid = useRef<HTMLDivElement>(null);
  const scroll = useRowScroll({ rows: state.total, rowHeight: ROW_HEIGHT, onHand: () => list.movedByHand() });
  const { scroller, geometry, offset } = scroll;
  const { first, end } = visibleRows(geometry, offset);
  useEffect(() => list.want(Math.max(0, first - AHEAD), end + AHEAD), [list, first, end]);
  useGridControls({ list, state, scroll, first, end, range, setRange, focus: () => grid.current?.focus(), controls });
  const { line, onPointerMove, onPointerLeave } = useRowHover(state, scroll, first, end);

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
      setRange(rangeTo(range, target, event.shiftKey));
      list.movedByHand();
      scroll.scrollTo(offsetToShow(geometry, offset, target));
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

  const isActiveShown = range !== null && range.active >= first && range.active < end;
  return (
    <div
      ref={grid}
      id={GRID_ID}
      className={props.absoluteTime || !clock.isNs ? 'events-grid absolute' : 'events-grid'}
      role="grid"
      aria-label="Events"
      aria-multiselectable="true"
      aria-busy={state.pending || (!state.complete && state.error === null)}
      aria-rowcount={state.complete ? state.total + 1 : -1}
      aria-activedescendant={isActiveShown ? `${id}-${range.active}` : undefined}
      tabIndex={0}
      onKeyDown={press}
    >
      <EventsHead isNs={clock.isNs} absoluteTime={props.absoluteTime} onTimeFormat={props.onTimeFormat} />
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keys. */}
      <div
        ref={scroller}
        className="events-body"
        role="rowgroup"
        onClick={click}
        onPointerMove={onPointerMove}
        onPointerLeave={onPointerLeave}
      >
        <div style={{ height: elementHeight(geometry) }}>
          <div className="events-port" style={{ height: Math.min(geometry.viewport, elementHeight(geometry)) }}>
            <div role="presentation" style={{ transform: `translateY(${first * ROW_HEIGHT - offset}px)` }}>
              <EventRows {...props} id={id} first={first} end={end} />
            </div>
            <div ref={line} className="events-hover" aria-hidden="true" />
          </div>
        </div>
        {state.total === 0 && <p className="table-empty">{props.empty}</p>}
      </div>
    </div>
  );
}

interface EventRowsProps extends EventsGridProps {
  readonly id: string;
  readonly first: number;
  readonly end: number;
}

function EventRows({ state, range, clock, id, first, end, ...props }: EventRowsProps): ReactNode {
  const chosen = range ? rowsOf(range) : { first: -1, end: -1 };
  const indices = Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
  return indices.map((index) => {
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
  });
}
