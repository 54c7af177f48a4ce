import { type CSSProperties, Fragment, type ReactNode, useState } from 'react';
import { exactDuration, formatDuration, formatPercent, plural } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import { Fold } from '../../components/Fold';
import type { Interval, WaitInfo } from '../../engine/protocol';
import { type WaitShare, waitShares } from '../../page/explain/waitShares';
import { taskName } from '../../page/words';
import { usePage } from '../context';
import { Doubt } from '../Doubt';
import { Facts, RunLink } from '../Facts';
import { useQuery } from '../useQuery';
import { CpuLink } from './CpuLink';
import './explain.css';

interface WaitExplainedProps {
  readonly run: Interval;
  readonly clock: TraceClock;
}

/**
 * Explains the wait before a run: which tasks had the CPU meanwhile, on which runqueues it was spent, and what idled.
 */
export function WaitExplained({ run, clock }: WaitExplainedProps): ReactNode {
  const { engine } = usePage();
  const query = useQuery(engine, 'explain/wait', { type: 'wait', cpu: run.cpu, at: run.start });
  const wait = query.answer?.wait ?? null;
  if (!wait || wait.wait_ns === 0) {
    return query.error ? <p className="hint">{query.error.what}</p> : null;
  }
  return (
    <section aria-label="Tasks that had its CPU" aria-busy={query.pending}>
      <Fold
        name="wait"
        title={
          <>
            <h3>Tasks that had its CPU</h3>
            <span className="muted nowrap">in {formatDuration(clock, wait.wait_ns)}</span>
            {wait.uncertain && <Doubt />}
          </>
        }
      >
        <Shares key={`${wait.cpu}@${wait.until_ns}`} wait={wait} clock={clock} />
        <Facts
          facts={[
            [wait.queues.length > 1 ? 'Runqueues' : 'Runqueue', <Queues key="queues" wait={wait} clock={clock} />],
            ['Waiting for the CPU to wake', wait.own_idle_ns > 0 ? timeInWords(wait.own_idle_ns, wait, clock) : null],
            [
              'Behind others',
              wait.behind_ns === 0
                ? 'never while another CPU was known to be idle'
                : `${timeInWords(wait.behind_ns, wait, clock)} while another CPU was idle`,
            ],
          ]}
        />
        {wait.own_idle_ns > 0 && (
          <p className="hint small">
            Its CPU was waking from idle: {formatDuration(clock, wait.own_idle_ns)}. That is no failure of the
            scheduler.
          </p>
        )}
        {wait.behind_ns > 0 && (
          <p className="hint small">
            It queued behind others while another CPU was idle: not work-conserving, unless the task was pinned. A trace
            holds no affinity masks.
          </p>
        )}
      </Fold>
    </section>
  );
}

const timeInWords = (time: number, { wait_ns }: WaitInfo, clock: TraceClock): string =>
  `${exactDuration(clock, time)} (${formatPercent(time / wait_ns)} of the wait)`;

/** How many tasks are listed before the user asks for more. */
const FEW = 6;

function Shares({ wait, clock }: { readonly wait: WaitInfo; readonly clock: TraceClock }): ReactNode {
  const [all, setAll] = useState(false);
  const shares = waitShares(wait, all ? wait.took.length : FEW);
  return (
    <>
      <ol className="shares">
        {shares.map((share) => (
          <li
            key={
              typeof share.who === 'string' ? share.who : `${share.who.pid}.${share.who.generation}.${share.who.comm}`
            }
            style={{ '--share': `${share.share * 100}%` } as CSSProperties}
          >
            <span className="share-name">{whoInWords(share, wait)}</span>
            <span title={exactDuration(clock, share.ns)}>{formatDuration(clock, share.ns)}</span>
            <span className="muted">{share.share < 0.0005 ? '< 0.1 %' : formatPercent(share.share)}</span>
          </li>
        ))}
      </ol>
      {wait.took.length > FEW && (
        <button type="button" className="link" onClick={() => setAll(!all)}>
          {all ? 'Only the longest' : `All ${plural(wait.took.length, 'task')}`}
        </button>
      )}
    </>
  );
}

function whoInWords({ who }: WaitShare, wait: WaitInfo): ReactNode {
  switch (who) {
    case 'idle':
      return <em>idle</em>;
    case 'unknown':
      return <em>not known</em>;
    case 'others':
      return <em>other tasks, of {plural(wait.took_total, 'task')}</em>;
    default:
      return (
        <RunLink
          cpu={who.run.cpu}
          at={who.run.start_ns}
          title={`Go to the first run of ${taskName(who.comm, who.pid)} meanwhile, on CPU ${who.run.cpu}`}
        >
          {taskName(who.comm, who.pid)}
        </RunLink>
      );
  }
}

/** The CPUs on whose runqueues the wait was spent, in order. */
function Queues({ wait, clock }: { readonly wait: WaitInfo; readonly clock: TraceClock }): ReactNode {
  return wait.queues.map(({ cpu, from_ns, to_ns }, index) => (
    <Fragment key={from_ns}>
      {index > 0 && ' → '}
      <span className="nowrap">
        <CpuLink cpu={cpu} at={from_ns} />
        {wait.queues.length > 1 && ` (${formatDuration(clock, to_ns - from_ns)})`}
      </span>
    </Fragment>
  ));
}
