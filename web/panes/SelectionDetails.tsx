import { type ReactNode, useMemo } from 'react';
import { exactDuration, formatDuration } from '../base/format';
import type { TraceClock } from '../base/traceTime';
import type { Ns } from '../base/units';
import { useObservable } from '../components/useObservable';
import {
  type Interval,
  isEarly,
  type KernelThread,
  type Metadata,
  type PartOfRun,
  type Summary,
  type TaskInfo,
  type WaitCause,
} from '../engine/protocol';
import { latencyParts } from '../page/explain/latencyParts';
import { endStateInWords, ordinal, priorityInWords, taskName } from '../page/words';
import { clockOf } from '../state/traces';
import { usePage, useScene, useView } from './context';
import { WaitExplained } from './explain/WaitExplained';
import { WakeupExplained } from './explain/WakeupExplained';
import { Duration, Facts, RunLink, Time } from './Facts';
import { CascadeOf } from './findings/CascadeOf';
import { useStolenTime } from './StolenTime';
import { LaneButton } from './tasks/LaneButton';
import { Untold } from './Untold';
import { useOrigin } from './useOrigin';
import { useQuery } from './useQuery';
import { WakeupChain } from './WakeupChain';

/** The selected interval while the trace loads: what the CPU's own events tell of it. */
export function EarlySelection({ metadata }: { readonly metadata: Metadata }): ReactNode {
  const { interval } = useObservable(usePage().selected);
  const origin = useOrigin();
  if (!interval) return null;
  return (
    <div className="details">
      <IntervalHead interval={interval} />
      <Facts facts={timeFacts(interval, clockOf(metadata), origin, true)} />
      <p className="hint">
        How long the task had waited, who woke it, and why it stopped are known once the trace is open.
      </p>
    </div>
  );
}

interface SelectionDetailsProps {
  readonly summary: Summary;
}

/** The selected interval: its task, CPU, begin and end, why it stopped, how long the task had waited, and its waker. */
export function SelectionDetails({ summary }: SelectionDetailsProps): ReactNode {
  const { engine, selected } = usePage();
  const { status, interval, chain, cascade, error } = useObservable(selected);
  const selection = useView((view) => view.selection);
  const origin = useOrigin();
  const clock = useMemo(() => clockOf(summary), [summary]);
  const task = interval?.task;
  const known = useQuery(
    engine,
    'selection/task',
    task === undefined ? null : { type: 'tasks', ids: [task], comm: null },
  );
  const stolen = useStolenTime(selection && interval, clock);
  if (!selection) {
    return (
      <p className="hint">
        Click a run on a lane, or press <kbd>.</kbd> for the next one, to see who ran, why it stopped, and who woke it.
      </p>
    );
  }
  if (!interval) {
    return <p className="hint">{error?.what ?? (status === 'asking' ? '' : 'Nothing is here in this view.')}</p>;
  }
  if (isEarly(interval)) {
    // The trace has just been opened: the rest is on its way.
    return (
      <div className="details" aria-busy>
        <IntervalHead interval={interval} />
        <Facts facts={timeFacts(interval, clock, origin)} />
      </div>
    );
  }
  return (
    <div className="details" aria-busy={status === 'asking'}>
      <IntervalHead interval={interval} />
      <Facts
        facts={[...intervalFacts(interval, known.answer?.tasks[0] ?? null, clock, origin), ['Interrupts', stolen]]}
      />
      {interval.kind === 'run' && <WaitExplained run={interval} clock={clock} />}
      {interval.wakeup && (
        <WakeupExplained wakeup={interval.wakeup} run={interval} clock={clock} origin={origin} summary={summary} />
      )}
      <CascadeOf cascade={cascade} clock={clock} origin={origin} />
      {interval.kind === 'run' && <Untold summary={summary} matters={['waker', 'context', 'chosen_cpu']} />}
      {chain && <WakeupChain chain={chain} clock={clock} origin={origin} />}
    </div>
  );
}

