import { scaleLinear } from 'd3-scale';
import { type PointerEvent, type ReactNode, useMemo, useState } from 'react';
import { formatCount, formatDuration, formatPercent } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import { useWidth } from '../../components/useWidth';
import type { Measured } from '../../engine/protocol';
import { countBelow, cumulative } from '../../page/latency/cumulative';
import {
  type Bucket,
  bucketsOf,
  DurationScale,
  percentilesOf,
  placeLineLabels,
  tickText,
} from '../../page/latency/histogram';
import { BucketCursor } from '../charts/ChartCursor';

/** The counts of a series, and its name. */
export interface Series {
  readonly name: string;
  readonly measured: Measured;
}

interface HistogramProps {
  readonly label: string;
  readonly clock: TraceClock;
  readonly all: Series;
  /** A group that is compared with all. */
  readonly group: Series | null;
}

/** Margins in CSS pixels. */
const LEFT = 34;
/** With the axis of the cumulative curve. */
const RIGHT = 38;
const HEIGHT = 110;
const BELOW = 18;
const LABEL_ROW = 13;
/** Width of the widest letter of a label in a wide font. */
const CHAR = 7.5;
const NOTHING: Measured['ns']['histogram'] = [];

/**
 * The distribution of durations, in buckets of powers of two. The height of a bar is its bucket's share of the series,
 * so that a small group can be compared with all. A bucket that is not empty is always visible. The curve above, with its
 * axis at the right, is the share of durations that are not longer.
 */
export function Histogram({ label, clock, all, group }: HistogramProps): ReactNode {
  const [box, width] = useWidth<HTMLDivElement>();
  const [current, setCurrent] = useState<number | null>(null);
  const buckets = useMemo(
    () => bucketsOf(all.measured.ns.histogram, group?.measured.ns.histogram ?? NOTHING),
    [all, group],
  );
  const isEmpty = buckets.length === 0;
  const scale = new DurationScale(buckets, Math.max(60, width - LEFT - RIGHT));
  const chosen = current === null ? null : Math.min(current, buckets.length - 1);
  const bucket = chosen === null ? null : (buckets[chosen] ?? null);
  const hover = (event: PointerEvent<SVGSVGElement>): void =>
    setCurrent(scale.bucketAt(event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT));
  const text =
    bucket && chosen !== null
      ? `${bucketInWords(bucket, clock, all, group)}. ${belowInWords(buckets, chosen, clock, group ?? all, group ? 'group' : 'all')}`
      : null;
  return (
    <div ref={box} className="histogram">
      {isEmpty && <p className="hint">There are none of these here.</p>}
      {width > 0 && !isEmpty && (
        <Plot
          scale={scale}
          clock={clock}
          all={all}
          group={group}
          chosen={chosen}
          onPointer={hover}
          leave={setCurrent}
        />
      )}
      <BucketCursor
        label={`${label}: bucket`}
        count={buckets.length}
        chosen={chosen}
        onChoose={setCurrent}
        text={text}
      />
    </div>
  );
}

interface PlotProps {
  readonly scale: DurationScale;
  readonly clock: TraceClock;
  readonly all: Series;
  readonly group: Series | null;
  readonly chosen: number | null;
  readonly onPointer: (event: PointerEvent<SVGSVGElement>) => void;
  readonly leave: (chosen: null) => void;
}

