import { type ReactNode, useMemo, useRef } from 'react';
import { formatCount, plural } from '../../base/format';
import type { TimeWindow } from '../../base/units';
import { Segmented } from '../../components/Segmented';
import { Table } from '../../components/Table';
import { Toggle } from '../../components/Toggle';
import { useObservable } from '../../components/useObservable';
import type { CallFacts, CallRow, CallsBy, CallThread, ModelSelection, Summary } from '../../engine/protocol';
import { textTimes } from '../../page/calls/compared';
import { goToCallAt } from '../../page/calls/goToCall';
import { MOST_ROWS, named, pidText, rowId } from '../../page/calls/rows';
import { closed } from '../../page/stats/rows';
import { CALLS_BY, type CallsView, HIDEABLE, hasInterrupts, MAX_CALL_NAMES } from '../../state/calls';
import { clockOf } from '../../state/traces';
import { timeOrigin } from '../../state/viewState';
import { usePage, useView } from '../context';
import { ProfileAlone } from '../staktau/ProfileAlone';
import { ProfileBeside } from '../staktau/ProfileBeside';
import { CopyMenu } from '../stats/CopyMenu';
import { useQuery } from '../useQuery';
import { useRestingWindow } from '../useRestingWindow';
import { callColumns, threadColumns } from './callColumns';
import { NamesMenu } from './NamesMenu';
import { OfRow } from './OfRow';
import './syscalls.css';

const BY_WORDS: Readonly<Record<CallsBy, string>> = {
  call: 'Call',
  command: 'Command',
  task: 'Thread',
  process: 'Process',
};
const HIDE_WORDS = { calls: 'Calls', irqs: 'Interrupts' } as const;
const HIDE_TITLES = {
  calls: 'Show what call a task is in below its lane',
  irqs: 'Show hardirqs and softirqs on the lanes of CPUs and tasks',
} as const;

/** Where threads' time goes in system calls. */
export function SyscallsPane({ summary }: { readonly summary: Summary }): ReactNode {
  const { engine } = usePage();
  const facts = useQuery(engine, 'calls/facts', { type: 'call_facts' });
  if (facts.error?.kind === 'empty') return <WhatToRecord />;
  if (facts.error) return <p className="hint">{facts.error.what}</p>;
  if (facts.answer === null) return <p className="hint">Looking for system calls…</p>;
  return facts.answer.events === null ? <WhatToRecord /> : <Calls summary={summary} facts={facts.answer} />;
}

function WhatToRecord(): ReactNode {
  const profile = useObservable(usePage().profiles.profile);
  return (
    <div className="details">
      <p>The trace has no events of system calls. To see where threads’ time goes in the kernel, record them too:</p>
      <pre className="command-line">trace-cmd record -e raw_syscalls -e sched -e irq -e irq_vectors COMMAND</pre>
      <p className="hint">
        <code>raw_syscalls</code> records all calls by number; <code>-e syscalls</code> records names and arguments too.{' '}
        <code>irq</code> and <code>irq_vectors</code> tell what interrupts take.
      </p>
      {profile && <ProfileAlone profile={profile} />}
    </div>
  );
}

