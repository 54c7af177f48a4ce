import { scaleLinear } from 'd3-scale';
import { type ReactNode, useState } from 'react';
import { formatCount, formatDuration, formatPercent } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import { useWidth } from '../../components/useWidth';
import type { CallBucket, CallsOfRow } from '../../engine/protocol';
import { doingsOf, partOf, splitInWords } from '../../page/calls/rows';
import { BucketCursor } from '../charts/ChartCursor';

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
  const [chosen, setChosen] = useState<number | null>(null);
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
  const current = chosen === null ? undefined : histogram[Math.min(chosen, histogram.length - 1)];
  const text = current ? bucketInWords(current, clock, net, found.count) : null;
  return (
    <div ref={box} className="histogram">
      {width > 0 && (
        <svg
          width={LEFT + inner + RIGHT}
          height={TOP + HEIGHT + BELOW}
          aria-hidden="true"
          onPointerLeave={() => setChosen(null)}
        >
          <g transform={`translate(${LEFT},${TOP})`}>
            <text x={-5} dy="0.6em" textAnchor="end">
              {formatCount(most)}
            </text>
            {histogram.map((bucket, index) => (
              <Bar
                key={bucket.from}
                bucket={bucket}
                x={(octave(bucket) - octave(first)) * wide}
                width={Math.max(1, wide - 1)}
                height={Math.max(2, y(bucket.count))}
                net={net}
                isChosen={bucket === current}
                onPoint={() => setChosen(index)}
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
      <BucketCursor
        label="How long they took: bucket"
        count={histogram.length}
        chosen={chosen}
        onChoose={setChosen}
        text={text}
      />
    </div>
  );
}

interface BarProps {
  readonly bucket: CallBucket;
  readonly x: number;
  readonly width: number;
  readonly height: number;
  readonly net: boolean;
  readonly isChosen: boolean;
  readonly onPoint: () => void;
}

/** `2.05 µs to 4.10 µs: 12 (3.5 %); on CPU 12 %, sleeping 88 %` */
function bucketInWords(bucket: CallBucket, clock: TraceClock, net: boolean, all: number): string {
  const whole = Math.max(
    1,
    doingsOf(net).reduce((sum, doing) => sum + (partOf(bucket, doing) ?? 0), 0),
  );
  const split = splitInWords(bucket, whole, net, formatPercent);
  const span = `${formatDuration(clock, bucket.from)} to ${formatDuration(clock, Math.max(1, bucket.from * 2))}`;
  const count = `${formatCount(bucket.count)} (${formatPercent(bucket.count / Math.max(1, all))})`;
  return `${span}: ${count}${split === '' ? '' : `; ${split}`}`;
}

function Bar({ bucket, x, width, height, net, isChosen, onPoint }: BarProps): ReactNode {
  const parts = doingsOf(net).map((doing) => ({ doing, ns: partOf(bucket, doing) ?? 0 }));
  const total = parts.reduce((sum, { ns }) => sum + ns, 0);
  // Calls that take no time are not on CPU for any of it.
  const shown = total === 0 ? [{ doing: 'unknown' as const, ns: 1 }] : parts;
  const whole = Math.max(1, total);
  let below = 0;
  return (
    <g onPointerEnter={onPoint}>
      {/* A short bar is as easy to point at as a long one. */}
      <rect x={x} y={-TOP} width={width} height={HEIGHT + TOP} fill="transparent" />
      {isChosen && <rect className="chosen" x={x} y={-TOP} width={width} height={HEIGHT + TOP} />}
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
