/** The tables of a time range: commands, tasks, CPUs. Only the visible one is asked for. */
import { type ReactNode, useMemo, useRef } from 'react';
import { formatCount } from '../../base/format';
import type { TimeWindow } from '../../base/units';
import { Segmented } from '../../components/Segmented';
import { type Column, Table } from '../../components/Table';
import type { CommandRow, Summary } from '../../engine/protocol';
import { goTo, selectAt } from '../../page/navigate';
import type { Page } from '../../page/page';
import { type CpuRow, closed, cpuRows, type TaskRow, taskRows } from '../../page/stats/rows';
import { sameTask, type TaskKey, withTasks } from '../../state/tasks';
import { clockOf } from '../../state/traces';
import type { RangeTable } from '../../state/viewState';
import { usePage, useView } from '../context';
import { useSwatches } from '../swatches';
import { useOrigin } from '../useOrigin';
import { type QueryState, useQuery } from '../useQuery';
import { CopyMenu } from './CopyMenu';
import { commandColumns } from './commandColumns';
import { cpuColumns } from './cpuColumns';
import { withDoubt } from './numberColumn';
import { useStolen, withStolen } from './stolen';
import { taskColumns } from './taskColumns';
import './stats.css';

const TABLES: readonly { readonly value: RangeTable; readonly text: string }[] = [
  { value: 'commands', text: 'Commands' },
  { value: 'tasks', text: 'Tasks' },
  { value: 'cpus', text: 'CPUs' },
];

interface RangeTablesProps {
  readonly summary: Summary;
  readonly window: TimeWindow;
  /** What the window is, for the table's name, such as `selected range`. */
  readonly of: string;
}

export function RangeTables(props: RangeTablesProps): ReactNode {
  const { store } = usePage();
  const table = useView((view) => view.table);
  const choice = (
    <Segmented
      small
      label="Table of"
      options={TABLES}
      value={table}
      onChange={(chosen) => store.dispatch({ type: 'table', table: chosen })}
    />
  );
  switch (table) {
    case 'commands':
      return <Commands {...props} choice={choice} />;
    case 'tasks':
      return <Tasks {...props} choice={choice} />;
    case 'cpus':
      return <Cpus {...props} choice={choice} />;
  }
}

interface TableProps extends RangeTablesProps {
  readonly choice: ReactNode;
}

function Commands({ summary, window, of, choice }: TableProps): ReactNode {
  const page = usePage();
  const origin = useOrigin();
  const highlighted = useView((view) => view.highlighted);
  const clock = useMemo(() => clockOf(summary), [summary]);
  const swatchOf = useSwatches(summary);
  const within = closed(window, summary.span);
  const stolen = useStolen(within);
  const columns = useMemo(() => {
    const ids = new Map(summary.comms.map((comm, id) => [comm, id]));
    const columns = withDoubt(commandColumns(clock, origin, swatchOf, false), summary);
    return withStolen(columns, 'execution', clock, stolen?.comms, ({ comm }) => ids.get(comm));
  }, [clock, origin, swatchOf, stolen, summary]);
  const query = useQuery(page.engine, 'range/commands', { type: 'commands', window: within });
  return (
    <Framed<CommandRow>
      {...{ summary, window, choice, columns, query }}
      what="commands"
      label={`Commands of the ${of}`}
      rows={query.answer?.rows ?? NONE}
      keyOf={(row) => row.comm}
      sortedBy="execution"
      isSelected={(row) => highlighted.includes(row.comm)}
      onPick={(row) => page.store.dispatch({ type: 'toggleHighlight', comm: row.comm })}
      onOpen={(row) => page.store.dispatch({ type: 'targetCommand', comm: row.comm })}
      onHover={(row) => page.hover.set({ comm: row?.comm ?? null })}
      empty={`No commands in the ${of}.`}
      hint="Click: highlight the command. Double click: make it the target."
    />
  );
}