function Calls({ summary, facts }: { readonly summary: Summary; readonly facts: CallFacts }): ReactNode {
  const page = usePage();
  const { engine, store } = page;
  const view = useView((state) => state.calls);
  const forked = useView((state) => state.forked);
  const hasRange = useView((state) => state.range !== null);
  const { window, follows } = useSpan(view, summary);
  const clock = useMemo(() => clockOf(summary), [summary]);
  const selection: ModelSelection = {
    window,
    forked,
    movable: false,
    target: null,
    comms: [],
    pids: [],
    cpus: null,
  };
  const query = useQuery(engine, 'calls/table', {
    type: 'call_table',
    selection,
    by: view.by,
    errors: view.errors,
    net: view.net,
    top: MOST_ROWS,
  });
  const profile = useObservable(page.profiles.profile);
  const comparing = useQuery(
    engine,
    'calls/compare',
    profile && { type: 'call_compare', selection, text: profile.text.threads },
  );
  const compared = profile && (comparing.answer?.threads ?? null);
  const columns = useMemo(
    () => callColumns(clock, view.by, view.net, compared && textTimes(compared)),
    [clock, view.by, view.net, compared],
  );
  const ofThreads = useMemo(() => threadColumns(clock), [clock]);
  const listed = useRef<readonly CallRow[]>([]);
  const threads = useRef<readonly CallThread[]>([]);
  const report = query.answer?.report ?? null;
  const rows = useMemo(() => named(report?.rows ?? [], view.names), [report, view.names]);
  const chosen = report?.rows.find((row) => rowId(row) === view.row) ?? null;
  const change = (part: Partial<CallsView>, typing = false): void =>
    store.dispatch({ type: 'calls', change: part, typing });
  const go = (row: CallRow): void => {
    const { longest } = row;
    if (longest === null) change({ row: rowId(row) });
    else {
      const { pid, generation, at_ns: at } = longest;
      void goToCallAt(page, { pid, generation, at }, rowId(row), follows);
    }
  };
  const isCalls = view.list === 'calls';
  const hasIrqs = hasInterrupts(facts);
  return (
    <div className="details syscalls" aria-busy={query.pending}>
      <div className="latency-controls">
        <Segmented
          small
          label="Rows by"
          options={CALLS_BY.map((value) => ({ value, text: BY_WORDS[value] }))}
          value={view.by}
          onChange={(by) => change({ by })}
        />
        <Segmented
          small
          label="Time"
          options={[
            { value: 'whole', text: 'Whole trace' },
            { value: 'window', text: hasRange ? 'Range' : 'Window', title: 'The range, else the window' },
          ]}
          value={view.span}
          onChange={(span) => change({ span })}
        />
        <Toggle
          text="Errors"
          title="Only calls that failed"
          on={view.errors}
          onChange={(errors) => change({ errors })}
        />
        <Toggle
          text="Net"
          title={
            hasIrqs
              ? 'Time on CPU without what interrupts took of it'
              : 'Without events of interrupts there is nothing to leave out: record irq and irq_vectors'
          }
          on={view.net}
          disabled={!hasIrqs && !view.net}
          onChange={(net) => change({ net })}
        />
        <NamesMenu facts={facts} />
        <input
          type="search"
          className="field small"
          aria-label="Names of calls"
          placeholder="read,futex"
          title="Beginnings of names of calls"
          maxLength={MAX_CALL_NAMES}
          value={view.names}
          onChange={(event) => change({ names: event.target.value }, true)}
        />
      </div>
      {query.pending && (
        <progress className="progress" aria-label="Adding up calls" value={query.progress ?? undefined} max={1} />
      )}
      {query.error && <p className="hint">{query.error.what}</p>}
      <section className="calls-list" aria-label={isCalls ? 'System calls' : 'Threads in calls'}>
        <div className="latency-by">
          <Segmented
            small
            label="Table"
            options={[
              { value: 'calls', text: 'Calls' },
              { value: 'threads', text: 'Threads', title: 'Time in calls and outside' },
            ]}
            value={view.list}
            onChange={(list) => change({ list })}
          />
          <span className="muted small">
            {isCalls
              ? countInWords(rows.length, query.answer?.rows_total ?? 0, report?.rows.length ?? 0)
              : plural(report?.threads.length ?? 0, 'thread')}
          </span>
          <span className="spacer" />
          {isCalls ? (
            <CopyMenu
              summary={summary}
              what={`system calls by ${view.by}${view.errors ? ', errors' : ''}`}
              columns={columns}
              rows={listed}
              window={window}
            />
          ) : (
            <CopyMenu summary={summary} what="threads in calls" columns={ofThreads} rows={threads} window={window} />
          )}
        </div>
        <div className="calls-table">
          {isCalls ? (
            <Table
              label="System calls"
              columns={columns}
              rows={rows}
              keyOf={(row) => `${row.nr} ${rowId(row)}`}
              initialSort={{ column: 'sum', descending: true }}
              isSelected={(row) => rowId(row) === view.row}
              onPick={go}
              onOpen={go}
              listed={listed}
              busy={query.pending}
              empty={query.pending ? 'Adding up…' : 'There are no such calls here.'}
            />
          ) : (
            <Table
              label="Threads in calls"
              columns={ofThreads}
              rows={report?.threads ?? []}
              keyOf={pidText}
              initialSort={{ column: 'in_calls', descending: true }}
              isSelected={(row) => view.at?.pid === row.pid && view.at.generation === row.generation}
              onPick={(row) => showThread(page, row)}
              onOpen={(row) => showThread(page, row)}
              listed={threads}
              busy={query.pending}
              empty={query.pending ? 'Adding up…' : 'There are no such threads here.'}
            />
          )}
        </div>
      </section>
      {view.row !== null && chosen === null && !query.pending && (
        <p className="hint">{view.row} is not among the rows that are listed here.</p>
      )}
      {chosen && (
        <OfRow
          summary={summary}
          row={chosen}
          facts={facts}
          selection={selection}
          view={view}
          follows={follows}
          clock={clock}
        />
      )}
      {profile && (
        <ProfileBeside
          profile={profile}
          threads={compared}
          summary={summary}
          window={window}
          busy={comparing.pending}
        />
      )}
      <Told facts={facts} />
      <div className="latency-controls">
        <span className="muted small">On the lanes</span>
        {HIDEABLE.map((what) => (
          <Toggle
            key={what}
            text={HIDE_WORDS[what]}
            title={HIDE_TITLES[what]}
            on={!view.hidden.includes(what)}
            onChange={(on) =>
              change({ hidden: HIDEABLE.filter((one) => (one === what ? !on : view.hidden.includes(one))) })
            }
          />
        ))}
      </div>
    </div>
  );
}

