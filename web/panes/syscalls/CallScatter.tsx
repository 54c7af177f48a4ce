import { scaleLinear, scaleLog } from 'd3-scale';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useMemo, useState } from 'react';
import { exactDuration, formatCount, formatDuration, formatTime } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import type { Ns } from '../../base/units';
import { useWidth } from '../../components/useWidth';
import type { CallPoint, CallsOfRow } from '../../engine/protocol';
import { nearestPoint } from '../../page/calls/points';
import { DOING_WORDS } from '../../page/calls/rows';

interface CallScatterProps {
  readonly found: CallsOfRow;
  readonly clock: TraceClock;
  readonly origin: Ns;
  readonly isCurrent: (point: CallPoint) => boolean;
  readonly onPick: (point: CallPoint) => void;
}

/** Margins in CSS pixels. */
const LEFT = 52;
const RIGHT = 6;
const TOP = 6;
const HEIGHT = 150;
const BELOW = 16;
/** How near the pointer must be to a point. */
const REACH = 14;

/** The calls of a row against time, by how long they took: a point each, or one for several that are near each other. */
export function CallScatter({ found, clock, origin, isCurrent, onPick }: CallScatterProps): ReactNode {
  const [box, width] = useWidth<HTMLDivElement>();
  const [chosen, setChosen] = useState<number | null>(null);
  const { points, first_ns: first, last_ns: last } = found;
  const inner = Math.max(60, width - LEFT - RIGHT);
  const places = useMemo(() => {
    const longest = points.reduce((most, { duration_ns }) => Math.max(most, duration_ns), 1);
    const shortest = points.reduce((least, { duration_ns }) => Math.min(least, Math.max(1, duration_ns)), longest);
    const x = scaleLinear([first, Math.max(last, first + 1)], [0, inner]);
    const y = scaleLog([shortest / 1.3, longest * 1.3], [HEIGHT, 0]);
    const placed = points.map((point) => ({ point, x: x(point.at_ns), y: y(Math.max(1, point.duration_ns)) }));
    return { x, y, placed };
  }, [points, first, last, inner]);
  if (points.length === 0) return <p className="hint">None returned.</p>;
  const current = places.placed[Math.min(chosen ?? -1, places.placed.length - 1)];
  const hover = (event: PointerEvent<SVGSVGElement>): void => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    setChosen(nearestPoint(places.placed, event.clientX - left - LEFT, event.clientY - top - TOP, REACH));
  };
  const press = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Enter' && current) {
      event.preventDefault();
      onPick(current.point);
    }
  };
  const text = current ? inWords(current.point, clock, origin) : null;
  // Decades that have room for their labels.
  const ticks = places.y.ticks(4).filter((value) => Number.isInteger(Math.log10(value)));
  return (
    <div ref={box} className="call-scatter histogram">
      {width > 0 && (
        <svg
          width={LEFT + inner + RIGHT}
          height={TOP + HEIGHT + BELOW}
          aria-hidden="true"
          onPointerMove={hover}
          onPointerLeave={() => setChosen(null)}
          onClick={() => current && onPick(current.point)}
        >
          <g transform={`translate(${LEFT},${TOP})`}>
            {ticks.map((value) => (
              <g key={value} transform={`translate(0,${Math.round(places.y(value)) + 0.5})`}>
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
            {places.placed.map(({ point, x, y }) => (
              <circle
                key={`${point.pid}.${point.generation}@${point.at_ns}`}
                className={`doing ${point.doing}${point.errors > 0 ? ' failed' : ''}${isCurrent(point) ? ' current' : ''}`}
                cx={x}
                cy={y}
                r={Math.min(6, 2 + Math.log10(point.count) * 1.4)}
              />
            ))}
            {current && <circle className="pointed" cx={current.x} cy={current.y} r={8} />}
          </g>
        </svg>
      )}
      <input
        type="range"
        className="visually-hidden"
        aria-label="Calls against time: point"
        aria-valuetext={text ?? 'No point is chosen.'}
        min={0}
        max={Math.max(0, points.length - 1)}
        value={chosen ?? 0}
        onFocus={() => setChosen(chosen ?? 0)}
        onBlur={() => setChosen(null)}
        onChange={(event) => setChosen(Number(event.target.value))}
        onKeyDown={press}
      />
      <p className="histogram-text">
        {text ?? <span className="muted">Point at a call, or use the arrow keys; a click or Enter goes there.</span>}
      </p>
    </div>
  );
}

function inWords({ at_ns, duration_ns, pid, doing, count, errors }: CallPoint, clock: TraceClock, origin: Ns): string {
  const near = count === 1 ? '' : `, the longest of ${formatCount(count)} near it`;
  const failed = errors === 0 ? '' : count === 1 ? ', failed' : `, ${formatCount(errors)} of them failed`;
  const mostly = doing === 'unknown' ? '' : `, mostly ${DOING_WORDS[doing]}`;
  return `${exactDuration(clock, duration_ns)} from ${formatTime(clock, at_ns, origin, 6)}, thread ${pid}${mostly}${near}${failed}`;
}
