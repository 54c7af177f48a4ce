import { type ReactNode, useMemo, useRef } from 'react';
import { exactDuration, formatDuration, formatPercent, formatTime } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import type { TimeWindow } from '../../base/units';
import { type Column, Table } from '../../components/Table';
import { useObservable } from '../../components/useObservable';
import type { CallFacts, CallPlace, CallRow, Chain, ModelSelection, Summary } from '../../engine/protocol';
import { goToCall, goToCallAt, stepCall } from '../../page/calls/goToCall';
import { argumentsText, LONGEST, pidText, questionOf, rowId, splitInWords } from '../../page/calls/rows';
import { contextInWords, taskName, wakerInWords } from '../../page/words';
import type { CallsView } from '../../state/calls';
import { usePage, useView } from '../context';
import { Facts, RunLink } from '../Facts';
import { CopyMenu } from '../stats/CopyMenu';
import { LaneButton } from '../tasks/LaneButton';
import { useOrigin } from '../useOrigin';
import { useQuery } from '../useQuery';
import { WakeupChain } from '../WakeupChain';
import { CallHistogram } from './CallHistogram';
import { CallScatter } from './CallScatter';
import { DoingKey } from './DoingKey';
import { CompatButton } from './NamesMenu';

interface OfRowProps {
  readonly summary: Summary;
  readonly row: CallRow;
  readonly facts: CallFacts;
  readonly selection: ModelSelection;
  readonly view: CallsView;
  /** As for `goToCall`. */
  readonly follows: TimeWindow | null;
  readonly clock: TraceClock;
}

/** Columns of time in which points are told apart. */
const COLUMNS = 160;

/** The calls of a row: the current one and why it took so long, all of them against time, and the longest. */
export function OfRow({ summary, row, facts, selection, view, follows, clock }: OfRowProps): ReactNode {
  const page = usePage();
  const origin = useOrigin();
  const id = rowId(row);
  const question = questionOf(row, selection, view);
  const query = useQuery(page.engine, 'calls/row', {
    type: 'calls_of_row',
    row: question,
    top: LONGEST,
    columns: COLUMNS,
  });
  const current = useQuery(page.engine, 'calls/current', view.at && { type: 'call_at', ...view.at, net: view.net });
  const place = current.answer?.place ?? null;
  const found = query.answer?.of_row ?? null;
  const listed = useRef<readonly CallPlace[]>([]);
  const columns = useMemo(() => placeColumns(clock, origin, view.net), [clock, origin, view.net]);
  const isCurrent = (one: { readonly pid: number; readonly generation: number; readonly at_ns: number }): boolean =>
    view.at?.pid === one.pid && view.at.generation === one.generation && view.at.at === one.at_ns;
  return (
    <section aria-label={`Calls of ${id}`} aria-busy={query.pending}>
      <h3 className="details-head">{id}</h3>
      {place && <Current place={place} facts={facts} net={view.net} clock={clock} />}
      <div className="latency-controls">
        {(
          [
            ['previous', 'Previous', 'The call of this row before it'],
            ['next', 'Next', 'The call of this row after it'],
            ['longer', 'Next longer', 'The next call of this row that took longer'],
            ['error', 'Next error', 'The next call of this row that failed'],
          ] as const
        ).map(([step, text, title]) => (
          <button
            key={step}
            type="button"
            className="button small"
            title={title}
            disabled={place === null}
            onClick={() => place && void stepCall(page, question, id, step, place, follows)}
          >
            {text}
          </button>
        ))}
      </div>
      <DoingKey net={view.net} />
      {found && (
        <>
          <CallScatter
            found={found}
            clock={clock}
            origin={origin}
            isCurrent={isCurrent}
            onPick={({ pid, generation, at_ns: at }) => void goToCallAt(page, { pid, generation, at }, id, follows)}
          />
          <CallHistogram found={found} net={view.net} clock={clock} />
          <div className="latency-by">
            <h3>Longest</h3>
            <span className="spacer" />
            <CopyMenu
              summary={summary}
              what={`longest calls of ${id}`}
              columns={columns}
              rows={listed}
              window={selection.window}
            />
          </div>
          <div className="latency-table">
            <Table
              label={`Longest calls of ${id}`}
              columns={columns}
              rows={found.longest}
              keyOf={(one) => `${pidText(one)}@${one.at_ns}`}
              initialSort={{ column: 'ns', descending: true }}
              isSelected={isCurrent}
              onPick={(one) => goToCall(page, one, id, follows)}
              onOpen={(one) => goToCall(page, one, id, follows)}
              listed={listed}
              busy={query.pending}
              empty="None returned."
            />
          </div>
        </>
      )}
      {place && <ChainOf place={place} clock={clock} />}
    </section>
  );
}

/** The wakeup chain of the run with which a call went on; null while another run is selected. */
function useChain({ run }: Pick<CallPlace, 'run'>): Chain | null {
  const { selected } = usePage();
  const { chain } = useObservable(selected);
  const selection = useView((view) => view.selection);
  return run !== null && selection?.cpu === run.cpu && selection.start === run.start_ns ? chain : null;
}

