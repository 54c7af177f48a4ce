import { scaleLinear, scaleLog } from 'd3-scale';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useMemo, useRef } from 'react';
import { exactDuration, formatCount, formatDuration, formatTime } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import type { Ns } from '../../base/units';
import { useObservable } from '../../components/useObservable';
import { useWidth } from '../../components/useWidth';
import type { LatencyPoint, LatencyPoints, ModelSelection, Summary } from '../../engine/protocol';
import { nearestPoint } from '../../page/calls/points';
import { goTo } from '../../page/navigate';
import { leftOut, taskName } from '../../page/words';
import type { Measure } from '../../state/latency';
import { clockOf } from '../../state/traces';
import { usePage } from '../context';
import { useOrigin } from '../useOrigin';
import { useQuery } from '../useQuery';

interface LatencyScatterProps {
  readonly measure: Measure;
  readonly selection: ModelSelection;
  readonly summary: Summary;
}

/** In CSS pixels. */
const LEFT = 52;
const RIGHT = 6;
const TOP = 6;
const HEIGHT = 170;
const BELOW = 16;
const REACH = 14;
/** How wide a column of time is, in which near durations are one point. */
const COLUMN = 3;
const HINT = 'Point at a duration, or use the arrow keys; a click or Enter goes to its run.';

interface Placed {
  readonly point: LatencyPoint;
  readonly x: number;
  readonly y: number;
}

/** Durations against time: near ones are one point, at the longest of them, and the stronger the more there are. */
export function LatencyScatter({ measure, selection, summary }: LatencyScatterProps): ReactNode {
  const page = usePage();
  const origin = useOrigin();
  const clock = useMemo(() => clockOf(summary), [summary]);
  const [box, width] = useWidth<HTMLDivElement>();
  const inner = Math.max(60, width - LEFT - RIGHT);
  const columns = Math.ceil(inner / COLUMN);
  const query = useQuery(
    page.engine,
    'latency/points',
    width === 0 ? null : { type: 'latency_points', selection, of: measure, columns },
  );
  const found = query.answer?.found ?? null;
  return (
    <section ref={box} aria-busy={query.pending} aria-label="Against time">
      <h3>Against time</h3>
      {found && found.points.length > 0 && <Points found={found} inner={inner} clock={clock} origin={origin} />}
      {found?.points.length === 0 && <p className="hint">There are none here.</p>}
      {found && found.uncertain.count > 0 && <p className="hint small">{leftOut(found.uncertain.count)}</p>}
      {query.error && <p className="hint">{query.error.what}</p>}
    </section>
  );
}

interface PointsProps {
  readonly found: LatencyPoints;
  readonly inner: number;
  readonly clock: TraceClock;
  readonly origin: Ns;
}

/** The pointer and the keys move without rendering anything in React. */
function Points({ found, inner, clock, origin }: PointsProps): ReactNode {
  const page = usePage();
  const shade = useObservable(page.theme);
  const canvas = useRef<HTMLCanvasElement>(null);
  const ring = useRef<HTMLDivElement>(null);
  const words = useRef<HTMLParagraphElement>(null);
  const chosen = useRef<number | null>(null);
  const { points, first_ns: first, last_ns: last } = found;
  const { placed, y } = useMemo(() => {
    const longest = points.reduce((most, { ns }) => Math.max(most, ns), 1);
    const shortest = points.reduce((least, { ns }) => Math.min(least, Math.max(1, ns)), longest);
    const x = scaleLinear([first, Math.max(last, first + 1)], [0, inner]);
    const y = scaleLog([shortest / 1.3, longest * 1.3], [HEIGHT, 0]);
    return { y, placed: points.map((point): Placed => ({ point, x: x(point.at_ns), y: y(Math.max(1, point.ns)) })) };
  }, [points, first, last, inner]);
  // Decades that have room for their labels.
  const ticks = y.ticks(4).filter((value) => Number.isInteger(Math.log10(value)));

  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours.
  useEffect(() => {
    if (canvas.current) paint(canvas.current, placed, inner);
    chosen.current = null;
    if (ring.current) ring.current.hidden = true;
  }, [placed, inner, shade]);

  const show = (index: number | null): void => {
    chosen.current = index;
    const at = index === null ? undefined : placed[index];
    if (ring.current) {
      ring.current.hidden = !at;
      if (at) ring.current.style.transform = `translate(${LEFT + at.x - 8}px,${TOP + at.y - 8}px)`;
    }
    if (words.current) words.current.textContent = at ? inWords(at.point, clock, origin) : HINT;
  };
  const point = ({ nativeEvent: { offsetX, offsetY } }: PointerEvent): void => {
    const nearest = nearestPoint(placed, offsetX - LEFT, offsetY - TOP, REACH);
    if (nearest !== chosen.current) show(nearest);
  };
  const pick = (): void => {
    const at = chosen.current === null ? undefined : placed[chosen.current];
    if (at) void goTo(page, at.point.run.cpu, at.point.run.start_ns);
  };
  const press = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step !== 0)
      show(Math.min(Math.max((chosen.current ?? (step > 0 ? -1 : placed.length)) + step, 0), placed.length - 1));
    else if (event.key === 'Enter') pick();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="histogram latency-scatter">
      <div
        className="scatter-box"
        role="application"
        aria-label="Durations against time: arrow keys move between points, Enter goes to the run"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it has a cursor of its own, which keys move.
        tabIndex={0}
        onKeyDown={press}
        onBlur={() => show(null)}
        onPointerMove={point}
        onPointerLeave={() => show(null)}
        onClick={pick}
      >
        <svg width={LEFT + inner + RIGHT} height={TOP + HEIGHT + BELOW} aria-hidden="true">
          <g transform={`translate(${LEFT},${TOP})`}>
            {ticks.map((value) => (
              <g key={value} transform={`translate(0,${Math.round(y(value)) + 0.5})`}>
                <line className="grid" x2={inner} />
                <text x={-5} dy="0.35em" textAnchor="end">
                  {formatDuration(clock, value).replace(/\.0+ /, ' ')}
                </text>
              </g>
            ))}
            <line className="base" x2={inner} y1={HEIGHT + 0.5} y2={HEIGHT + 0.5} />
            <text className="tick" y={HEIGHT + 13}>
              {formatTime(clock, first, origin, 3)}
            </text>
            <text className="tick" x={inner} y={HEIGHT + 13} textAnchor="end">
              {formatTime(clock, last, origin, 3)}
            </text>
          </g>
        </svg>
        <canvas ref={canvas} style={{ left: LEFT, top: TOP, width: inner, height: HEIGHT }} />
        <div ref={ring} className="scatter-ring" hidden />
      </div>
      <p ref={words} className="histogram-text" aria-live="polite">
        {HINT}
      </p>
    </div>
  );
}

function paint(canvas: HTMLCanvasElement, placed: readonly Placed[], inner: number): void {
  const scale = window.devicePixelRatio;
  canvas.width = Math.round(inner * scale);
  canvas.height = Math.round(HEIGHT * scale);
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
}

function inWords({ at_ns: at, ns, count, task, run }: LatencyPoint, clock: TraceClock, origin: Ns): string {
  const near = count === 1 ? '' : `, the longest of ${formatCount(count)} near it`;
  const who = taskName(task.comm, task.pid);
  return `${exactDuration(clock, ns)} from ${formatTime(clock, at, origin, 6)}, ${who} on CPU ${run.cpu}${near}`;
}
