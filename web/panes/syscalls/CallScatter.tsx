import type { ReactNode } from 'react';
import { exactDuration, formatCount, formatTime } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import type { Ns } from '../../base/units';
import { useWidth } from '../../components/useWidth';
import type { CallPoint, CallsOfRow } from '../../engine/protocol';
import { DOING_WORDS } from '../../page/calls/rows';
import { Scatter } from '../charts/Scatter';

interface CallScatterProps {
  readonly found: CallsOfRow;
  readonly clock: TraceClock;
  readonly origin: Ns;
  readonly isCurrent: (point: CallPoint) => boolean;
  readonly onPick: (point: CallPoint) => void;
}

/** In CSS pixels. */
const HEIGHT = 150;

/** The calls of a row against time, by how long they took: a point each, or one for several that are near each other. */
export function CallScatter({ found, clock, origin, isCurrent, onPick }: CallScatterProps): ReactNode {
  const [box, width] = useWidth<HTMLDivElement>();
  if (found.points.length === 0) return <p className="hint">None returned.</p>;
  return (
    <div ref={box}>
      {width > 0 && (
        <Scatter
          className="call-scatter"
          label="Calls against time"
          hint="Point at a call, or use the arrow keys; a click or Enter goes there."
          points={found.points}
          durationOf={durationOf}
          first={found.first_ns}
          last={found.last_ns}
          {...{ width, height: HEIGHT, clock, origin, onPick }}
          inWords={(point) => inWords(point, clock, origin)}
          marks={(placed) =>
            placed.map(({ point, x, y }) => (
              <circle
                key={`${point.pid}.${point.generation}@${point.at_ns}`}
                className={`doing ${point.doing}${point.errors > 0 ? ' failed' : ''}${isCurrent(point) ? ' current' : ''}`}
                cx={x}
                cy={y}
                r={Math.min(6, 2 + Math.log10(point.count) * 1.4)}
              />
            ))
          }
        />
      )}
    </div>
  );
}

const durationOf = ({ duration_ns }: CallPoint): number => duration_ns;

function inWords({ at_ns, duration_ns, pid, doing, count, errors }: CallPoint, clock: TraceClock, origin: Ns): string {
  const near = count === 1 ? '' : `, the longest of ${formatCount(count)} near it`;
  const failed = errors === 0 ? '' : count === 1 ? ', failed' : `, ${formatCount(errors)} of them failed`;
  const mostly = doing === 'unknown' ? '' : `, mostly ${DOING_WORDS[doing]}`;
  return `${exactDuration(clock, duration_ns)} from ${formatTime(clock, at_ns, origin, 6)}, thread ${pid}${mostly}${near}${failed}`;
}
