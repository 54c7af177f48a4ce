import { type ReactNode, useMemo, useRef } from 'react';
import type { TraceClock } from '../../base/traceTime';
import type { TimeWindow } from '../../base/units';
import { Fold } from '../../components/Fold';
import { Segmented } from '../../components/Segmented';
import { Table } from '../../components/Table';
import type { LongestPair, PairAnswer, PairGroup, Summary } from '../../engine/protocol';
import { openEvent } from '../../page/events/openEvent';
import { BY_TEXTS, chosenPair, doubtsOf, eventsOf, pairTasks } from '../../page/pairs/words';
import { SPANS } from '../../state/latency';
import { MAX_PAIR_TASKS, PAIR_GROUPINGS, type PairsView } from '../../state/pairs';
import { clockOf } from '../../state/traces';
import { usePage, useView } from '../context';
import { Histogram } from '../latency/Histogram';
import { NumbersTable } from '../latency/NumbersTable';
import { CopyMenu } from '../stats/CopyMenu';
import { useOrigin } from '../useOrigin';
import { useQuery } from '../useQuery';
import { spanText, useSpan } from '../useSpan';
import { groupColumns, longestColumns, pairColumns } from './columns';
import { OwnPairForm } from './OwnPairForm';
import '../latency/latency.css';
import './pairs.css';

/** How many of the longest are listed. */
const LONGEST = 50;

/** How long was between events that belong together: those built in that the trace has, or two of the user's choice. */
export function PairsPane({ summary }: { readonly summary: Summary }): ReactNode {
  const { engine, store } = usePage();
  const view = useView((state) => state.pairs);
  const hasRange = useView((state) => state.range !== null);
  const window = useSpan(view.span, summary);
  const clock = useMemo(() => clockOf(summary), [summary]);
  const { own, by } = view;
  const query = useQuery(engine, 'pairs', {
    type: 'pairs',
    own,
    by,
    window,
    cpus: null,
    ...pairTasks(view.task),
    top: LONGEST,
  });
  const { answer, pending } = query;
  const pair = answer ? chosenPair(answer.pairs, view.pair) : null;
  const change = (part: Partial<PairsView>, typing = false): void =>
    store.dispatch({ type: 'pairs', change: part, typing });
  return (
    <div className="details latency pairs" aria-busy={pending}>
      <div className="latency-controls">
        <Segmented
          small
          label="Time"
          options={SPANS.map((value) => ({ value, text: spanText(value, hasRange) }))}
          value={view.span}
          onChange={(span) => change({ span })}
        />
        <input
          type="search"
          className="field small"
          aria-label="Tasks in which pairs begin"
          placeholder="tasks: 304,bash"
          title="Only pairs that begin in these threads or commands: PIDs and beginnings of names"
          maxLength={MAX_PAIR_TASKS}
          value={view.task}
          onChange={(event) => change({ task: event.target.value }, true)}
        />
      </div>
      {pending && <progress className="progress" aria-label="Pairing" value={query.progress ?? undefined} max={1} />}
      {query.error && (
        <p className="hint">
          {query.error.what} {query.error.advice}
        </p>
      )}
      {answer && answer.error === null && (
        <PairsTable
          pairs={answer.pairs}
          chosen={pair}
          clock={clock}
          busy={pending}
          summary={summary}
          window={window}
          onPick={({ name }) => change({ pair: name })}
        />
      )}
      {pair && <OnePair pair={pair} view={view} summary={summary} window={window} busy={pending} change={change} />}
      <Fold name="own-pair" title="A pair of your own" open={own !== null}>
        <OwnPairForm own={own} error={answer?.error ?? null} onChange={(next) => change({ own: next, pair: null })} />
      </Fold>
    </div>
  );
}

interface PairsTableProps {
  readonly pairs: readonly PairAnswer[];
  readonly chosen: PairAnswer | null;
  readonly clock: TraceClock;
  readonly busy: boolean;
  readonly summary: Summary;
  readonly window: TimeWindow | null;
  readonly onPick: (pair: PairAnswer) => void;
}

function PairsTable({ pairs, chosen, clock, busy, summary, window, onPick }: PairsTableProps): ReactNode {
  const listed = useRef<readonly PairAnswer[]>([]);
  const columns = useMemo(() => pairColumns(clock), [clock]);
  return (
    <section aria-label="Pairs">
      <div className="latency-by">
        <h3>Pairs of events</h3>
        <span className="spacer" />
        <CopyMenu summary={summary} what="pairs of events" columns={columns} rows={listed} window={window} />
      </div>
      <div className="latency-table">
        <Table
          label="Pairs of events"
          columns={columns}
          rows={pairs}
          keyOf={({ name }) => name}
          initialSort={{ column: 'sum', descending: true }}
          isSelected={(row) => row === chosen}
          onPick={onPick}
          onOpen={onPick}
          listed={listed}
          busy={busy}
          empty={
            busy ? 'Pairing…' : 'The trace has no pair of these here. Record irq, timer, workqueue or block events.'
          }
        />
      </div>
    </section>
  );
}

