import { type ReactNode, useMemo } from 'react';
import { formatCpuList } from '../base/cpuList';
import { formatBytes, formatCount, plural } from '../base/format';
import { absoluteText } from '../base/traceTime';
import { ns } from '../base/units';
import { useObservable } from '../components/useObservable';
import type { Summary } from '../engine/protocol';
import { formatInWords, untold } from '../page/cannotTell';
import { pageKept } from '../page/offline';
import { clockOf } from '../state/traces';
import { Duration, Facts, Time } from './Facts';
import { StoredModels } from './StoredModels';
import { useOrigin } from './useOrigin';

const OFFLINE = {
  storing: 'the page is being stored in this browser',
  yes: 'the page opens: this browser has stored it',
  no: 'the page does not open: this browser could not store it',
} as const;

/** Facts about the trace itself, and about the page that shows it. */
export function TraceFacts({ summary }: { readonly summary: Summary }): ReactNode {
  const clock = useMemo(() => clockOf(summary), [summary]);
  const origin = useOrigin();
  const kept = useObservable(pageKept);
  const unit = clock.isNs ? ' s' : ' ticks';
  return (
    <div className="details">
      <h3 className="details-head">{summary.name}</h3>
      <Facts
        facts={[
          ['File', `${formatBytes(summary.size)} (${formatCount(summary.size)} bytes)`],
          ['Format', `${formatInWords(summary)}, version ${summary.version}`],
          ['Limits', <UntoldList key="untold" summary={summary} />],
          ['Opened', <StoredModels key="opened" restored={summary.restored} />],
          ['Fingerprint', <code key="fingerprint">{summary.fingerprint}</code>],
          ['Kernel', summary.uname ?? 'not recorded'],
          ['Clock', `${summary.clock === '' ? 'not recorded' : summary.clock}${clock.isNs ? '' : ' (raw ticks)'}`],
          ['CPUs', `${formatCpuList(summary.cpus)} (${summary.cpus.length})`],
          ['First event', absoluteText(clock, ns(0)) + unit],
          ['Last event', absoluteText(clock, summary.span) + unit],
          ['Duration', <Duration key="duration" clock={clock} of={summary.span} />],
          [
            'Records',
            `${formatCount(summary.records)}, of them ${formatCount(summary.sched_events)} scheduling events`,
          ],
          [
            'Lost',
            summary.lost_gaps === 0
              ? 'nothing'
              : summary.lost_events === 0
                ? `an unknown number of events in ${plural(summary.lost_gaps, 'gap')}`
                : `${plural(summary.lost_events, 'event')} in ${plural(summary.lost_gaps, 'gap')}`,
          ],
          ['Tasks', `${formatCount(summary.tasks.pid.length)} with ${formatCount(summary.comms.length)} names`],
          ['Without a network', OFFLINE[kept]],
          [
            'Sleep ends',
            summary.after_sleep === null ? (
              'no task named “sleep” exits'
            ) : (
              <Time key="sleep" clock={clock} at={summary.after_sleep} origin={origin} />
            ),
          ],
        ]}
      />
    </div>
  );
}

function UntoldList({ summary }: { readonly summary: Summary }): ReactNode {
  const lines = untold(summary);
  if (lines.length === 0) return 'none';
  return (
    <ul className="untold-list">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
