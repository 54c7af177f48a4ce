import type { ReactNode } from 'react';
import { formatCount, formatDuration } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import type { CommandRuns } from '../../engine/protocol';

interface SliceHistogramProps {
  readonly clock: TraceClock;
  readonly slice: number;
  readonly bin: number;
  /** `of`: undefined where the command did not run. */
  readonly periods: readonly { readonly name: string; readonly of: CommandRuns | undefined }[];
}

const WIDTH = 410;
const HEIGHT = 54;

/** For each period, how many runs that ended still runnable lasted how long; the dashed line is the slice. Each has its own scale. */
export function SliceHistogram({ clock, slice, bin, periods }: SliceHistogramProps): ReactNode {
  const bins = Math.max(1, ...periods.map(({ of }) => of?.histogram.length ?? 0));
  const width = WIDTH / bins;
  const at = (length: number): number => Math.min(WIDTH, (length / bin) * width);
  return (
    <div className="slice-histograms">
      {periods.map(({ name, of }) => {
        const counts = of?.histogram ?? [];
        const most = Math.max(1, ...counts);
        const total = counts.reduce((sum, count) => sum + count, 0);
        return (
          <figure key={name} aria-label={`Runs that ended still runnable, ${name}`}>
            <figcaption>
              {name} <span className="muted">{formatCount(total)}</span>
            </figcaption>
            <svg
              viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
              preserveAspectRatio="none"
              role="img"
              aria-label={`${name}: ${formatCount(total)} runs`}
            >
              {counts.map((count, i) => {
                const high = count === 0 ? 0 : Math.max(1.5, (count / most) * (HEIGHT - 4));
                const from = formatDuration(clock, i * bin);
                const text =
                  i === counts.length - 1 ? `${from} and more` : `${from} to ${formatDuration(clock, (i + 1) * bin)}`;
                return (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a bin is its place.
                  <rect key={i} x={i * width} y={HEIGHT - high} width={Math.max(1, width - 1)} height={high}>
                    <title>{`${text}: ${formatCount(count)}`}</title>
                  </rect>
                );
              })}
              <line x1={at(slice)} x2={at(slice)} y1={0} y2={HEIGHT} />
            </svg>
          </figure>
        );
      })}
      <div className="slice-axis muted">
        <span>0</span>
        <span>{formatDuration(clock, slice)}</span>
        <span>{formatDuration(clock, 2 * slice)} or more</span>
      </div>
    </div>
  );
}