interface OnePairProps {
  readonly pair: PairAnswer;
  readonly view: PairsView;
  readonly summary: Summary;
  readonly window: TimeWindow | null;
  readonly busy: boolean;
  readonly change: (part: Partial<PairsView>) => void;
}

/** The distribution of a pair, its groups, and the longest ones. */
function OnePair({ pair, view, summary, window, busy, change }: OnePairProps): ReactNode {
  const clock = useMemo(() => clockOf(summary), [summary]);
  const measured = { count: pair.count, ns: pair.ns };
  const group = pair.groups.find((one) => one.group === view.group && one.group !== '') ?? null;
  const ofGroup = group && { name: group.group, measured: { count: group.count, ns: group.ns } };
  const doubts = doubtsOf(pair);
  return (
    <>
      <h3 className="details-head">
        {pair.name} <span className="muted small">{eventsOf(pair)}</span>
      </h3>
      {view.group !== null && !group && !busy && (
        <p className="hint">
          {BY_TEXTS[view.by].one} {view.group} is not among those that are listed here.
        </p>
      )}
      {ofGroup && (
        <p className="latency-group">
          <span className="swatch group" /> {ofGroup.name} <span className="swatch all" /> all{' '}
          <button type="button" className="button small quiet" onClick={() => change({ group: null })}>
            Only all
          </button>
        </p>
      )}
      <Histogram label={pair.name} clock={clock} all={{ name: 'all', measured }} group={ofGroup} />
      <NumbersTable
        label={pair.name}
        clock={clock}
        columns={[
          ...(ofGroup
            ? [{ id: 'group', text: ofGroup.name, title: '', measured: ofGroup.measured, isShown: true, show: null }]
            : []),
          { id: 'all', text: pair.name, title: eventsOf(pair), measured, isShown: !ofGroup, show: null },
        ]}
      />
      {doubts !== '' && <p className="hint small">{doubts}.</p>}
      <Groups pair={pair} view={view} clock={clock} summary={summary} window={window} busy={busy} change={change} />
      <Longest pair={pair} clock={clock} summary={summary} window={window} busy={busy} />
    </>
  );
}

type GroupsProps = OnePairProps & { readonly clock: TraceClock };

function Groups({ pair, view, clock, summary, window, busy, change }: GroupsProps): ReactNode {
  const { by } = view;
  const listed = useRef<readonly PairGroup[]>([]);
  const columns = useMemo(() => groupColumns(clock, BY_TEXTS[by].one), [clock, by]);
  const rows = useMemo(() => pair.groups.filter(({ group }) => group !== ''), [pair]);
  const what = `${pair.name} by ${BY_TEXTS[by].one.toLowerCase()}`;
  return (
    <section aria-label="Groups">
      <div className="latency-by">
        <h3>By</h3>
        <Segmented
          small
          label="Grouped by"
          options={PAIR_GROUPINGS.map((value) => ({ value, text: BY_TEXTS[value].one }))}
          value={by}
          onChange={(next) => change({ by: next })}
        />
        <span className="spacer" />
        <CopyMenu summary={summary} what={what} columns={columns} rows={listed} window={window} />
      </div>
      <div className="latency-table">
        <Table
          label={what}
          columns={columns}
          rows={rows}
          keyOf={({ group }) => group}
          initialSort={{ column: 'sum', descending: true }}
          isSelected={({ group }) => group === view.group}
          onPick={({ group }) => change({ group })}
          onOpen={({ group }) => change({ group })}
          listed={listed}
          busy={busy}
          empty={busy ? 'Pairing…' : 'This pair has no groups.'}
        />
      </div>
    </section>
  );
}

type LongestProps = Omit<OnePairProps, 'view' | 'change'> & { readonly clock: TraceClock };

function Longest({ pair, clock, summary, window, busy }: LongestProps): ReactNode {
  const page = usePage();
  const origin = useOrigin();
  const event = useView((state) => state.event);
  const listed = useRef<readonly LongestPair[]>([]);
  const columns = useMemo(() => longestColumns(clock, origin), [clock, origin]);
  const go = (row: LongestPair): void => void openEvent(page, { cpu: row.cpu, at: row.at_ns, pid: row.pid }, false);
  return (
    <section aria-label="Longest">
      <div className="latency-by">
        <h3>Longest</h3>
        <span className="spacer" />
        <CopyMenu summary={summary} what={`longest ${pair.name}`} columns={columns} rows={listed} window={window} />
      </div>
      <div className="latency-table">
        <Table
          label={`Longest ${pair.name}`}
          columns={columns}
          rows={pair.longest}
          keyOf={({ cpu, at_ns, ns }) => `${cpu}@${at_ns}+${ns}`}
          initialSort={{ column: 'ns', descending: true }}
          isSelected={({ cpu, at_ns }) => event?.cpu === cpu && event.at === at_ns}
          onPick={go}
          onOpen={go}
          listed={listed}
          busy={busy}
          empty="There are none here."
        />
      </div>
    </section>
  );
}
