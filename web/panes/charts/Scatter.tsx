import { scaleLinear, scaleLog } from 'd3-scale';
import { type PointerEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { formatDuration, formatTime } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import type { Ns } from '../../base/units';
import { useObservable } from '../../components/useObservable';
import { nearestPoint } from '../../page/nearestPoint';
import { usePage } from '../context';
import { ChartCursor } from './ChartCursor';

/** In CSS pixels. */
const LEFT = 52;
const RIGHT = 6;
const TOP = 6;
const BELOW = 16;
/** How near the pointer must be to a point. */
const REACH = 14;

/** The width of the plot in an element of this width. */
export const plotWidth = (width: number): number => Math.max(60, width - LEFT - RIGHT);

export interface PlacedPoint<P> {
  readonly point: P;
  /** In CSS pixels of the plot. */
  readonly x: number;
  readonly y: number;
}

export type PaintPoints<P> = (
  canvas: HTMLCanvasElement,
  placed: readonly PlacedPoint<P>[],
  width: number,
  height: number,
) => void;

interface ScatterProps<P extends { readonly at_ns: Ns }> {
  readonly className: string;
  /** Names what is plotted. */
  readonly label: string;
  readonly hint: string;
  /** Of several near ones, the longest. */
  readonly points: readonly P[];
  /** How long a point took; the same function in each frame. */
  readonly durationOf: (point: P) => number;
  /** The span of time. */
  readonly first: Ns;
  readonly last: Ns;
  /** Of the element, and of the plot, in CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly clock: TraceClock;
  readonly origin: Ns;
  /** Draws the points in the plot's SVG. */
  readonly marks?: (placed: readonly PlacedPoint<P>[]) => ReactNode;
  /** Draws many points on a canvas over it; the same function in each frame. */
  readonly paint?: PaintPoints<P>;
  readonly inWords: (point: P) => string;
  readonly onPick: (point: P) => void;
}

/** Durations against time, on a logarithmic axis: the pointer and keys choose a point, a click or Enter goes to it. */
export function Scatter<P extends { readonly at_ns: Ns }>({
  className,
  label,
  hint,
  points,
  durationOf,
  first,
  last,
  width,
  height,
  clock,
  origin,
  marks,
  paint,
  inWords,
  onPick,
}: ScatterProps<P>): ReactNode {
  const [held, setHeld] = useState<{ readonly of: readonly P[]; readonly place: number | null } | null>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const shade = useObservable(usePage().theme);
  const inner = plotWidth(width);
  const { placed, y } = useMemo(() => {
    const longest = points.reduce((most, one) => Math.max(most, durationOf(one)), 1);
    const shortest = points.reduce((least, one) => Math.min(least, Math.max(1, durationOf(one))), longest);
    const x = scaleLinear([first, Math.max(last, first + 1)], [0, inner]);
    const y = scaleLog([shortest / 1.3, longest * 1.3], [height, 0]);
    const placed = points.map(
      (point): PlacedPoint<P> => ({ point, x: x(point.at_ns), y: y(Math.max(1, durationOf(point))) }),
    );
    return { y, placed };
  }, [points, durationOf, first, last, inner, height]);
  // Other points have other places.
  const chosen = held?.of === points ? held.place : null;
  const choose = (place: number | null): void => {
    if (place !== chosen) setHeld({ of: points, place });
  };
  const current = chosen === null ? undefined : placed[chosen];
  const point = ({ nativeEvent: { offsetX, offsetY } }: PointerEvent): void =>
    choose(nearestPoint(placed, offsetX - LEFT, offsetY - TOP, REACH));
  const pick = (): void => {
    if (current) onPick(current.point);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours.
  useEffect(() => {
    if (canvas.current) paint?.(canvas.current, placed, inner, height);
  }, [paint, placed, inner, height, shade]);
  // Decades that have room for their labels.
  const ticks = y.ticks(4).filter((value) => Number.isInteger(Math.log10(value)));
  return (
    <div className={`histogram ${className}`}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: keys move the slider below. */}
      <div className="scatter-box" onPointerMove={point} onPointerLeave={() => choose(null)} onClick={pick}>
        <svg width={LEFT + inner + RIGHT} height={TOP + height + BELOW} aria-hidden="true">
          <g transform={`translate(${LEFT},${TOP})`}>
            {ticks.map((value) => (
              <g key={value} transform={`translate(0,${Math.round(y(value)) + 0.5})`}>
                <line className="grid" x2={inner} />
                <text x={-5} dy="0.35em" textAnchor="end">
                  {formatDuration(clock, value).replace(/\.0+ /, ' ')}
                </text>
              </g>
            ))}
            <line className="base" x2={inner} y1={height + 0.5} y2={height + 0.5} />
            <text className="tick" y={height + 13}>
              {formatTime(clock, first, origin, 3)}
            </text>
            <text className="tick" x={inner} y={height + 13} textAnchor="end">
              {formatTime(clock, last, origin, 3)}
            </text>
            {marks?.(placed)}
            {current && <circle className="pointed" cx={current.x} cy={current.y} r={8} />}
          </g>
        </svg>
        {paint && <canvas ref={canvas} style={{ left: LEFT, top: TOP, width: inner, height }} />}
      </div>
      <ChartCursor
        label={`${label}: point`}
        count={points.length}
        chosen={chosen}
        onChoose={choose}
        text={current ? inWords(current.point) : null}
        none="No point is chosen."
        hint={hint}
        onPick={pick}
      />
    </div>
  );
}
