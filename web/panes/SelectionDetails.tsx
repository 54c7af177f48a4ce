import { type ReactNode, useMemo } from 'react';
import { formatCpuList } from '../base/cpuList';
import { exactDuration, plural } from '../base/format';
import type { TraceClock } from '../base/traceTime';
import type { Ns } from '../base/units';
import { useObservable } from '../components/useObservable';
import type { Chain, Interval, Summary, Wakeup } from '../engine/protocol';
import type { Cascade } from '../engine/protocolExplain';
import { useQuery } from '../engine/useQuery';
import { clockOf } from '../state/session';
import { usePage, useScene, useView } from './context';
import { Duration, Facts, Time } from './Facts';
import { CascadeOf } from './findings/CascadeOf';
import { useOrigin } from './useOrigin';
import { WakeupChain } from './WakeupChain';
import { contextInWords, endStateInWords, taskName } from './words';

interface SelectionDetailsProps {
  readonly summary: Summary;
  /** Of the selection; null while it is not known, and for what is not a run. */
  readonly chain: Chain | null;
  readonly cascade: Cascade | null;
}

/** The selected interval: who, where, from when to when, why it stopped, how long it had waited, who woke it. */
export function SelectionDetails({ summary, chain, cascade }: SelectionDetailsProps): ReactNode {
  const { engine } = usePage();
  const selection = useView((view) => view.selection);
  const origin = useOrigin();
  const clock = useMemo(() => clockOf(summary), [summary]);
  const picked = useQuery(engine, 'selection', selection && { type: 'pick', cpu: selection.cpu, at: selection.start });
  if (!selection) {
    return (
      <p className="hint">
        Click a run on a lane, or press <kbd>.</kbd> for the next one, to see who ran, why it stopped, and who woke it.
      </p>
    );
  }
  const interval = picked.answer?.interval;
  if (!interval) {
    return <p className="hint">{picked.error?.what ?? (picked.pending ? '' : 'Nothing is here in this view.')}</p>;
  }
  return (
    <div className="details" aria-busy={picked.pending}>
      <IntervalHead interval={interval} />
      <Facts facts={intervalFacts(interval, clock, origin)} />
      {interval.wakeup && (
        <WakeupFacts wakeup={interval.wakeup} run={interval} clock={clock} origin={origin} summary={summary} />
      )}
      <CascadeOf cascade={cascade} clock={clock} origin={origin} />
      {chain && <WakeupChain chain={chain} clock={clock} origin={origin} />}
    </div>
  );
}

function IntervalHead({ interval }: { readonly interval: Interval }): ReactNode {
  const { colours } = useScene();
  const colour = useView((view) => view.colour);
  const target = useView((view) => view.target);
  // Other colours come with another theme.
  useObservable(usePage().theme);
  switch (interval.kind) {
    case 'run':
      return (
        <h3 className="details-head">
          <span
            className="swatch"
            style={{ background: colours.ofRun({ colour, target }, interval.pid ?? 0, interval.comm ?? '') }}
          />
          {taskName(interval.comm ?? '', interval.pid ?? 0)}
          <span className="muted">on CPU {interval.cpu}</span>
        </h3>
      );
    case 'idle':
      return (
        <h3 className="details-head">
          Idle <span className="muted">CPU {interval.cpu}</span>
        </h3>
      );
    case 'unknown':
      return (
        <h3 className="details-head">
          Unknown <span className="muted">on CPU {interval.cpu}: no event says what ran here</span>
        </h3>
      );
  }
}

function intervalFacts(interval: Interval, clock: TraceClock, origin: Ns): [string, ReactNode][] {
  const facts: [string, ReactNode][] = [
    [
      'From',
      <>
        <Time clock={clock} at={interval.start} origin={origin} />
        {interval.inferred && <span className="muted"> or earlier: its start was not seen</span>}
      </>,
    ],
    [
      'To',
      <>
        <Time clock={clock} at={interval.end} origin={origin} />
        {interval.open && <span className="muted"> end of the trace</span>}
      </>,
    ],
    ['Duration', <Duration key="duration" clock={clock} of={interval.end - interval.start} />],
  ];
  if (interval.kind !== 'run') {
    return facts;
  }
  return [
    ...facts,
    ['Stopped', endStateInWords({ endState: interval.endState ?? null, open: interval.open })],
    ['Waited', waitInWords(interval, clock)],
    ['Priority', interval.prio ?? null],
    ['Generation', interval.generation ? `${interval.generation + 1}th task with this PID` : null],
  ];
}

function waitInWords(run: Interval, clock: TraceClock): ReactNode {
  if (run.waitedSince === null || run.waitedSince === undefined) {
    return <span className="muted">Not known: no event says when it became runnable</span>;
  }
  const reason = { wakeup: ', since its wakeup', preempted: ', since it was switched out runnable' };
  return `${exactDuration(clock, run.start - run.waitedSince)}${run.waitCause ? reason[run.waitCause] : ''}`;
}

interface WakeupFactsProps {
  readonly wakeup: Wakeup;
  readonly run: Interval;
  readonly clock: TraceClock;
  readonly origin: Ns;
  readonly summary: Summary;
}

/** The wakeup before this run, and where it placed the task. */
function WakeupFacts({ wakeup, run, clock, origin, summary }: WakeupFactsProps): ReactNode {
  const waker = wakeup.waker ? taskName(wakeup.waker.comm, wakeup.waker.pid) : 'not known';
  const idle =
    wakeup.idleCpus.length === 0
      ? 'none'
      : `${formatCpuList(wakeup.idleCpus)} (${plural(wakeup.idleCpus.length, 'CPU')} of ${summary.cpus.length})`;
  return (
    <section>
      <h3>Wakeup</h3>
      <Facts
        facts={[
          ['Waker', `${waker}, ${contextInWords[wakeup.context]}`],
          [
            'At',
            <>
              <Time clock={clock} at={wakeup.at} origin={origin} /> <code>{wakeup.event}</code>
            </>,
          ],
          ['Latency', <Duration key="latency" clock={clock} of={run.start - wakeup.at} />],
          ['Last CPU', wakeup.previousCpu ?? 'not known'],
          ['Waker’s CPU', wakeup.wakerCpu],
          ['Chosen CPU', wakeup.chosenCpu ?? 'not known'],
          ['Idle then', idle],
        ]}
      />
    </section>
  );
}
