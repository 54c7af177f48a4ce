import type { ReactNode } from 'react';
import { formatCpuList } from '../../base/cpuList';
import { plural } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import type { Ns } from '../../base/units';
import { Fold } from '../../components/Fold';
import { useObservable } from '../../components/useObservable';
import type { Cpu, Interval, Summary, Wakeup } from '../../engine/protocol';
import { idleByDistance } from '../../page/explain/idleByDistance';
import { placementInWords } from '../../page/explain/placementWords';
import { contextInWords, taskName } from '../../page/words';
import { usePage } from '../context';
import { Doubt } from '../Doubt';
import { Duration, Facts, RunLink, Time } from '../Facts';
import { useQuery } from '../useQuery';
import { CpuLink } from './CpuLink';
import './explain.css';

interface WakeupExplainedProps {
  readonly wakeup: Wakeup;
  readonly run: Interval;
  readonly clock: TraceClock;
  readonly origin: Ns;
  readonly summary: Summary;
}

/** The wakeup before a run, where it placed the task, and where it could have. */
export function WakeupExplained({ wakeup, run, clock, origin, summary }: WakeupExplainedProps): ReactNode {
  const { engine, machine } = usePage();
  const topology = useObservable(machine.topology);
  const query = useQuery(engine, 'explain/placement', { type: 'placement', cpu: run.cpu, at: run.start });
  const placement = query.answer?.placement ?? null;
  const then = (cpu: Cpu | null): ReactNode => (cpu === null ? 'not known' : <CpuLink cpu={cpu} at={wakeup.at} />);
  const idle = wakeup.idle_cpus;
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
            {placement?.uncertain && <Doubt />}
          </>
        }
      >
        <Facts
          facts={[
            ['Waker', <Waker key="waker" wakeup={wakeup} />],
            [
              'At',
              <>
                <Time clock={clock} at={wakeup.at} origin={origin} /> <code>{wakeup.event}</code>
              </>,
            ],
            ['Latency', <Duration key="latency" clock={clock} of={run.start - wakeup.at} />],
            ['Last CPU', then(wakeup.previous_cpu)],
            ['Waker’s CPU', then(wakeup.waker_cpu)],
            ['Chosen CPU', then(wakeup.chosen_cpu)],
            [
              'Idle then',
              idle.length === 0
                ? 'none'
                : `${formatCpuList(idle)} (${plural(idle.length, 'CPU')} of ${summary.cpus.length})`,
            ],
            ['By distance', nearest],
          ]}
        />
        {placement && (
          <ul className="remarks">
            {placementInWords(placement).map(({ text, isOdd }) => (
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

/** Who it was, with a way to the run in which it happened. */
function Waker({ wakeup }: { readonly wakeup: Wakeup }): ReactNode {
  const context = contextInWords[wakeup.context];
  if (!wakeup.waker) {
    return `not known, ${context}`;
  }
  const name = taskName(wakeup.waker.comm, wakeup.waker.pid);
  return (
    <>
      <RunLink cpu={wakeup.waker_cpu} at={wakeup.at} title={`Go to what was on CPU ${wakeup.waker_cpu} then`}>
        {name}
      </RunLink>
      , {context}
    </>
  );
}
