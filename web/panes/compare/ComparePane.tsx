import { type ReactNode, useMemo, useRef, useState } from 'react';
import { formatCount, formatDuration, formatPercent } from '../../base/format';
import { ns, type TimeWindow } from '../../base/units';
import { Segmented } from '../../components/Segmented';
import { type Column, Table } from '../../components/Table';
import { useObservable } from '../../components/useObservable';
import type { EngineClient } from '../../engine/client';
import type { Summary, WindowStats } from '../../engine/protocol';
import {
  type Compared,
  type ComparedRow,
  comparedRows,
  foldKernelThreads,
  isStudied,
  namesApart,
  ratioInWords,
  type Studied,
  type StudiedRow,
  shiftInWords,
  studiedRows,
} from '../../page/compare/rows';
import { closed } from '../../page/stats/rows';
import type { Trace } from '../../page/traceList';
import { clockOf } from '../../state/traces';
import { usePage, useScene, useView } from '../context';
import { CopyMenu } from '../stats/CopyMenu';
import { NAME_WIDTH, Named, numberColumn } from '../stats/numberColumn';
import { useQuery } from '../useQuery';
import { useRestingWindow } from '../useRestingWindow';
import './compare.css';

const MEASURES: readonly { readonly value: Compared | Studied; readonly text: string; readonly title: string }[] = [
  { value: 'execution_ns', text: 'Execution', title: 'Total time on a CPU' },
  { value: 'waiting_ns', text: 'Waiting', title: 'Total time runnable and not on a CPU' },
  { value: 'switches_to', text: 'Switches', title: 'Context switches to the command' },
  { value: 'pids', text: 'PIDs', title: 'Number of tasks under this name' },
  {
    value: 'latency',
    text: 'Latency',
    title:
      'Median of wake-up latencies, from sched_waking (without one, sched_wakeup), and how sure their difference is',
  },
  { value: 'wait', text: 'Waits', title: 'Median of waits, and how sure their difference is' },
  { value: 'behind_ns', text: 'Behind', title: 'How long tasks queued behind others while some CPU was spare' },
  { value: 'migrations', text: 'Migrations', title: 'Migrations of tasks with this last name' },
];

/** A part of a trace, and who answers questions about it. */
interface Side {
  readonly engine: EngineClient;
  readonly summary: Summary;
  /** In the trace's own time; null: all of it. */
  readonly window: TimeWindow | null;
}

/** The first trace and one beside it, in numbers. */
export function ComparePane({ summary }: { readonly summary: Summary }): ReactNode {
  const page = usePage();
  const [, ...beside] = useObservable(page.traces);
  const open = beside.flatMap((trace) =>
    trace.session.kind === 'open' ? [{ trace, summary: trace.session.summary }] : [],
  );
  const [chosen, setChosen] = useState<number | null>(null);
  const [inWindow, setInWindow] = useState(false);
  const resting = useRestingWindow();
  const other = open.find(({ trace }) => trace.id === chosen) ?? open[0];
  if (!other) {
    return (
      <p className="hint">
        {beside.length > 0
          ? 'The other trace is still being opened.'
          : 'Drop another trace on the right half of the page, to see both on one time axis and their differences here.'}
      </p>
    );
  }
  const sides: readonly [Side, Side] = [
    { engine: page.engine, summary, window: inWindow ? ownWindow(resting, ns(0), summary) : null },
    {
      engine: other.trace.engine,
      summary: other.summary,
      window: inWindow ? ownWindow(resting, other.trace.offset, other.summary) : null,
    },
  ];
  return (
    <div className="compare">
      <div className="details-head">
        {open.length > 1 && (
          <select
            className="field small"
            aria-label="The other trace"
            value={other.trace.id}
            onChange={(event) => setChosen(Number(event.target.value))}
          >
            {open.map(({ trace, summary: { name } }) => (
              <option key={trace.id} value={trace.id}>
                {name}
              </option>
            ))}
          </select>
        )}
        <span className="spacer" />
        <Segmented
          small
          label="Compare"
          options={[
            { value: 'trace', text: 'Whole traces' },
            { value: 'window', text: 'Window', title: 'Only the time on the screen' },
          ]}
          value={inWindow ? 'window' : 'trace'}
          onChange={(of) => setInWindow(of === 'window')}
        />
      </div>
      <Totals sides={sides} />
      <Commands sides={sides} />
    </div>
  );
}

/** The window on the screen in the time of a trace with this offset; a window without it is empty. */
function ownWindow(window: TimeWindow, offset: Trace['offset'], { span }: Summary): TimeWindow {
  const inside = (time: number): number => Math.min(Math.max(time - offset, 0), span);
  return closed({ start: ns(inside(window.start)), end: ns(inside(window.end)) }, span);
}

