import type { ReactNode } from 'react';
import { formatCount, formatDuration, formatPercent } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import { WideTable } from '../../components/WideTable';
import type { ReachRow, WakesReport } from '../../engine/protocol';
import { REACH_TEXTS } from '../../page/relations/words';

/** How far wakeups reached: from the waker's CPU, and from where the task last ran, to the CPU that was chosen. */
export function Distances({ report, clock }: { readonly report: WakesReport; readonly clock: TraceClock }): ReactNode {
  const share = (count: number): string => (report.count === 0 ? '' : formatPercent(count / report.count));
  const cells = ({ count, latency_ns: ns }: ReachRow['from_waker']): readonly string[] => [
    formatCount(count),
    share(count),
    count === 0 ? '–' : formatDuration(clock, ns / count),
  ];
  return (
    <section>
      <h3>By distance to the chosen CPU</h3>
      <WideTable label="Wakeups by distance">
        <table className="numbers" aria-label="Wakeups by distance">
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">Distance</span>
              </th>
              <th scope="col">From waker’s</th>
              <th scope="col">Share</th>
              <th
                scope="col"
                title="Mean wake-up latency, from sched_waking (without one, sched_wakeup) to the switch-in"
              >
                Mean
              </th>
              <th scope="col" title="From the CPU on which the task last ran">
                From last
              </th>
              <th scope="col">Share</th>
              <th
                scope="col"
                title="Mean wake-up latency, from sched_waking (without one, sched_wakeup) to the switch-in"
              >
                Mean
              </th>
            </tr>
          </thead>
          <tbody>
            {report.distances.map((row) => (
              <tr key={row.reach}>
                <th scope="row">{REACH_TEXTS[row.reach]}</th>
                {cells(row.from_waker).map((text, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the columns stay.
                  <td key={`waker${place}`}>{text}</td>
                ))}
                {cells(row.from_last).map((text, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the columns stay.
                  <td key={`last${place}`}>{text}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
      {report.topology === null && (
        <p className="hint small">A topology (the button above the lanes) adds caches and sockets.</p>
      )}
    </section>
  );
}