/** What a call was called with, as far as the trace tells; null where no record tells of it. */
function useArguments({ at_ns: at, cpu, pid, call, compat }: CallPlace): string | null {
  const { engine } = usePage();
  const asked = useQuery(engine, 'calls/arguments', {
    type: 'call_arguments',
    calls: [{ at, cpu, pid, call, compat }],
  });
  const [found] = asked.answer?.arguments ?? [];
  return found ? argumentsText(found) : null;
}

/** The current call, and who ended it. */
function Current({
  place,
  facts,
  net,
  clock,
}: {
  readonly place: CallPlace;
  readonly facts: CallFacts;
  readonly net: boolean;
  readonly clock: TraceClock;
}): ReactNode {
  const origin = useOrigin();
  const hop = useChain(place)?.back[0];
  const args = useArguments(place);
  return (
    <Facts
      facts={[
        [
          'Thread',
          <span key="thread">
            {taskName(place.comm, place.pid)} <LaneButton task={{ pid: place.pid, generation: place.generation }} />{' '}
            <CompatButton pid={place.pid} facts={facts} />
          </span>,
        ],
        ['Entered', `${formatTime(clock, place.at_ns, origin)} on CPU ${place.cpu}`],
        ['Took', exactDuration(clock, place.duration_ns)],
        ['Called with', args],
        ['Returned', place.returned],
        ['Meanwhile', splitInWords(place, place.duration_ns, net, formatPercent) || 'not known'],
        ['Interrupts', place.irq_ns === null ? null : exactDuration(clock, place.irq_ns)],
        [
          'Woken by',
          // A wakeup before the call is no part of it.
          hop && hop.at_ns >= place.at_ns ? (
            <>
              {hop.waker_run_ns === null ? (
                wakerInWords(hop)
              ) : (
                <RunLink cpu={hop.waker_cpu} at={hop.waker_run_ns} title="Go to the run of the waker">
                  {wakerInWords(hop)}
                </RunLink>
              )}{' '}
              on CPU {hop.waker_cpu}, {contextInWords[hop.context]}, at {formatTime(clock, hop.at_ns, origin)}
            </>
          ) : null,
        ],
      ]}
    />
  );
}

function ChainOf({ place, clock }: { readonly place: CallPlace; readonly clock: TraceClock }): ReactNode {
  const origin = useOrigin();
  const chain = useChain(place);
  return chain && <WakeupChain chain={chain} clock={clock} origin={origin} />;
}

function placeColumns(clock: TraceClock, origin: number, net: boolean): readonly Column<CallPlace>[] {
  const name = (text: string): string => (clock.isNs ? `${text}_ns` : `${text}_ticks`);
  const share = (row: CallPlace): string => splitInWords(row, row.duration_ns, net, formatPercent);
  return [
    {
      id: 'ns',
      text: 'Time',
      title: 'How long it took',
      width: 74,
      numeric: true,
      cell: (row) => (
        <span title={exactDuration(clock, row.duration_ns)}>{formatDuration(clock, row.duration_ns)}</span>
      ),
      sortBy: (row) => row.duration_ns,
      copy: {
        text: (row) => formatDuration(clock, row.duration_ns),
        name: name('duration'),
        value: (row) => row.duration_ns,
      },
    },
    {
      id: 'task',
      text: 'Thread',
      title: 'Who made it',
      width: 100,
      grows: true,
      cell: (row) => taskName(row.comm, row.pid),
      sortBy: (row) => row.comm,
      copy: { text: (row) => taskName(row.comm, row.pid), name: 'comm', value: (row) => row.comm },
    },
    {
      id: 'split',
      text: 'Meanwhile',
      title: 'What the thread did',
      width: 110,
      grows: true,
      cell: (row) => <span title={share(row)}>{share(row)}</span>,
      sortBy: share,
    },
    {
      id: 'ret',
      text: 'Returned',
      title: 'What it returned',
      width: 74,
      cell: (row) => row.returned,
      sortBy: (row) => row.ret,
      copy: { text: (row) => row.returned, name: 'ret', value: (row) => row.ret },
    },
    {
      id: 'at',
      text: 'At',
      title: 'When it was entered, from time 0',
      width: 90,
      numeric: true,
      cell: (row) => formatTime(clock, row.at_ns, origin as CallPlace['at_ns'], 6),
      sortBy: (row) => row.at_ns,
      copy: {
        text: (row) => formatTime(clock, row.at_ns, origin as CallPlace['at_ns']),
        name: name('at'),
        value: (row) => (clock.baseNs + BigInt(row.at_ns)).toString(),
      },
    },
    {
      id: 'pid',
      text: 'PID',
      title: 'Thread id; where the kernel used it again, which of its tasks',
      width: 62,
      numeric: true,
      optional: true,
      cell: pidText,
      sortBy: (row) => row.pid + row.generation / 1e6,
      copy: { text: pidText, name: 'pid', value: pidText },
    },
    {
      id: 'cpu',
      text: 'CPU',
      title: 'Where it was entered',
      width: 44,
      numeric: true,
      optional: true,
      cell: (row) => row.cpu,
      sortBy: (row) => row.cpu,
      copy: { text: (row) => `${row.cpu}`, name: 'cpu', value: (row) => row.cpu },
    },
  ];
}
