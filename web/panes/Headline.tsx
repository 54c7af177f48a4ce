import type { ReactNode } from 'react';
import { formatDuration, plural } from '../base/format';
import { useObservable } from '../components/useObservable';
import type { Summary } from '../engine/protocol';
import { overloadFinding } from '../page/findings/findingsList';
import { goToFinding } from '../page/findings/stepFinding';
import { isIncomplete } from '../page/words';
import { clockOf } from '../state/traces';
import { timeBounds } from '../state/viewState';
import { ColourKey } from './ColourKey';
import { usePage, useSession, useView } from './context';
import { CounterKey, FilterNote } from './later';
import { useQuery } from './useQuery';
import { WindowText } from './WindowText';

/** What there is to know of the trace in a line, and a way to the worst of it; and the window in words. */
export function Headline(): ReactNode {
  const session = useSession();
  return (
    <div className="headline">
      {session.kind === 'open' && session.summary.sched_events > 0 && <OfTrace summary={session.summary} />}
      <ColourKey />
      <CounterKey />
      <span className="spacer" />
      <WindowText />
    </div>
  );
}

function OfTrace({ summary }: { readonly summary: Summary }): ReactNode {
  const page = usePage();
  const { store } = page;
  const clock = clockOf(summary);
  const forked = useView((view) => view.forked);
  const movable = useView((view) => view.findings.movable);
  // A text, because the view changes with every move and the bounds do not.
  const bounds = useView((view) => JSON.stringify(timeBounds(view, store.getLimits())));
  const window = JSON.parse(bounds);
  const { answer } = useQuery(page.engine, 'headline', {
    type: 'behind',
    selection: {
      window: window.start > 0 ? window : null,
      forked,
      movable,
      target: null,
      comms: [],
      pids: [],
      cpus: null,
    },
  });
  const worst = answer?.worst;
  // Some of the queueing may be time in which tasks ran unseen.
  const doubt = isIncomplete(summary);
  const nonePasses = useObservable(page.engine.passing) === 0;
  return (
    <p className="headline-text" aria-label="Headline" role="note">
      <FilterNote />{' '}
      {answer && worst && !nonePasses && (
        <>
          For {doubt && 'up to '}
          <strong
            title={
              doubt ? 'Uncertain: records are missing, so some of it may be time in which tasks ran unseen' : undefined
            }
          >
            {formatDuration(clock, answer.behind_ns)}
          </strong>{' '}
          tasks queued behind others while CPUs were idle{' '}
          <button
            type="button"
            className="button small"
            title={`Go there: ${plural(worst.tasks_total, 'task')} waited in it, and ${plural(worst.idle_cpus.length, 'CPU')} idled${worst.uncertain ? '; records are missing, so it may be less' : ''}`}
            onClick={() => goToFinding(page, overloadFinding(worst))}
          >
            Show worst
          </button>{' '}
          <span className="headline-worst">
            {formatDuration(clock, worst.duration_ns)}, up to {worst.waiting_max} waiting
          </span>
        </>
      )}
      {answer && !worst && !nonePasses && (
        <>
          {forked || movable ? 'None of the tasks that count' : 'No task'} queued behind another while a CPU was idle.
        </>
      )}
    </p>
  );
}
