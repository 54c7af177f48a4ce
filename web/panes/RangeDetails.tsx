import { type ReactNode, useMemo } from 'react';
import { formatPercent } from '../base/format';
import type { Summary } from '../engine/protocol';
import { useQuery } from '../engine/useQuery';
import { clockOf } from '../state/session';
import { usePage, useView } from './context';
import { Duration, Facts, Time } from './Facts';
import { useOrigin } from './useOrigin';
import { useRestingWindow } from './useRestingWindow';

const mean = (value: number): string => `${value.toFixed(2)} tasks`;

/** Running and waiting over the chosen range; over the window while there is none. */
export function RangeDetails({ summary }: { readonly summary: Summary }): ReactNode {
  const { engine } = usePage();
  const range = useView((view) => view.range);
  const resting = useRestingWindow();
  const origin = useOrigin();
  const clock = useMemo(() => clockOf(summary), [summary]);
  const window = range ?? resting;
  const query = useQuery(engine, 'range', { type: 'stats', window });
  const stats = query.answer?.stats;
  return (
    <div className="details" aria-busy={query.pending}>
      <h3 className="details-head">{range ? 'Selected range' : 'Window'}</h3>
      <Facts
        facts={[
          ['From', <Time key="from" clock={clock} at={window.start} origin={origin} />],
          ['To', <Time key="to" clock={clock} at={window.end} origin={origin} />],
          ['Duration', <Duration key="duration" clock={clock} of={window.end - window.start} />],
        ]}
      />
      {query.error && <p className="hint">{query.error.what}</p>}
      {stats && (
        <>
          <Facts
            facts={[
              ['Running', `${mean(stats.running.mean)} on average, at most ${stats.running.max}`],
              ['Waiting', `${mean(stats.waiting.mean)} on average, at most ${stats.waiting.max}`],
              ['Utilisation', `${formatPercent(stats.utilisation)} of ${summary.cpus.length} CPUs`],
            ]}
          />
          <section>
            <h3>Work conservation</h3>
            <Facts
              facts={[
                ['Violated for', <Duration key="violated" clock={clock} of={stats.violationNs} />],
                ['Cost', <Duration key="cost" clock={clock} of={stats.costTaskNs} />],
              ]}
            />
            <p className="hint small">
              Some task waits while some CPU idles; the cost sums min(waiting tasks, idle CPUs) over time. A trace holds
              no affinity masks: pinned tasks look like violations.
            </p>
          </section>
        </>
      )}
      {!range && <p className="hint">Shift+drag on the lanes, or press R, to choose a range.</p>}
    </div>
  );
}
