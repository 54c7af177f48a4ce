import { type ReactNode, useMemo, useRef } from 'react';
import { formatDuration, formatTime } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import { type Column, Table } from '../../components/Table';
import type { InstantAnswer, InstantCpu, Summary } from '../../engine/protocol';
import { stepInstant } from '../../page/instant/stepInstant';
import { changeInWords } from '../../page/instant/words';
import { goTo, selectAt } from '../../page/navigate';
import { taskName } from '../../page/words';
import { clockOf } from '../../state/traces';
import { usePage, useView } from '../context';
import { CopyMenu } from '../stats/CopyMenu';
import { useOrigin } from '../useOrigin';
import { useQuery } from '../useQuery';
import './instant.css';

/** The machine at mark A: what has just happened, what each CPU runs, and who waits there. */
export function InstantPane({ summary }: { readonly summary: Summary }): ReactNode {
  const page = usePage();
  const at = useView((view) => view.timeMarks.a);
  const origin = useOrigin();
  const clock = useMemo(() => clockOf(summary), [summary]);
  const query = useQuery(page.engine, 'instant', at === null ? null : { type: 'instant', at });
  const instant = query.answer?.instant ?? null;
  return (
    <div className="details instant" aria-busy={query.pending}>
      <div className="instant-steps">
        <button
          type="button"
          className="button small"
          title="The instant before at which something happened (<)"
          onClick={() => void stepInstant(page, -1)}
        >
          ‹ Before
        </button>
        <button
          type="button"
          className="button small"
          title="The next instant at which something happens (>)"
          onClick={() => void stepInstant(page, 1)}
        >
          Next ›
        </button>
        <strong className="instant-time">{at === null ? '' : formatTime(clock, at, origin)}</strong>
      </div>
      {at === null && (
        <p className="hint">
          The machine at mark A, which is not set: Shift+A sets it at the pointer, {'<'} and {'>'} at the selected run,
          and then move it from event to event.
        </p>
      )}
      {query.error && <p className="hint">{query.error.what}</p>}
      {instant && (
        <>
          <ul className="instant-changes" aria-label="What happens at this instant">
            {instant.changes.length === 0 && <li className="muted">Nothing happens at this very instant.</li>}
            {instant.changes.map((change) => (
              <li key={changeInWords(change)}>{changeInWords(change)}</li>
            ))}
          </ul>
          <Cpus instant={instant} summary={summary} clock={clock} busy={query.pending} />
          {instant.unplaced.length > 0 && (
            <p className="hint small">
              On a runqueue that the trace does not tell:{' '}
              {instant.unplaced.map(({ comm, pid }) => taskName(comm, pid)).join(', ')}
            </p>
          )}
        </>
      )}
    </div>
  );
}

interface CpusProps {
  readonly instant: InstantAnswer;
  readonly summary: Summary;
  readonly clock: TraceClock;
  readonly busy: boolean;
}

const runs = ({ task, state }: InstantCpu): string =>
  task ? taskName(task.comm, task.pid) : state === 'idle' ? 'idle' : 'not known';

function Cpus({ instant, summary, clock, busy }: CpusProps): ReactNode {
  const page = usePage();
  const selection = useView((view) => view.selection);
  const listed = useRef<readonly InstantCpu[]>([]);
  const columns = useMemo(() => columnsAt(instant, clock), [instant, clock]);
  const changed = new Set(instant.changes.flatMap(({ cpu, from_cpu: from }) => [cpu, from]));
  return (
    <section>
      <div className="latency-by">
        <h3>CPUs</h3>
        <span className="spacer" />
        <CopyMenu
          summary={summary}
          what="CPUs at an instant"
          columns={columns}
          rows={listed}
          window={{ start: instant.at_ns, end: instant.at_ns }}
        />
      </div>
      <div className="instant-table">
        <Table<InstantCpu>
          label="CPUs at this instant"
          columns={columns}
          rows={instant.cpus}
          keyOf={({ cpu }) => `${cpu}`}
          initialSort={{ column: 'cpu', descending: false }}
          isSelected={({ cpu }) => selection?.cpu === cpu}
          isDimmed={({ cpu }) => changed.size > 0 && !changed.has(cpu)}
          onPick={({ cpu }) => void selectAt(page, cpu, instant.at_ns)}
          onOpen={({ cpu }) => void goTo(page, cpu, instant.at_ns)}
          listed={listed}
          busy={busy}
          empty="There are none."
        />
      </div>
    </section>
  );
}

function columnsAt(instant: InstantAnswer, clock: TraceClock): readonly Column<InstantCpu>[] {
  const queue = ({ queue: waiting }: InstantCpu): string =>
    waiting
      .map(
        ({ comm, pid, since_ns: since }) => `${taskName(comm, pid)} (${formatDuration(clock, instant.at_ns - since)})`,
      )
      .join(', ');
  const since = ({ since_ns: from }: InstantCpu): string =>
    from === null ? '' : formatDuration(clock, instant.at_ns - from);
  return [
    {
      id: 'cpu',
      text: 'CPU',
      title: 'A click selects its run',
      width: 52,
      numeric: true,
      cell: (row) => `${row.cpu}`,
      sortBy: (row) => row.cpu,
      copy: { text: (row) => `${row.cpu}`, name: 'cpu', value: (row) => row.cpu },
    },
    {
      id: 'task',
      text: 'Runs',
      title: 'The task that it runs',
      width: 104,
      grows: true,
      cell: (row) => (
        <span className={row.task ? undefined : 'muted'} title={runs(row)}>
          {runs(row)}
        </span>
      ),
      sortBy: runs,
      copy: { text: runs, name: 'runs', value: runs },
    },
    {
      id: 'since',
      text: 'For',
      title: 'For how long',
      width: 70,
      numeric: true,
      cell: since,
      sortBy: (row) => (row.since_ns === null ? -1 : instant.at_ns - row.since_ns),
      copy: {
        text: since,
        name: clock.isNs ? 'for_ns' : 'for_ticks',
        value: (row) => (row.since_ns === null ? '' : instant.at_ns - row.since_ns),
      },
    },
    {
      id: 'queue',
      text: 'Waiting there',
      title: 'Tasks on its runqueue, and for how long they have waited',
      width: 120,
      grows: true,
      cell: (row) => <span title={queue(row)}>{queue(row)}</span>,
      sortBy: (row) => row.queue.length,
      copy: { text: queue, name: 'waiting', value: queue },
    },
  ];
}
