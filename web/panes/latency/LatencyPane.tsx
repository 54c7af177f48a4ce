import { type ReactNode, useMemo } from 'react';
import { Segmented } from '../../components/Segmented';
import type { ModelSelection, Summary } from '../../engine/protocol';
import { withGroups } from '../../engine/protocolLatency';
import { groupId, KINDS, kindOf, LONGEST, narrowedTo } from '../../page/latency/measures';
import { type LatencyView, SPANS } from '../../state/latency';
import { usePage, useView } from '../context';
import { Untold } from '../Untold';
import { useQuery } from '../useQuery';
import { spanText, useSpan } from '../useSpan';
import { LatencyScatter } from './LatencyScatter';
import { Longest } from './Longest';
import { Report } from './Report';
import './latency.css';

const EVERYTHING: ModelSelection = {
  window: null,
  forked: false,
  movable: false,
  target: null,
  comms: [],
  pids: [],
  cpus: null,
};

/** Wake-up latencies, wait times and run lengths: their distribution, for all and by group, and the longest ones. */
export function LatencyPane({ summary }: { readonly summary: Summary }): ReactNode {
  const { engine, store } = usePage();
  const view = useView((state) => state.latency);
  const hasRange = useView((state) => state.range !== null);
  const forked = useView((state) => state.forked);
  const window = useSpan(view.span, summary);
  const selection: ModelSelection = { ...EVERYTHING, window, forked };
  const query = useQuery(engine, 'latency', { type: 'latency', selection, by: view.by, top: LONGEST });
  const { answer } = query;
  const report = useMemo(() => answer && withGroups(answer), [answer]);
  const group = report?.groups.find((one) => groupId(one) === view.group);
  const narrowed = group ? { ...selection, ...narrowedTo(group) } : selection;
  const change = (part: Partial<LatencyView>): void => store.dispatch({ type: 'latency', change: part });
  return (
    <div className="details latency" aria-busy={query.pending}>
      <div className="latency-controls">
        <Segmented
          small
          label="Measure"
          options={KINDS.map(({ kind, text, parts }) => ({ value: kind, text, title: parts[0]?.title ?? '' }))}
          value={kindOf(view.measure).kind}
          onChange={(measure) => change({ measure })}
        />
        <Segmented
          small
          label="Time"
          options={SPANS.map((value) => ({ value, text: spanText(value, hasRange) }))}
          value={view.span}
          onChange={(span) => change({ span })}
        />
      </div>
      {query.pending && (
        <progress className="progress" aria-label="Measuring" value={query.progress ?? undefined} max={1} />
      )}
      {query.error && <p className="hint">{query.error.what}</p>}
      {summary.missing_events.includes('sched_wakeup') && (
        <p className="hint">This file holds no wakeups, so there are no wake-up latencies. Record with -e sched.</p>
      )}
      <Untold summary={summary} matters={['chosen_cpu', 'preemption', 'loss']} />
      {report && (
        <>
          <Report view={view} report={report} summary={summary} window={window} busy={query.pending} change={change} />
          <LatencyScatter measure={view.measure} selection={narrowed} summary={summary} />
          <Longest view={view} report={report} summary={summary} selection={selection} />
        </>
      )}
    </div>
  );
}