function Plot({ scale, clock, all, group, chosen, onPointer, leave }: PlotProps): ReactNode {
  const { buckets, bucketWidth, width } = scale;
  const shareOfAll = (bucket: Bucket): number => bucket.all / Math.max(1, all.measured.count);
  const shareOfGroup = (bucket: Bucket): number => bucket.group / Math.max(1, group?.measured.count ?? 1);
  const most = Math.max(...buckets.map((bucket) => Math.max(shareOfAll(bucket), shareOfGroup(bucket))));
  const lines = percentilesOf((group ?? all).measured.ns).map(({ text, duration }) => ({ text, x: scale.x(duration) }));
  const labels = placeLineLabels(lines, width, CHAR);
  const top = LABEL_ROW * (1 + Math.max(0, ...labels.map(({ row }) => row))) + 3;
  const y = scaleLinear([0, most], [HEIGHT, 0]);
  // A share that is not zero is never drawn as nothing.
  const height = (share: number): number => (share === 0 ? 0 : Math.max(2, HEIGHT - y(share)));
  const bar = (index: number, inset: number, share: number, className: string): ReactNode => {
    const high = height(share);
    const wide = Math.max(1, bucketWidth - 1 - 2 * inset);
    return <rect className={className} x={index * bucketWidth + inset} y={HEIGHT - high} width={wide} height={high} />;
  };
  const curve = (of: 'all' | 'group', { measured }: Series): string =>
    cumulative(scale, of, measured)
      .map(({ x, share }) => `${x.toFixed(1)},${(HEIGHT * (1 - share)).toFixed(1)}`)
      .join(' ');
  return (
    <svg
      width={LEFT + width + RIGHT}
      height={top + HEIGHT + BELOW}
      aria-hidden="true"
      onPointerMove={onPointer}
      onPointerLeave={() => leave(null)}
    >
      <g transform={`translate(${LEFT},${top})`}>
        {y.ticks(3).map((share) => (
          <g key={share} transform={`translate(0,${Math.round(y(share)) + 0.5})`}>
            <line className="grid" x2={width} />
            <text x={-5} dy="0.35em" textAnchor="end">
              {formatPercent(share)}
            </text>
          </g>
        ))}
        {chosen !== null && (
          <rect className="chosen" x={chosen * bucketWidth} y={-3} width={bucketWidth} height={HEIGHT + 3} />
        )}
        {buckets.map((bucket, index) => (
          <g key={bucket.from}>
            {bar(index, 0, shareOfAll(bucket), group ? 'bar all behind' : 'bar all')}
            {group && bar(index, bucketWidth * 0.2, shareOfGroup(bucket), 'bar group')}
          </g>
        ))}
        <polyline className={group ? 'cumulative behind' : 'cumulative'} points={curve('all', all)} />
        {group && <polyline className="cumulative group" points={curve('group', group)} />}
        {[0, 0.5, 1].map((share) => (
          <text
            key={share}
            className="cumulative"
            x={width + RIGHT}
            y={HEIGHT * (1 - share)}
            dy="0.35em"
            textAnchor="end"
          >
            {formatPercent(share)}
          </text>
        ))}
        <line className="base" x2={width} y1={HEIGHT + 0.5} y2={HEIGHT + 0.5} />
        {scale.ticks(clock.isNs ? 46 : 70).map(({ x, duration }) => (
          <g key={duration} transform={`translate(${x},${HEIGHT})`}>
            <line className="base" y2={4} />
            <text className="tick" y={14} textAnchor="middle">
              {tickText(clock.isNs, duration)}
            </text>
          </g>
        ))}
        <g className="percentile">
          {labels.map(({ text, x, row }) => (
            <line key={text} x1={x} x2={x} y1={-top + (row + 1) * LABEL_ROW} y2={HEIGHT} />
          ))}
          {labels.map(({ text, left, row }) => (
            <text key={text} x={left} y={-top + (row + 1) * LABEL_ROW - 3}>
              {text}
            </text>
          ))}
        </g>
      </g>
    </svg>
  );
}

/** `Below 2.048 µs: 97.1 %.` */
function belowInWords(
  buckets: readonly Bucket[],
  index: number,
  clock: TraceClock,
  { measured }: Series,
  of: 'all' | 'group',
): string {
  const { to } = buckets[index] ?? { to: 0 };
  const share = countBelow(buckets, of, index, measured) / Math.max(1, measured.count);
  return `Below ${formatDuration(clock, to)}: ${formatPercent(share)}.`;
}

/** `from 1.024 µs to below 2.048 µs: 12 of 345 (3.5 %)`, for the group and for all. */
function bucketInWords(bucket: Bucket, clock: TraceClock, all: Series, group: Series | null): string {
  const count = ({ name, measured }: Series, many: number): string =>
    `${name} ${formatCount(many)} of ${formatCount(measured.count)} (${formatPercent(many / Math.max(1, measured.count))})`;
  const span =
    bucket.to <= 1
      ? formatDuration(clock, 0)
      : `from ${formatDuration(clock, bucket.from)} to below ${formatDuration(clock, bucket.to)}`;
  const counts = [...(group ? [count(group, bucket.group)] : []), count(all, bucket.all)];
  return `${span.charAt(0).toUpperCase()}${span.slice(1)}: ${counts.join('; ')}`;
}
