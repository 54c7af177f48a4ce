import { type ReactNode, useMemo, useRef } from 'react';
import { formatCount, formatDuration, formatPercent, plural } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import type { TimeWindow } from '../../base/units';
import { Segmented } from '../../components/Segmented';
import type { LatencyGroup, LatencyReport, Summary } from '../../engine/protocol';
import {
  GROUPING_TEXTS,
  groupId,
  groupText,
  kindOf,
  meanOf,
  measured,
  type Numbers,
  numbersOfAll,
} from '../../page/latency/measures';
import { leftOut } from '../../page/words';
import type { LatencyView } from '../../state/latency';
import { clockOf } from '../../state/traces';
import { CopyMenu } from '../stats/CopyMenu';
import { GroupsTable, groupColumns } from './GroupsTable';
import { Histogram } from './Histogram';
import { type NumbersColumn, NumbersTable } from './NumbersTable';

interface ReportProps {
  readonly view: LatencyView;
  readonly report: LatencyReport;
  readonly summary: Summary;
  readonly window: TimeWindow | null;
  readonly busy: boolean;
  readonly change: (change: Partial<LatencyView>) => void;
}

/** The numbers of everything and of each group. */
export function Report({ view, report, summary, window, busy, change }: ReportProps): ReactNode {
  const clock = useMemo(() => clockOf(summary), [summary]);
  const listed = useRef<readonly LatencyGroup[]>([]);
  const all = useMemo(() => numbersOfAll(report), [report]);
  const kind = kindOf(view.measure);
  const group = report.groups.find((one) => groupId(one) === view.group) ?? null;
  const series = (name: string, numbers: Numbers) => ({ name, measured: measured(numbers, view.measure) });
  return (
    <>
      {view.group !== null && !group && !busy && (
        <p className="hint">
          {GROUPING_TEXTS[view.by].one} {view.group} is not among those that are listed here.
        </p>
      )}
      {group && (
        <p className="latency-group">
          <span className="swatch group" /> {groupText(group)} <span className="swatch all" /> all{' '}
          <button type="button" className="button small quiet" onClick={() => change({ group: null })}>
            Only all
          </button>
        </p>
      )}
      <Histogram
        label={kind.text}
        clock={clock}
        all={series('all', all)}
        group={group && series(groupText(group), group)}
      />
      <NumbersTable
        label={`${kind.text}${group ? ` of ${groupText(group)}` : ''}`}
        clock={clock}
        columns={columnsOf(view, all, group, change)}
      />
      <Explanation view={view} report={report} numbers={group ?? all} clock={clock} />
      <section aria-label="Groups">
        <div className="latency-by">
          <h3>By</h3>
          <Segmented
            small
            label="Grouped by"
            options={Object.entries(GROUPING_TEXTS).map(([value, { one }]) => ({
              value: value as LatencyView['by'],
              text: one,
            }))}
            value={view.by}
            onChange={(by) => change({ by })}
          />
          <span className="spacer" />
          <CopyMenu
            summary={summary}
            what={`${GROUPING_TEXTS[view.by].many.toLowerCase()}, ${kind.text.toLowerCase()}${partText(view)}`}
            columns={groupColumns(clock, view.by, view.measure)}
            rows={listed}
            window={window}
          />
        </div>
        <GroupsTable
          clock={clock}
          by={view.by}
          measure={view.measure}
          groups={report.groups}
          group={view.group}
          busy={busy}
          listed={listed}
          onPick={(id) => change({ group: id })}
        />
        {report.groups.length < report.groups_total && (
          <p className="hint small">
            The {formatCount(report.groups.length)} with the most wakeups, of {formatCount(report.groups_total)}.
          </p>
        )}
      </section>
    </>
  );
}

/** The part that is measured, if it is not the whole. */
function partText({ measure }: LatencyView): string {
  const [all, ...parts] = kindOf(measure).parts;
  const part = parts.find((one) => one.measure === measure);
  return part && all ? ` (${part.text.toLowerCase()})` : '';
}

/** The parts of the measure, each with a histogram to choose; without parts, a group beside all. */
function columnsOf(
  view: LatencyView,
  all: Numbers,
  group: LatencyGroup | null,
  change: ReportProps['change'],
): NumbersColumn[] {
  const { parts } = kindOf(view.measure);
  const columns = parts
    .filter(({ measure, rare }) => !rare || measure === view.measure || measured(group ?? all, measure).count > 0)
    .map(({ measure, text, title }) => ({
      id: measure,
      text,
      title,
      measured: measured(group ?? all, measure),
      isShown: measure === view.measure,
      show: parts.length > 1 ? () => change({ measure }) : null,
    }));
  const [first] = columns;
  if (group === null || first === undefined || columns.length > 1) {
    return columns;
  }
  return [
    { ...first, id: 'group', text: groupText(group) },
    { ...first, id: 'all', measured: measured(all, view.measure), isShown: false },
  ];
}

interface ExplanationProps {
  readonly view: LatencyView;
  readonly report: LatencyReport;
  readonly numbers: Numbers;
  readonly clock: TraceClock;
}

/** Explains what the numbers mean. */
function Explanation({ view, report, numbers, clock }: ExplanationProps): ReactNode {
  switch (kindOf(view.measure).kind) {
    case 'wakeup':
      return (
        <p className="hint small">
          From the wakeup to the next switch-in. {clockInWords(report)} {leftOut(report.uncertain.wakeups.count)}
        </p>
      );
    case 'wait':
      return (
        <p className="hint small">
          From any moment a task became runnable, by a wakeup or a switch-out as runnable, to its switch-in. A wait
          belongs to the time in which it begins. {leftOut(report.uncertain.waits.count)}
        </p>
      );
    case 'run': {
      const { all, preempted, cut } = numbers.runs;
      const mean = meanOf(all);
      return (
        <p className="hint small">
          {mean !== null && (
            <>
              The mean run length, {formatDuration(clock, mean)}, is not the time slice: runs end because tasks block,
              too. A slice shows at most in the runs that ended with the task still runnable, here{' '}
              {formatPercent(preempted.count / Math.max(1, all.count))} of them.{' '}
            </>
          )}
          {cut > 0 && `${plural(cut, 'run')} not measured: the begin or the end is not in the trace.`}
        </p>
      );
    }
  }
}

/** The event from which the latencies are counted. */
function clockInWords({ clock, count }: LatencyReport): string {
  const started = Object.entries(clock).filter(([, many]) => many > 0);
  if (count === 0) {
    return 'No wakeup here led to a switch-in.';
  }
  const [first] = started;
  if (first && started.length === 1) {
    return `The clock starts at ${first[0]}, for all ${formatCount(count)}.`;
  }
  const parts = started.map(([event, many]) => `${event} (${formatCount(many)})`);
  return `The clock starts at ${parts.join(', ')}: at sched_waking where there is one.`;
}
