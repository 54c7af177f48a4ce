import { type ReactNode, useMemo } from 'react';
import { formatPercent, plural } from '../base/format';
import type { Summary, WindowStats } from '../engine/protocol';
import { copyRange } from '../page/mail/copyRange';
import { clockOf } from '../state/traces';
import { usePage, useView } from './context';
import { Duration, Facts, Time } from './Facts';
import { RangeTables } from './stats/RangeTables';
import { useLiveWindow } from './stats/useLiveWindow';
import { DomainViolations } from './topology/DomainViolations';
import { Untold } from './Untold';
import { useOrigin } from './useOrigin';
import { useQuery } from './useQuery';
import { useRestingWindow } from './useRestingWindow';

const mean = (value: number): string => `${value.toFixed(2)} tasks`;

/** The utilisation of all CPUs; where some are unknown for a part of the time, of the known CPUs. */
function utilisation({ running, utilisation, known_cpus: knownCpus }: WindowStats, all: number): string {
  if (knownCpus > all - 0.005) {
    return `${formatPercent(utilisation)} of ${plural(all, 'CPU')}`;
  }
  const share = knownCpus > 0 ? formatPercent(running.mean / knownCpus) : 'not known:';
  return `${share} of the ${knownCpus.toFixed(2)} CPUs recorded on average, of ${all}`;
}

/** Statistics of the selected range, or of the window if there is no range. */
export function RangeDetails({ summary }: { readonly summary: Summary }): ReactNode {
  const page = usePage();
  const { engine } = page;
  const range = useView((view) => view.range);
  const live = useLiveWindow();
  const origin = useOrigin();
  const clock = useMemo(() => clockOf(summary), [summary]);
  const window = range ?? live;
  const resting = useRestingWindow();
  const query = useQuery(engine, 'range', { type: 'stats', window });
  const stats = query.answer?.stats;
  return (
    <div className="range-details">
      <div className="details" aria-busy={query.pending}>
        <h3 className="details-head">
          {range ? 'Selected range' : 'Window'}
          {!range && <span className="muted small">Shift+drag on the lanes, or press R, to choose a range.</span>}
          <span className="spacer" />
          <button
            type="button"
            className="button small"
            title="Copy its numbers, its longest waits and the events of the longest, as text for a mail (Y)"
            onClick={() => void copyRange(page)}
          >
            Copy as text
          </button>
        </h3>
        {query.error && <p className="hint">{query.error.what}</p>}
        <Untold summary={summary} matters={['migrations']} />
        <Facts
          facts={[
            [
              'Time',
              <span key="time">
                <Time clock={clock} at={window.start} origin={origin} /> to{' '}
                <Time clock={clock} at={window.end} origin={origin} />:{' '}
                <Duration clock={clock} of={window.end - window.start} />
              </span>,
            ],
            ['Running', stats && `${mean(stats.running.mean)} on average, at most ${stats.running.max}`],
            [
              'Waiting',
              stats && (
                <span
                  key="waiting"
                  className={stats.known_cpus < summary.cpus.length - 0.005 ? 'uncertain' : undefined}
                >
                  {mean(stats.waiting.mean)} on average, at most {stats.waiting.max}
                </span>
              ),
            ],
            ['Utilisation', stats && utilisation(stats, summary.cpus.length)],
            [
              'Behind others',
              stats && (
                <span
                  key="behind"
                  title="A violation of work conservation: some task queues behind another while some CPU is idle. Lost task time sums min(tasks behind others, idle CPUs) over time."
                >
                  for <Duration clock={clock} of={stats.behind_ns} /> while CPUs were idle;{' '}
                  <Duration clock={clock} of={stats.behind_cost_task_ns} /> of task time lost
                </span>
              ),
            ],
            [
              'Leaving idle',
              stats && (
                <span
                  key="leaving"
                  title="Some task waits for its own idle CPU to wake up: no violation. The second number sums the tasks that do over time."
                >
                  for <Duration clock={clock} of={stats.leaving_idle_ns} />,{' '}
                  <Duration clock={clock} of={stats.leaving_idle_task_ns} /> of task time
                </span>
              ),
            ],
          ]}
        />
        <DomainViolations summary={summary} window={range ?? resting} />
        {stats && stats.behind_ns > 0 && (
          <p className="hint small">A trace holds no affinity masks: pinned tasks look like violations.</p>
        )}
      </div>
      <RangeTables summary={summary} window={window} of={range ? 'selected range' : 'window'} />
    </div>
  );
}