function IntervalHead({ interval }: { readonly interval: Interval }): ReactNode {
  const { colours } = useScene();
  const colour = useView((view) => view.colour);
  const target = useView((view) => view.target);
  // Colours change with the theme.
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
          <span className="spacer" />
          {!isEarly(interval) && <LaneButton task={{ pid: interval.pid ?? 0, generation: interval.generation ?? 0 }} />}
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

/** The text for a kernel thread; null where nothing is known, because most tasks are none. */
const KERNEL_THREAD: Readonly<Record<KernelThread, string | null>> = {
  yes: 'yes',
  likely: 'likely, by its name',
  unknown: null,
};

/** When it was, and how long; `isLoading`: a later event may still tell that it ends later. */
function timeFacts(interval: Interval, clock: TraceClock, origin: Ns, isLoading = false): [string, ReactNode][] {
  return [
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
        {interval.open && <span className="muted">{isLoading ? ' or later' : ' end of the trace'}</span>}
      </>,
    ],
    ['Duration', <Duration key="duration" clock={clock} of={interval.end - interval.start} />],
  ];
}

/** `task`: the task of the run, once it is known. */
function intervalFacts(
  interval: Interval,
  task: TaskInfo | null,
  clock: TraceClock,
  origin: Ns,
): [string, ReactNode][] {
  const facts = timeFacts(interval, clock, origin);
  if (interval.kind !== 'run') {
    return facts;
  }
  return [
    ...facts,
    ['Exec', interval.exec_from && <BeforeExec key="exec" run={interval} before={interval.exec_from} />],
    [
      'Stopped',
      interval.exec_to ? (
        <AfterExec key="exec" run={interval} after={interval.exec_to} />
      ) : (
        endStateInWords({
          end_state: interval.end_state ?? null,
          open: interval.open,
          throttled: interval.throttled ?? false,
          yielded: interval.yielded ?? false,
        })
      ),
    ],
    ['Waited', interval.exec_from ? null : waitInWords(interval, clock)],
    ['Priority', priorityInWords(interval)],
    ['Kernel thread', task && task.pid === interval.pid ? KERNEL_THREAD[task.kernel] : null],
    ['Generation', interval.generation ? `${ordinal(interval.generation + 1)} task with this PID` : null],
  ];
}

/** A run by a thread that did not lead its process and called exec, by which it got its leader's PID. */
function BeforeExec({ run, before }: { readonly run: Interval; readonly before: PartOfRun }): ReactNode {
  return (
    <>
      The same run was{' '}
      <RunLink cpu={run.cpu} at={before.start} title={`Go to the part of the run under PID ${before.pid}`}>
        PID {before.pid}
      </RunLink>{' '}
      until here: the thread took over its leader’s PID
    </>
  );
}

function AfterExec({ run, after }: { readonly run: Interval; readonly after: PartOfRun }): ReactNode {
  return (
    <>
      Not yet: by an exec it continues as{' '}
      <RunLink cpu={run.cpu} at={after.start} title={`Go to the part of the run under PID ${after.pid}`}>
        PID {after.pid}
      </RunLink>
      , which was its leader’s
    </>
  );
}

function waitInWords(run: Interval, clock: TraceClock): ReactNode {
  if (run.waited_since === null || run.waited_since === undefined) {
    return <span className="muted">Not known: no event says when it became runnable</span>;
  }
  const reason: Readonly<Record<WaitCause, string>> = {
    wakeup: ', since its wakeup',
    preempted: ', since it was switched out runnable',
    replenished: ', since it was moved while throttled: its next period had begun',
  };
  const waited = exactDuration(clock, run.start - run.waited_since);
  // The latency has a part before the wait.
  return run.wakeup && latencyParts(run, run.wakeup).length > 0
    ? `${waited} on a runqueue, of a latency of ${formatDuration(clock, run.start - run.wakeup.at_ns)}`
    : `${waited}${run.wait_cause ? reason[run.wait_cause] : ''}`;
}
