// biome-ignore-all lint/a11y/useSemanticElements: rows out of sight are not in the document, so the roles tell what a <table> would.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active row.
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { fitting } from './tableColumns';
import { nextSort, type Sort, sorted } from './tableSort';
import type { CopiedColumn } from './tableText';
import './table.css';

export interface Column<Row> extends CopiedColumn<Row> {
  readonly id: string;
  readonly title: string;
  /** Least width in CSS pixels. */
  readonly width: number;
  /** Takes its share of the width that is left. */
  readonly grows?: boolean;
  /** Left out where there is no room for it; the last such column goes first. */
  readonly optional?: boolean;
  readonly cell: (row: Row) => ReactNode;
  readonly sortBy: (row: Row) => number | string;
}

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly initialSort: Sort;
  readonly isSelected: (row: Row) => boolean;
  /** Rows that are shown, but stand back. */
  readonly isDimmed?: (row: Row) => boolean;
  /** A click, or Space on the row. */
  readonly onPick: (row: Row) => void;
  /** A double click, or Enter on the row. */
  readonly onOpen: (row: Row) => void;
  readonly onHover?: (row: Row | null) => void;
  /** Said in place of rows when there are none. */
  readonly empty: string;
  /** Newer rows are on their way. */
  readonly busy: boolean;
  /** Where to put the rows, in the order in which they are listed, for copying. */
  readonly listed?: RefObject<readonly Row[]>;
}

const ROW_HEIGHT = 22;
const HEAD_HEIGHT = 24;
const SPARE_ROWS = 8;

/** A sortable table of any length: only the rows in sight are in the document. Arrow keys move between rows. */
export function Table<Row>(props: TableProps<Row>): ReactNode {
  const { keyOf } = props;
  const id = useId();
  const [sort, setSort] = useState(props.initialSort);
  const [active, setActive] = useState(0);
  const [viewport, setViewport] = useState({ top: 0, width: 0, height: 400 });
  const scroller = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const element = scroller.current;
    if (!element) {
      return;
    }
    const measure = (): void =>
      setViewport({
        top: element.scrollTop,
        width: element.clientWidth,
        height: Math.max(0, element.clientHeight - HEAD_HEIGHT),
      });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, []);

  const columns = viewport.width > 0 ? fitting(props.columns, viewport.width) : props.columns;
  const column = props.columns.find((candidate) => candidate.id === sort.column) ?? columns[0];
  const rows = column ? sorted(props.rows, column.sortBy, sort.descending) : props.rows;
  useEffect(() => {
    if (props.listed) props.listed.current = rows;
  });
  const current = Math.min(active, Math.max(0, rows.length - 1));
  const first = Math.max(0, Math.floor(viewport.top / ROW_HEIGHT) - SPARE_ROWS);
  const end = Math.min(rows.length, Math.ceil((viewport.top + viewport.height) / ROW_HEIGHT) + SPARE_ROWS);

  const press = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor(viewport.height / ROW_HEIGHT) - 2);
    const step = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -rows.length, End: rows.length }[
      event.key
    ];
    const row = rows[current];
    // Enter and Space on a column's head sort.
    if (event.target !== event.currentTarget || event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    const { scrollWidth = 0, clientWidth = 0 } = scroller.current ?? {};
    if ((event.key === 'ArrowLeft' || event.key === 'ArrowRight') && scrollWidth > clientWidth) {
      // The browser scrolls it.
      event.stopPropagation();
      return;
    }
    if (step !== undefined) {
      const next = Math.min(Math.max(0, current + step), Math.max(0, rows.length - 1));
      setActive(next);
      scrollIntoSight(scroller.current, next);
    } else if (event.key === ' ' && row !== undefined) {
      props.onPick(row);
    } else if (event.key === 'Enter' && row !== undefined) {
      props.onOpen(row);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  const style = {
    '--columns': columns.map(({ width, grows }) => (grows ? `minmax(${width}px, 1fr)` : `${width}px`)).join(' '),
    '--least-width': `${columns.reduce((sum, { width }) => sum + width, 0)}px`,
  } as CSSProperties;
  return (
    <div
      ref={scroller}
      className="table"
      role="grid"
      aria-label={props.label}
      aria-busy={props.busy}
      aria-rowcount={rows.length + 1}
      aria-activedescendant={rows.length > 0 ? `${id}-${current}` : undefined}
      tabIndex={0}
      onKeyDown={press}
      style={style}
    >
      <div className="table-head" role="row" aria-rowindex={1}>
        {columns.map(({ id: name, text, title, numeric }) => (
          <div
            key={name}
            role="columnheader"
            className={numeric ? 'cell numeric' : 'cell'}
            aria-sort={sort.column !== name ? 'none' : sort.descending ? 'descending' : 'ascending'}
          >
            <button type="button" title={title} onClick={() => setSort(nextSort(sort, name, numeric ?? false))}>
              {text}
            </button>
          </div>
        ))}
      </div>
      <div className="table-body" role="rowgroup" onPointerLeave={() => props.onHover?.(null)}>
        <div style={{ height: rows.length * ROW_HEIGHT }} />
        {rows.slice(first, end).map((row, offset) => {
          const index = first + offset;
          const names = ['row', index === current && 'active', props.isDimmed?.(row) && 'dimmed'];
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the body, which has the focus.
            <div
              key={keyOf(row)}
              id={`${id}-${index}`}
              role="row"
              className={names.filter(Boolean).join(' ')}
              style={{ transform: `translateY(${index * ROW_HEIGHT}px)` }}
              aria-rowindex={index + 2}
              aria-selected={props.isSelected(row)}
              onClick={(event) => {
                setActive(index);
                // The second click of a double click is no further pick.
                if (event.detail < 2) {
                  props.onPick(row);
                }
              }}
              onDoubleClick={() => props.onOpen(row)}
              onPointerEnter={() => props.onHover?.(row)}
            >
              {columns.map(({ id: name, numeric, cell }) => (
                <div key={name} role="gridcell" className={numeric ? 'cell numeric' : 'cell'}>
                  {cell(row)}
                </div>
              ))}
            </div>
          );
        })}
        {rows.length === 0 && <p className="table-empty">{props.empty}</p>}
      </div>
    </div>
  );
}

function scrollIntoSight(element: HTMLElement | null, index: number): void {
  if (!element) {
    return;
  }
  const top = index * ROW_HEIGHT;
  if (top < element.scrollTop) {
    element.scrollTop = top;
  } else if (HEAD_HEIGHT + top + ROW_HEIGHT > element.scrollTop + element.clientHeight) {
    element.scrollTop = HEAD_HEIGHT + top + ROW_HEIGHT - element.clientHeight;
  }
}