function Totals({ sides }: { readonly sides: readonly [Side, Side] }): ReactNode {
  const [first, other] = sides;
  const stats = [
    useQuery(first.engine, 'compare/stats', { type: 'stats', window: wholeOr(first) }).answer?.stats,
    useQuery(other.engine, 'compare/stats', { type: 'stats', window: wholeOr(other) }).answer?.stats,
  ];
  const clock = clockOf(first.summary);
  const duration = (value: number): string => formatDuration(clock, value);
  const lengthOf = ({ summary, window }: Side): number => (window ? window.end - window.start : summary.span);
  const rows: readonly (readonly [
    string,
    string,
    (side: Side, of: WindowStats) => number,
    (value: number) => string,
  ])[] = [
    ['Length', 'Of the trace, or of its part in the window', (side) => lengthOf(side), duration],
    ['Running', 'Tasks on a CPU, on average', (_side, { running }) => running.mean, (value) => value.toFixed(2)],
    [
      'Waiting',
      'Tasks that were runnable and not on a CPU, on average',
      (_side, { waiting }) => waiting.mean,
      (value) => value.toFixed(2),
    ],
    ['Utilisation', 'Of all CPUs', (_side, { utilisation }) => utilisation, formatPercent],
    [
      'Behind others',
      'How long some task waited behind another while some CPU was idle',
      (_side, of) => of.behind_ns,
      duration,
    ],
    [
      'Lost task time',
      'min(tasks behind others, idle CPUs), summed over time',
      (_side, of) => of.behind_cost_task_ns,
      duration,
    ],
  ];
  return (
    <table className="compare-totals">
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">Measure</span>
          </th>
          {sides.map(({ summary }, place) => (
            <th key={place === 0 ? 'first' : 'other'} scope="col" className="number" title={summary.name}>
              {namesOf(sides)[place]}
            </th>
          ))}
          <th scope="col" className="number">
            {ratioOf(sides)}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, title, of, format]) => {
          const [a, b] = sides.map((side, place) => (stats[place] ? of(side, stats[place]) : null));
          return (
            <tr key={name} title={title}>
              <th scope="row">{name}</th>
              <td className="number">{a === null || a === undefined ? '' : format(a)}</td>
              <td className="number">{b === null || b === undefined ? '' : format(b)}</td>
              <td className="number">{typeof a === 'number' && typeof b === 'number' ? ratioInWords(a, b) : ''}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** The names of both traces as heads of columns, which have little room. */
const namesOf = ([first, other]: readonly [Side, Side]) => namesApart(first.summary.name, other.summary.name);

/** `b / a`: what ratios are of. */
const ratioOf = (sides: readonly [Side, Side]): string => [...namesOf(sides)].reverse().join(' / ');

const wholeOr = ({ summary, window }: Side): TimeWindow =>
  window ?? closed({ start: ns(0), end: summary.span }, summary.span);

function Commands({ sides }: { readonly sides: readonly [Side, Side] }): ReactNode {
  const page = usePage();
  const { colours } = useScene();
  const [first, other] = sides;
  const [compared, setCompared] = useState<Compared | Studied>('execution_ns');
  /** Kinds of kernel threads whose rows are listed one by one. */
  const [opened, setOpened] = useState<readonly string[]>([]);
  const highlighted = useView((view) => view.highlighted);
  useObservable(page.theme);
  const isWalk = isStudied(compared);
  const ours = useQuery(first.engine, 'compare/commands', isWalk ? null : { type: 'commands', window: first.window });
  const theirs = useQuery(other.engine, 'compare/commands', isWalk ? null : { type: 'commands', window: other.window });
  const forked = useView((view) => view.forked);
  const selection = { forked, movable: false, target: null, comms: [], pids: [], cpus: null };
  const side = useQuery(
    first.engine,
    'compare/side',
    isWalk ? { type: 'side', selection: { ...selection, window: first.window } } : null,
  );
  const both = useQuery(
    other.engine,
    'compare/both',
    isWalk && side.answer
      ? { type: 'compare', selection: { ...selection, window: other.window }, first: side.answer.side }
      : null,
  );
  const failed = side.error ?? both.error;
  const listed = useRef<readonly (ComparedRow & Partial<StudiedRow>)[]>([]);
  const clock = useMemo(() => clockOf(first.summary), [first.summary]);
  const rows = useMemo(
    (): readonly (ComparedRow & Partial<StudiedRow>)[] =>
      isStudied(compared)
        ? both.answer
          ? studiedRows(both.answer.comparison, compared)
          : []
        : foldKernelThreads(comparedRows(ours.answer?.rows ?? [], theirs.answer?.rows ?? [], compared), opened),
    [ours.answer, theirs.answer, both.answer, compared, opened],
  );
  const hasSamples = compared === 'latency' || compared === 'wait';
  const isTime = compared.endsWith('_ns') || hasSamples;
  const format = (value: number): string => (isTime ? formatDuration(clock, value) : formatCount(value));
  const signed = (value: number): string => (value > 0 ? `+${format(value)}` : value < 0 ? `−${format(-value)}` : '0');
  const sure: Column<ComparedRow & Partial<StudiedRow>> = {
    id: 'shift',
    text: 'Longer',
    title: `How often one of ${other.summary.name} is longer than one of ${first.summary.name}, and how probable that is by chance`,
    width: 104,
    numeric: true,
    cell: (row) => (
      <span title={spotsInWords(row, format)} className={row.shift ? undefined : 'muted'}>
        {shiftInWords(row.shift ?? null)}
      </span>
    ),
    sortBy: (row) => (row.shift ? Math.abs(row.shift.other_longer - 0.5) : -1),
    copy: {
      text: (row) => shiftInWords(row.shift ?? null),
      name: 'other_longer',
      value: (row) => row.shift?.other_longer ?? '',
    },
  };
  const columns: readonly Column<ComparedRow & Partial<StudiedRow>>[] = [
    {
      id: 'comm',
      text: 'Command',
      title: 'Name of the task while it ran',
      width: NAME_WIDTH,
      grows: true,
      cell: ({ comm }) =>
        isKind(comm) ? (
          <span className="comm" title="Kernel threads of this kind, summed: a click lists each">
            ▸ {comm}
          </span>
        ) : (
          <Named swatch={colours.ofComm(comm)} name={comm} />
        ),
      sortBy: (row) => row.comm,
      copy: { text: (row) => row.comm, name: 'comm', value: (row) => row.comm },
    },
    numberColumn({
      id: 'first',
      text: namesOf(sides)[0],
      title: first.summary.name,
      width: 84,
      of: (row) => row.first,
      format,
      name: `first_${compared}`,
    }),
    numberColumn({
      id: 'other',
      text: namesOf(sides)[1],
      title: other.summary.name,
      width: 84,
      of: (row) => row.other,
      format,
      name: `other_${compared}`,
    }),
    ...(hasSamples ? [sure] : []),
    {
      ...numberColumn<ComparedRow>({
        id: 'difference',
        text: 'Difference',
        title: `${other.summary.name} − ${first.summary.name}; sorted by size, whatever its sign`,
        width: 96,
        optional: hasSamples,
        of: (row) => row.difference,
        format: signed,
        name: `difference_${compared}`,
      }),
      sortBy: (row) => Math.abs(row.difference),
    },
    {
      id: 'ratio',
      text: 'Ratio',
      title: ratioOf(sides),
      width: 54,
      optional: true,
      numeric: true,
      cell: (row) => ratioInWords(row.first, row.other),
      sortBy: (row) => (row.first === 0 ? Number.MAX_VALUE : row.other / row.first),
      copy: {
        text: (row) => ratioInWords(row.first, row.other),
        name: 'ratio',
        value: (row) => (row.first === 0 ? '' : row.other / row.first),
      },
    },
  ];
  return (
    <>
      <div className="details-head measures">
        <Segmented small label="Compare commands by" options={MEASURES} value={compared} onChange={setCompared} />
        <span className="spacer" />
        <CopyMenu summary={first.summary} what="comparison" columns={columns} rows={listed} window={first.window} />
      </div>
      <Table<ComparedRow & Partial<StudiedRow>>
        label="Commands of both traces"
        columns={columns}
        rows={rows}
        keyOf={(row) => row.comm}
        initialSort={{ column: 'difference', descending: true }}
        isSelected={(row) => highlighted.includes(row.comm)}
        onPick={({ comm }) =>
          isKind(comm) ? setOpened([...opened, comm]) : page.store.dispatch({ type: 'toggleHighlight', comm })
        }
        onOpen={({ comm }) => isKind(comm) || page.store.dispatch({ type: 'targetCommand', comm })}
        onHover={(row) => page.hover.set({ comm: row?.comm ?? null })}
        busy={ours.pending || theirs.pending || side.pending || both.pending}
        listed={listed}
        empty={failed ? failed.what : 'Counting…'}
      />
      <p className="hint small">
        {hasSamples
          ? 'Medians; p of the test of Mann and Whitney, as if durations were independent of each other: it is too small.'
          : 'One run of each: a difference may be chance. Record several to know.'}
      </p>
    </>
  );
}

/** Whether a row sums kernel threads. */
const isKind = (comm: string): boolean => comm.endsWith('/…');

/** The medians with their confidence intervals. */
function spotsInWords({ firstSpot, otherSpot }: Partial<StudiedRow>, format: (ns: number) => string): string {
  const one = (spot: StudiedRow['firstSpot'] | undefined): string => {
    if (!spot || spot.p50 === null) return 'none';
    const sure =
      spot.p50_low === null || spot.p50_high === null
        ? ''
        : `, 95 %: ${format(spot.p50_low)} to ${format(spot.p50_high)}`;
    return `${formatCount(spot.count)}, median ${format(spot.p50)}${sure}`;
  };
  return `Left: ${one(firstSpot)}; right: ${one(otherSpot)}`;
}
