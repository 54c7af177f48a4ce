import { type ReactNode, useMemo } from 'react';
import { formatCpuList } from '../../base/cpuList';
import { formatCount } from '../../base/format';
import type { TimeWindow } from '../../base/units';
import { useObservable } from '../../components/useObservable';
import type { DomainOverload, Summary } from '../../engine/protocol';
import { clockOf } from '../../state/traces';
import { usePage, useView } from '../context';
import { Duration } from '../Facts';
import { useQuery } from '../useQuery';
import './topology.css';

/** Overload within each socket and last-level cache, where the machine is known. */
export function DomainViolations({
  summary,
  window,
}: {
  readonly summary: Summary;
  readonly window: TimeWindow;
}): ReactNode {
  const { engine, machine } = usePage();
  const topology = useObservable(machine.topology);
  const movable = useView((view) => view.findings.movable);
  const forked = useView((view) => view.forked);
  const clock = useMemo(() => clockOf(summary), [summary]);
  const selection = { window, forked, movable, target: null, comms: [], pids: [], cpus: null };
  const { answer, pending } = useQuery(engine, 'range/domains', topology && { type: 'domains', selection });
  const report = answer?.report;
  if (topology === null || !report) return null;
  return (
    <div aria-busy={pending}>
      <table className="domains">
        <caption>
          Tasks that queue behind others on a CPU of the same socket or cache as one that is idle; times are summed over
          tasks
          {movable && ', without tasks that never ran on a second CPU'}
        </caption>
        <thead>
          <tr>
            <th scope="col">Part</th>
            <th scope="col">CPUs</th>
            <th scope="col">Waiting</th>
            <th scope="col">Behind others</th>
            <th scope="col">Lost task time</th>
            <th scope="col" title="Tasks that waited only for their own idle CPU to wake up">
              CPU waking up
            </th>
            <th scope="col">Times</th>
          </tr>
        </thead>
        <tbody>
          {report.domains.map((found) => (
            <tr key={`${found.domain}${found.number}`}>
              <th scope="row">{nameOf(found)}</th>
              <td>{formatCpuList(found.cpus)}</td>
              {[found.wait_ns, found.behind_ns, found.behind_cost_task_ns, found.leaving_idle_task_ns].map(
                (duration, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move.
                  <td key={column} className="number">
                    <Duration clock={clock} of={duration} />
                  </td>
                ),
              )}
              <td className="number">{formatCount(found.behind_intervals)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {report.unplaced_wait_ns > 0 && (
        <p className="hint small">
          For <Duration clock={clock} of={report.unplaced_wait_ns} /> of waiting the trace does not say the CPU.
        </p>
      )}
    </div>
  );
}

const nameOf = ({ domain, number }: DomainOverload): string =>
  domain === 'socket' ? `Socket ${number}` : `LLC ${number}`;
