import { type ReactNode, useState } from 'react';
import { formatCpuList } from '../../base/cpuList';
import { formatDuration, plural } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import { type Ns, ns } from '../../base/units';
import type { Cascade, Finding, RunPlace } from '../../engine/protocol';
import { goToCallAt } from '../../page/calls/goToCall';
import { intervalOf, selectionOf } from '../../page/findings/findingsList';
import { taskName, wakerInWords } from '../../page/words';
import { usePage, useView } from '../context';
import { RunLink } from '../Facts';
import { useQuery } from '../useQuery';
import { CascadeMoves } from './CascadeMoves';

interface FindingDetailProps {
  readonly finding: Finding;
  /** The cascade of the selected run. */
  readonly cascade: Cascade | null;
  readonly clock: TraceClock;
  readonly origin: Ns;
}

/** Further facts about the finding that the view shows. */
export function FindingDetail({ finding, cascade, clock, origin }: FindingDetailProps): ReactNode {
  const page = usePage();
  const { store } = page;
  const { kind, run, tasks } = finding;
  const [task] = tasks;
  return (
    <div className="finding-detail">
      {kind === 'overload' && <OverloadDetail finding={finding} clock={clock} />}
      {kind === 'moved_off_idle' && run && <PlacementDetail run={run} />}
      {kind === 'cascade' && cascade && <CascadeMoves cascade={cascade} clock={clock} origin={origin} />}
      {finding.call !== undefined && task && (
        <button
          type="button"
          className="link"
          title="What the thread did in the call, who ended it, and the other calls of its kind"
          onClick={() => {
            // The row of all calls of this name.
            store.dispatch({ type: 'tab', tab: 'syscalls' });
            store.dispatch({ type: 'calls', change: { by: 'call', list: 'calls', errors: false } });
            const call = { pid: task.pid, generation: task.generation, at: finding.start_ns };
            void goToCallAt(page, call, finding.call ?? null, null);
          }}
        >
          Show the call
        </button>
      )}
      {run && (
        <button
          type="button"
          className="link"
          title="What the selected run was, why it stopped, which task had its CPU before, and which one woke it"
          onClick={() => store.dispatch({ type: 'tab', tab: 'selection' })}
        >
          Details of the selected run
        </button>
      )}
    </div>
  );
}

/** The wakeup that placed the task, and which other CPUs it could have used. */
function PlacementDetail({ run }: { readonly run: RunPlace }): ReactNode {
  const { engine } = usePage();
  const query = useQuery(engine, 'placementDetail', { type: 'placement', cpu: run.cpu, at: run.start_ns });
  const placement = query.answer?.placement;
  if (!placement?.choice) {
    return null;
  }
  const { idle_cpus, chosen_was_free } = placement.choice;
  const waker = placement.waker.kind === 'unknown' ? 'a task that is not known' : wakerInWords(placement);
  return (
    <p aria-busy={query.pending}>
      Woken by {waker} on CPU {placement.waker_cpu}. Idle then:{' '}
      {idle_cpus.length === 0 ? 'none known' : `CPUs ${formatCpuList(idle_cpus)}`}.
      {chosen_was_free === false && ' The chosen CPU was not free.'}
    </p>
  );
}

/** The most tasks that are listed at first. */
const MOST_TASKS = 8;

/** The tasks that waited and the CPUs that idled, and for how long each did. */
function OverloadDetail({ finding, clock }: Pick<FindingDetailProps, 'finding' | 'clock'>): ReactNode {
  const { engine, store } = usePage();
  const selection = useView((view) => JSON.stringify(selectionOf(view, store.getLimits())));
  const query = useQuery(engine, 'overloadDetail', {
    type: 'overload',
    selection: { ...JSON.parse(selection), window: intervalOf(finding) },
    min_duration: ns(0),
    top: 1,
  });
  // Of this finding: each has a row of its own.
  const [whole, setWhole] = useState(false);
  const violation = query.answer?.report.behind[0];
  if (!violation) {
    return null;
  }
  const { tasks, tasks_total, idle_cpus } = violation;
  const listed = tasks.slice(0, whole ? tasks.length : MOST_TASKS);
  const others = plural(tasks_total - listed.length, 'task');
  return (
    <div aria-busy={query.pending}>
      <p>
        At most {plural(violation.waiting_max, 'task')} queued behind others at a time; CPUs that were idle for some of
        it: {formatCpuList(idle_cpus.map(({ cpu }) => cpu))}.
      </p>
      <ul aria-label="Waiting tasks">
        {listed.map((task) => {
          const name = taskName(task.comm, task.pid);
          return (
            <li key={`${task.pid} ${task.generation} ${task.comm}`}>
              {task.run ? (
                <RunLink
                  cpu={task.run.cpu}
                  at={task.run.start_ns}
                  title={`Go to the run that ended the wait of ${name}`}
                >
                  {name}
                </RunLink>
              ) : (
                name
              )}{' '}
              <span className="muted">
                waited {formatDuration(clock, task.waited_ns)}
                {task.run && ` for CPU ${task.run.cpu}`}
              </span>
            </li>
          );
        })}
        {tasks_total > listed.length && (
          <li className="muted">
            {listed.length < tasks.length ? (
              <button type="button" className="link" onClick={() => setWhole(true)}>
                and {others} more
              </button>
            ) : (
              `and ${others} more`
            )}
          </li>
        )}
      </ul>
    </div>
  );
}
