import { type ReactNode, useMemo } from 'react';
import { exactDuration, formatCount, formatTime } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import type { Ns } from '../../base/units';
import { useWidth } from '../../components/useWidth';
import type { LatencyPoint, ModelSelection, Summary } from '../../engine/protocol';
import { goTo } from '../../page/navigate';
import { leftOut, taskName } from '../../page/words';
import type { Measure } from '../../state/latency';
import { clockOf } from '../../state/traces';
import { type PaintPoints, plotWidth, Scatter } from '../charts/Scatter';
import { usePage } from '../context';
import { useOrigin } from '../useOrigin';
import { useQuery } from '../useQuery';

interface LatencyScatterProps {
  readonly measure: Measure;
  readonly selection: ModelSelection;
  readonly summary: Summary;
}

/** In CSS pixels. */
const HEIGHT = 170;
/** How wide a column of time is, in which near durations are one point. */
const COLUMN = 3;

/** Durations against time: near ones are one point, at the longest of them, and the stronger the more there are. */
export function LatencyScatter({ measure, selection, summary }: LatencyScatterProps): ReactNode {
  const page = usePage();
  const origin = useOrigin();
  const clock = useMemo(() => clockOf(summary), [summary]);
  const [box, width] = useWidth<HTMLDivElement>();
  const columns = Math.ceil(plotWidth(width) / COLUMN);
  const query = useQuery(
    page.engine,
    'latency/points',
    width === 0 ? null : { type: 'latency_points', selection, of: measure, columns },
  );
  const found = query.answer?.found ?? null;
  return (
    <section ref={box} aria-busy={query.pending} aria-label="Against time">
      <h3>Against time</h3>
      {found && found.points.length > 0 && (
        <Scatter
          className="latency-scatter"
          label="Durations against time"
          hint="Point at a duration, or use the arrow keys; a click or Enter goes to its run."
          points={found.points}
          durationOf={durationOf}
          first={found.first_ns}
          last={found.last_ns}
          {...{ width, height: HEIGHT, clock, origin, paint }}
          inWords={(point) => inWords(point, clock, origin)}
          onPick={({ run }) => void goTo(page, run.cpu, run.start_ns)}
        />
      )}
      {found?.points.length === 0 && <p className="hint">There are none here.</p>}
      {found && found.uncertain.count > 0 && <p className="hint small">{leftOut(found.uncertain.count)}</p>}
      {query.error && <p className="hint">{query.error.what}</p>}
    </section>
  );
}

const durationOf = ({ ns }: LatencyPoint): number => ns;

const paint: PaintPoints<LatencyPoint> = (canvas, placed, width, height) => {
  const scale = window.devicePixelRatio;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext('2d');
  if (!context) return;
  context.scale(scale, scale);
  context.fillStyle = getComputedStyle(canvas).getPropertyValue('--accent').trim();
  const most = placed.reduce((largest, { point }) => Math.max(largest, point.count), 1);
  for (const { point, x, y } of placed) {
    context.globalAlpha = 0.45 + (0.55 * Math.log(point.count)) / Math.max(1, Math.log(most));
    context.beginPath();
    context.arc(x, y, Math.min(4, 1.6 + Math.log10(point.count) * 0.8), 0, 2 * Math.PI);
    context.fill();
  }
};

function inWords({ at_ns: at, ns, count, task, run }: LatencyPoint, clock: TraceClock, origin: Ns): string {
  const near = count === 1 ? '' : `, the longest of ${formatCount(count)} near it`;
  const who = taskName(task.comm, task.pid);
  return `${exactDuration(clock, ns)} from ${formatTime(clock, at, origin, 6)}, ${who} on CPU ${run.cpu}${near}`;
}
