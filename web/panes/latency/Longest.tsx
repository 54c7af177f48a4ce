import { type ReactNode, useMemo, useRef } from 'react';
import type { LatencyReport, ModelSelection, Summary } from '../../engine/protocol';
import { groupId, groupText, kindOf, LONGEST, narrowedTo } from '../../page/latency/measures';
import type { LatencyView } from '../../state/latency';
import { clockOf } from '../../state/traces';
import { usePage } from '../context';
import { CopyMenu } from '../stats/CopyMenu';
import { useOrigin } from '../useOrigin';
import { useQuery } from '../useQuery';
import { fromLatency, fromWait, type Longest as LongestRow, LongestTable, longestColumns } from './LongestTable';

interface LongestProps {
  readonly view: LatencyView;
  readonly report: LatencyReport;
  readonly summary: Summary;
  readonly selection: ModelSelection;
}

/** The longest latencies or waits, of a group if one is chosen. Runs have no list: the lanes show them. */
export function Longest({ view, report, summary, selection }: LongestProps): ReactNode {
  const { engine } = usePage();
  const origin = useOrigin();
  const listed = useRef<readonly LongestRow[]>([]);
  const clock = useMemo(() => clockOf(summary), [summary]);
  const { kind } = kindOf(view.measure);
  const group = report.groups.find((one) => groupId(one) === view.group) ?? null;
  const narrowed = group ? { ...selection, ...narrowedTo(group) } : selection;
  const latency = useQuery(
    engine,
    'latency/longest',
    kind === 'wakeup' && group ? { type: 'latency', selection: narrowed, by: view.by, top: LONGEST } : null,
  );
  const waits = useQuery(
    engine,
    'latency/waits',
    kind === 'wait' ? { type: 'waits', selection: narrowed, top: LONGEST } : null,
  );
  if (kind === 'run') {
    return null;
  }
  const isWait = kind === 'wait';
  const busy = isWait ? waits.pending : latency.pending;
  const rows = isWait
    ? (waits.answer?.report.longest ?? []).map(fromWait)
    : ((group ? latency.answer?.report : report)?.worst ?? []).map(fromLatency);
  const what = isWait ? 'Longest waits' : 'Longest wake-up latencies';
  const other = isWait ? 'Had the CPU' : 'Waker';
  return (
    <section aria-busy={busy}>
      <div className="latency-by">
        <h3>
          {what}
          {group && <span className="muted"> of {groupText(group)}</span>}
        </h3>
        <span className="spacer" />
        <CopyMenu
          summary={summary}
          what={what.toLowerCase()}
          columns={longestColumns(clock, origin, other)}
          rows={listed}
          window={selection.window}
        />
      </div>
      <LongestTable label={what} clock={clock} origin={origin} other={other} rows={rows} busy={busy} listed={listed} />
    </section>
  );
}