function Tasks({ summary, window, of, choice }: TableProps): ReactNode {
  const page = usePage();
  const highlighted = useView((view) => view.highlighted);
  const lanes = useView((view) => view.tasks.tasks);
  const clock = useMemo(() => clockOf(summary), [summary]);
  const swatchOf = useSwatches(summary);
  const within = closed(window, summary.span);
  const stolen = useStolen(within);
  const query = useQuery(page.engine, 'range/tasks', { type: 'task_table', window: within });
  const values = query.answer?.values;
  const rows = useMemo(() => (values ? taskRows(values, summary) : NONE), [values, summary]);
  const throttled = rows.some((row) => row.throttled_ns > 0);
  const columns = useMemo(
    () =>
      withStolen(
        withDoubt(taskColumns(clock, swatchOf, throttled), summary),
        'execution',
        clock,
        stolen?.tasks,
        ({ task }) => task,
      ),
    [clock, swatchOf, throttled, stolen, summary],
  );
  return (
    <Framed<TaskRow>
      {...{ summary, window, choice, columns, query, rows }}
      what="tasks"
      label={`Tasks of the ${of}`}
      keyOf={(row) => `${row.task}`}
      sortedBy="execution"
      isSelected={(row) => lanes.some((lane) => sameTask(lane, row))}
      isDimmed={(row) => highlighted.length > 0 && !highlighted.includes(row.comm)}
      onPick={(row) => page.store.dispatch({ type: 'toggleHighlight', comm: row.comm })}
      onOpen={(row) => toggleLane(page, row)}
      onHover={(row) => page.hover.set({ comm: row?.comm ?? null })}
      empty="Nothing happens to any task here."
      hint="Click: highlight the task’s command. Double click: a lane for the task."
    />
  );
}

function Cpus({ summary, window, of, choice }: TableProps): ReactNode {
  const page = usePage();
  const selected = useView((view) => view.selection?.cpu ?? null);
  const clock = useMemo(() => clockOf(summary), [summary]);
  const within = closed(window, summary.span);
  const stolen = useStolen(within);
  const columns = useMemo(
    () => withStolen(cpuColumns(clock), 'busy', clock, stolen?.cpus, ({ cpu }) => cpu),
    [clock, stolen],
  );
  const query = useQuery(page.engine, 'range/cpus', { type: 'cpu_table', window: within });
  const values = query.answer?.values;
  const rows = useMemo(() => (values ? cpuRows(values) : NONE), [values]);
  return (
    <Framed<CpuRow>
      {...{ summary, window, choice, columns, query, rows }}
      what="CPUs"
      label={`CPUs of the ${of}`}
      keyOf={(row) => `${row.cpu}`}
      sortedBy="cpu"
      isSelected={(row) => row.cpu === selected}
      onPick={(row) => void selectAt(page, row.cpu, window.start)}
      onOpen={(row) => void goTo(page, row.cpu, window.start)}
      empty="This trace has no CPU."
      hint="Click: select what the CPU does at the beginning. Double click: go there."
    />
  );
}

/** A constant, because every other empty list would count as a change. */
const NONE: readonly never[] = [];

interface FramedProps<Row> {
  readonly summary: Summary;
  readonly window: TimeWindow;
  readonly choice: ReactNode;
  readonly columns: readonly Column<Row>[];
  readonly query: QueryState<unknown>;
  readonly rows: readonly Row[];
  readonly what: string;
  readonly label: string;
  readonly sortedBy: string;
  readonly keyOf: (row: Row) => string;
  readonly isSelected: (row: Row) => boolean;
  readonly isDimmed?: (row: Row) => boolean;
  readonly onPick: (row: Row) => void;
  readonly onOpen: (row: Row) => void;
  readonly onHover?: (row: Row | null) => void;
  readonly empty: string;
  readonly hint: string;
}

/** A table below its head, which has the choice of the table, the number of rows, and ways to copy them. */
function Framed<Row>(props: FramedProps<Row>): ReactNode {
  const { summary, window, choice, columns, query, rows, what, sortedBy, empty, hint, ...table } = props;
  const listed = useRef<readonly Row[]>([]);
  return (
    <section className="range-table" aria-busy={query.pending}>
      <header className="range-table-head">
        {choice}
        <span className="muted">{formatCount(rows.length)}</span>
        <span className="spacer" />
        <CopyMenu summary={summary} what={what} columns={columns} rows={listed} window={window} />
      </header>
      <Table<Row>
        {...table}
        columns={columns}
        rows={rows}
        initialSort={{ column: sortedBy, descending: sortedBy !== 'cpu' }}
        listed={listed}
        busy={query.pending}
        empty={query.error?.what ?? (query.answer === null ? 'Counting…' : empty)}
      />
      <p className="hint small">{hint}</p>
    </section>
  );
}

/** Gives the task a lane, or removes its lane. */
function toggleLane({ store }: Page, { pid, generation }: TaskKey): void {
  const { tasks } = store.getState();
  const task = { pid, generation };
  const others = tasks.tasks.filter((other) => !sameTask(other, task));
  const change = others.length < tasks.tasks.length ? { tasks: others } : withTasks(tasks, [task]);
  store.dispatch({ type: 'tasks', change });
}
