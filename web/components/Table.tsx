// biome-ignore-all lint/a11y/useSemanticElements: rows out of sight are not in the document, so the roles tell what a <table> would.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active row.
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useMemo,
  useState,
} from 'react';
import { elementHeight, offsetToShow, rowAfterKey, scrollTopOf, visibleRows } from './rowScroll';
import { fitting, widened } from './tableColumns';
import { nextSort, type Sort, sorted } from './tableSort';
import type { CopiedColumn } from './tableText';
import { useRowScroll } from './useRowScroll';
import './table.css';

export interface Column<Row> extends CopiedColumn<Row> {
  readonly id: string;
  readonly title: string;
  /** Least width in CSS pixels. */
  readonly width: number;
  /** Whether the column gets a share of the remaining width. */
  readonly grows?: boolean;
  /** Whether the column is left out where there is no room for it; the last such column goes first. */
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
  /** Whether a row is shown less prominently. */
  readonly isDimmed?: (row: Row) => boolean;
  /** Called for a click, or Space, on a row. */
  readonly onPick: (row: Row) => void;
  /** Called for a double click, or Enter, on a row. */
  readonly onOpen: (row: Row) => void;
  readonly onHover?: (row: Row | null) => void;
  /** The text in place of rows when there are none. */
  readonly empty: string;
  /** Whether newer rows are on their way. */
  readonly busy: boolean;
  /** Receives the rows in the order in which they are listed, for copying. */
  readonly listed?: RefObject<readonly Row[]>;
}

const ROW_HEIGHT = 22;
const HEAD_HEIGHT = 24;
const SPARE_ROWS = 8;

/** A sortable table of any length: only the rows in sight are in the document. Arrow keys move between rows. */
export function Table<Row>(props: TableProps<Row>): ReactNode {
  const id = useId();
  const [sort, setSort] = useState(props.initialSort);
  const [active, setActive] = useState(0);
  const { scroller, geometry, width, offset, scrollTo } = useRowScroll({
    rows: props.rows.length,
    rowHeight: ROW_HEIGHT,
    head: HEAD_HEIGHT,
  });
  const column = props.columns.find((candidate) => candidate.id === sort.column) ?? props.columns[0];
  const rows = column ? sorted(props.rows, column.sortBy, sort.descending) : props.rows;
  useEffect(() => {
    if (props.listed) props.listed.current = rows;
  });
  const current = Math.min(active, Math.max(0, rows.length - 1));
  const visible = visibleRows(geometry, offset);
  const first = Math.max(0, visible.first - SPARE_ROWS);
  const shown = rows.slice(first, visible.end + SPARE_ROWS);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other columns have other texts.
  const widest = useMemo(() => new Map<string, number>(), [props.columns]);
  const wide = widened(props.columns, shown, widest);
  const columns = width > 0 ? fitting(wide, width) : wide;
  /**
   * The difference between a row's place among all rows and its place in the element: 0 unless there are more rows than
   * an element can be high.
   */
  const shift = scrollTopOf(geometry, offset) - offset;

  const press = (event: KeyboardEvent): void => {
    // Enter and Space on a column's head sort the table.
    if (event.target !== event.currentTarget || event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    const { scrollWidth = 0, clientWidth = 0 } = scroller.current ?? {};
    if ((event.key === 'ArrowLeft' || event.key === 'ArrowRight') && scrollWidth > clientWidth) {
      // The browser scrolls.
      event.stopPropagation();
      return;
    }
    const page = Math.max(1, Math.floor(geometry.viewport / ROW_HEIGHT) - 2);
    const next = rowAfterKey(event.key, current, Math.max(1, rows.length), page, 0);
    const row = rows[current];
    if (next !== null) {
      setActive(next);
      scrollTo(offsetToShow(geometry, offset, next));
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
      style={widthsOf(columns)}
    >
      <TableHead columns={columns} sort={sort} onSort={setSort} />
      <div
        className="table-body"
        role={rows.length > 0 ? 'rowgroup' : undefined}
        onPointerLeave={() => props.onHover?.(null)}
      >
        <div style={{ height: elementHeight(geometry) }} />
        {shown.map((row, place) => {
          const index = first + place;
          return (
            <TableRow
              key={props.keyOf(row)}
              {...props}
              id={`${id}-${index}`}
              columns={columns}
              row={row}
              index={index}
              top={index * ROW_HEIGHT + shift}
              isActive={index === current}
              onActive={setActive}
            />
          );
        })}
        {rows.length === 0 && <p className="table-empty">{props.empty}</p>}
      </div>
    </div>
  );
}

const widthsOf = <Row,>(columns: readonly Column<Row>[]): CSSProperties =>
  ({
    '--columns': columns.map(({ width, grows }) => (grows ? `minmax(${width}px, 1fr)` : `${width}px`)).join(' '),
    '--least-width': `${columns.reduce((sum, { width }) => sum + width, 0)}px`,
  }) as CSSProperties;

interface TableHeadProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
}

function TableHead<Row>({ columns, sort, onSort }: TableHeadProps<Row>): ReactNode {
  return (
    <div className="table-head" role="row" aria-rowindex={1}>
      {columns.map(({ id, text, title, numeric }) => (
        <div
          key={id}
          role="columnheader"
          className={numeric ? 'cell numeric' : 'cell'}
          aria-sort={sort.column !== id ? 'none' : sort.descending ? 'descending' : 'ascending'}
        >
          <button type="button" title={title} onClick={() => onSort(nextSort(sort, id, numeric ?? false))}>
            {text}
          </button>
        </div>
      ))}
    </div>
  );
}

interface TableRowProps<Row>
  extends Pick<TableProps<Row>, 'columns' | 'isSelected' | 'isDimmed' | 'onPick' | 'onOpen' | 'onHover'> {
  readonly id: string;
  readonly row: Row;
  readonly index: number;
  /** CSS pixels from the top of the rows. */
  readonly top: number;
  readonly isActive: boolean;
  readonly onActive: (index: number) => void;
}

function TableRow<Row>(props: TableRowProps<Row>): ReactNode {
  const { row, index } = props;
  const names = ['row', props.isActive && 'active', props.isDimmed?.(row) && 'dimmed'];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the body, which has the focus.
    <div
      id={props.id}
      role="row"
      className={names.filter(Boolean).join(' ')}
      style={{ top: props.top }}
      aria-rowindex={index + 2}
      aria-selected={props.isSelected(row)}
      onClick={(event) => {
        props.onActive(index);
        // The second click of a double click does not pick the row again.
        if (event.detail < 2) {
          props.onPick(row);
        }
      }}
      onDoubleClick={() => props.onOpen(row)}
      onPointerEnter={() => props.onHover?.(row)}
    >
      {props.columns.map(({ id, numeric, cell }) => (
        <div key={id} role="gridcell" className={numeric ? 'cell numeric' : 'cell'}>
          {cell(row)}
        </div>
      ))}
    </div>
  );
}