/** Opens a lane for a thread. */
function showThread({ store }: ReturnType<typeof usePage>, { pid, generation }: CallThread): void {
  const { tasks } = store.getState().tasks;
  const has = tasks.some((task) => task.pid === pid && task.generation === generation);
  if (!has) store.dispatch({ type: 'tasks', change: { tasks: [...tasks, { pid, generation }] } });
}

function countInWords(shown: number, total: number, given: number): string {
  const all = `${formatCount(shown)} ${shown === 1 ? 'row' : 'rows'}`;
  return given < total ? `${all} of the ${formatCount(given)} of most time, of ${formatCount(total)}` : all;
}

/** What the numbers leave out, and what is not known. */
function Told({ facts }: { readonly facts: CallFacts }): ReactNode {
  const { totals, events, arch } = facts;
  const odd = [
    [totals.before_trace, 'begun before the trace'],
    [totals.child_returns, 'returned a second time, in a child'],
    [totals.exit_only, 'only an exit'],
    [totals.lost_exits, 'without their exit'],
    [totals.never_returned, 'never returned'],
    [totals.open_at_end, 'open at the end'],
    [totals.across_loss, 'across lost events'],
  ] as const;
  const counted = odd.flatMap(([count, words]) => (count === 0 ? [] : [`${formatCount(count)} ${words}`]));
  const missing = [
    ...(facts.hardirqs ? [] : ['irq_handler']),
    ...(facts.softirqs ? [] : ['softirq']),
    ...(facts.vectors ? [] : ['irq_vectors']),
  ];
  return (
    <p className="hint small">
      Whole trace: {formatCount(totals.enters)} enters, {formatCount(totals.exits)} exits, {formatCount(totals.calls)}{' '}
      calls
      {counted.length > 0 && `; ${counted.join(', ')}`}. A call is where it was entered.{' '}
      {totals.exits === 0 && 'Only enters were recorded, so it is unknown when calls ended. '}
      {totals.enters === 0 && 'Only exits were recorded, so it is unknown when calls began. '}
      {events === 'named' && 'Only named calls were recorded: others are outside of calls here. '}
      {arch === null && 'Whose table names the calls is not known, so they are numbers: choose one with Names. '}
      {!facts.has_sched && 'Without sched_switch it is unknown what threads did in calls. '}
      {missing.length > 0 && `Not recorded of interrupts: ${missing.join(', ')}.`}
    </p>
  );
}

/**
 * The time that the tab is about; null: the whole trace. `follows`: the same where it follows the window on the screen, which
 * going to a call changes.
 */
function useSpan(
  { span }: CallsView,
  summary: Summary,
): { readonly window: TimeWindow | null; readonly follows: TimeWindow | null } {
  const { store } = usePage();
  const resting = useRestingWindow();
  const range = useView((view) => view.range);
  const start = useView((view) => timeOrigin(view, store.getLimits()));
  if (span === 'window') {
    const window = closed(range ?? resting, summary.span);
    return { window, follows: range === null ? window : null };
  }
  return { window: start > 0 ? closed({ start, end: summary.span }, summary.span) : null, follows: null };
}
