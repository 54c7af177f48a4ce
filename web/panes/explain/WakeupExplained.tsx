import type { ReactNode } from 'react';
import { formatCpuList } from '../../base/cpuList';
import { formatDuration, plural } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import type { Ns } from '../../base/units';
import { Fold } from '../../components/Fold';
import { useObservable } from '../../components/useObservable';
import type { Cpu, Interval, Summary, WakeupEdge } from '../../engine/protocol';
import { idleByDistance } from '../../page/explain/idleByDistance';
import { latencyParts } from '../../page/explain/latencyParts';
import { placementInWords } from '../../page/explain/placementWords';
import { contextInWords, wakerInWords } from '../../page/words';
import { usePage } from '../context';
import { Doubt } from '../Doubt';
import { Duration, Facts, RunLink, Time } from '../Facts';
import { useQuery } from '../useQuery';
import { CpuLink } from './CpuLink';
import './explain.css';

interface WakeupExplainedProps {
  readonly wakeup: WakeupEdge;
  readonly run: Interval;
  readonly clock: TraceClock;
  readonly origin: Ns;
  readonly summary: Summary;
}

/** The wakeup before a run, where it placed the task, and where else it could have. */
export function WakeupExplained({ wakeup, run, clock, origin, summary }: WakeupExplainedProps): ReactNode {
  const { engine, machine } = usePage();
  const topology = useObservable(machine.topology);
  const then = (cpu: Cpu | null): ReactNode => (cpu === null ? 'not known' : <CpuLink cpu={cpu} at={wakeup.at_ns} />);
  const query = useQuery(engine, 'explain/placement', { type: 'placement', cpu: run.cpu, at: run.start });
  const choice = query.answer?.placement?.choice ?? null;
  const idle = choice?.idle_cpus ?? [];
  const nearest =
    topology && wakeup.previous_cpu !== null && idle.length > 0
      ? idleByDistance(idle, wakeup.previous_cpu, topology)
          .map(({ text, cpus }) => `${text}: ${formatCpuList(cpus)}`)
          .join('; ')
      : null;
  return (
    <section aria-label="Wakeup" aria-busy={query.pending}>
      <Fold
        name="wakeup"
        title={
          <>
            <h3>Wakeup and placement</h3>
            {wakeup.uncertain && <Doubt />}
          </>
        }
      >
        <Facts
          facts={[
            ['Waker', <Waker key="waker" wakeup={wakeup} />],
            [
              'At',
              <>
                <Time clock={clock} at={wakeup.at_ns} origin={origin} /> <code>{wakeup.event}</code>
              </>,
            ],
            ['Latency', <Latency key="latency" wakeup={wakeup} run={run} clock={clock} />],
            ['Last CPU', then(wakeup.previous_cpu)],
            ['Waker’s CPU', then(wakeup.waker_cpu)],
            ['Chosen CPU', then(wakeup.chosen_cpu)],
            [
              'Idle then',
              choice === null
                ? null
                : idle.length === 0
                  ? 'none'
                  : `${formatCpuList(idle)} (${plural(idle.length, 'CPU')} of ${summary.cpus.length})`,
            ],
            ['By distance', nearest],
          ]}
        />
        {choice && (
          <ul className="remarks">
            {placementInWords(wakeup, choice).map(({ text, isOdd }) => (
              <li key={text} className={isOdd ? 'odd' : undefined}>
                {text}
              </li>
            ))}
          </ul>
        )}
      </Fold>
    </section>
  );
}

/** The latency, as one bar with its parts if the task was not on a runqueue at once. */
function Latency({ wakeup, run, clock }: Pick<WakeupExplainedProps, 'wakeup' | 'run' | 'clock'>): ReactNode {
  const parts = latencyParts(run, wakeup);
  return (
    <>
      <Duration clock={clock} of={run.start - wakeup.at_ns} />
      {parts.length > 0 && (
        <>
          <span className="latency-bar" aria-hidden="true">
            {parts.map(({ ns, text }) => (
              <span key={text} style={{ flexGrow: ns }} />
            ))}
          </span>
          <ul className="latency-parts">
            {parts.map(({ ns, text }) => (
              <li key={text}>
                {formatDuration(clock, ns)} <span className="muted">{text}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** The waker, with a link to the run in which it made the wakeup. */
function Waker({ wakeup }: { readonly wakeup: WakeupEdge }): ReactNode {
  const context = contextInWords[wakeup.context];
  if (wakeup.waker.kind === 'unknown') {
    return `not known, ${context}`;
  }
  return (
    <>
      <RunLink cpu={wakeup.waker_cpu} at={wakeup.at_ns} title={`Go to what was on CPU ${wakeup.waker_cpu} then`}>
        {wakerInWords(wakeup)}
      </RunLink>
      , {context}
    </>
  );
}
