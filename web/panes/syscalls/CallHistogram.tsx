import { scaleLinear } from 'd3-scale';
import type { ReactNode } from 'react';
import { formatCount, formatDuration, formatPercent } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import { useWidth } from '../../components/useWidth';
import type { CallBucket, CallsOfRow } from '../../engine/protocol';
import { doingsOf, partOf, splitInWords } from '../../page/calls/rows';

/** In CSS pixels. */
const LEFT = 52;
const RIGHT = 6;
const TOP = 4;
const HEIGHT = 70;
const BELOW = 16;

/** How long the calls of a row took, in buckets of powers of two; the colours of a bar say what the threads did. */
export function CallHistogram({
  found,
  net,
  clock,
}: {
  readonly found: CallsOfRow;
  readonly net: boolean;
  readonly clock: TraceClock;
}): ReactNode {
  const [box, width] = useWidth<HTMLDivElement>();
  const { histogram } = found;
  const [first] = histogram;
  const last = histogram.at(-1);
  if (!first || !last) return null;
  const octave = ({ from }: CallBucket): number => (from === 0 ? -1 : Math.log2(from));
  const count = octave(last) - octave(first) + 1;
  const inner = Math.max(60, width - LEFT - RIGHT);
  const wide = inner / count;
  const most = histogram.reduce((found, bucket) => Math.max(found, bucket.count), 1);
  const y = scaleLinear([0, most], [0, HEIGHT]);
  const every = Math.max(1, Math.ceil(56 / wide));
  return (
    <div ref={box} className="histogram">
      {width > 0 && (
        <svg width={LEFT + inner + RIGHT} height={TOP + HEIGHT + BELOW} role="img" aria-label="How long they took">
          <g transform={`translate(${LEFT},${TOP})`}>
            <text x={-5} dy="0.6em" textAnchor="end">
              {formatCount(most)}
            </text>
            {histogram.map((bucket) => (
              <Bar
                key={bucket.from}
                bucket={bucket}
                x={(octave(bucket) - octave(first)) * wide}
                width={Math.max(1, wide - 1)}
                height={Math.max(2, y(bucket.count))}
                clock={clock}
                net={net}
                all={found.count}
              />
            ))}
            <line className="base" x2={inner} y1={HEIGHT + 0.5} y2={HEIGHT + 0.5} />
            {histogram
              .filter((bucket) => (octave(bucket) - octave(first)) % every === 0)
              .map((bucket) => (
                <text key={bucket.from} className="tick" x={(octave(bucket) - octave(first)) * wide} y={HEIGHT + 13}>
                  {formatDuration(clock, bucket.from)}
                </text>
              ))}
          </g>
        </svg>
      )}
    </div>
  );
}

interface BarProps {
  readonly bucket: CallBucket;
  readonly x: number;
  readonly width: number;
  readonly height: number;
  readonly clock: TraceClock;
  readonly net: boolean;
  readonly all: number;
}

function Bar({ bucket, x, width, height, clock, net, all }: BarProps): ReactNode {
  const parts = doingsOf(net).map((doing) => ({ doing, ns: partOf(bucket, doing) ?? 0 }));
  const total = parts.reduce((sum, { ns }) => sum + ns, 0);
  // Calls that take no time are not on CPU for any of it.
  const shown = total === 0 ? [{ doing: 'unknown' as const, ns: 1 }] : parts;
  const whole = Math.max(1, total);
  let below = 0;
  return (
    <g>
      <title>
        {`${formatDuration(clock, bucket.from)} to ${formatDuration(clock, Math.max(1, bucket.from * 2))}: ${formatCount(bucket.count)} (${formatPercent(bucket.count / Math.max(1, all))}); ${splitInWords(bucket, whole, net, formatPercent)}`}
      </title>
      {shown.map(({ doing, ns }) => {
        const part = (ns / whole) * height;
        below += part;
        return part === 0 ? null : (
          <rect key={doing} className={`doing ${doing}`} x={x} y={HEIGHT - below} width={width} height={part} />
        );
      })}
    </g>
  );
}
