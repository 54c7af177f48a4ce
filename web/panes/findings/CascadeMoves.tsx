import type { ReactNode } from 'react';
import { formatDuration, plural } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import type { Ns } from '../../base/units';
import type { Cascade, CascadeMove } from '../../engine/protocol';
import { moveInWords } from '../../page/findings/kindWords';
import { taskName } from '../../page/words';
import { useView } from '../context';
import { RunLink, Time } from '../Facts';

interface CascadeMovesProps {
  readonly cascade: Cascade;
  readonly clock: TraceClock;
  readonly origin: Ns;
}

/** The moves of a cascade in order, numbered like their arrows; each links to the run that it led to. */
export function CascadeMoves({ cascade, clock, origin }: CascadeMovesProps): ReactNode {
  const selection = useView((view) => view.selection);
  const { moves, moves_total, cost_ns } = cascade;
  const isSelected = (move: CascadeMove): boolean =>
    selection?.cpu === move.to_cpu && selection.start === move.running_ns;
  return (
    <section aria-label="Moves of the cascade">
      <p>
        {plural(moves_total, 'move')}; the moved tasks waited {formatDuration(clock, cost_ns)} together.
      </p>
      <ol className="moves">
        {moves.map((move, index) => (
          <li key={`${move.at_ns} ${move.pid} ${move.generation}`} aria-current={isSelected(move)}>
            <Move move={move} number={index + 1} clock={clock} origin={origin} />
          </li>
        ))}
      </ol>
      {moves_total > moves.length && <p className="muted">and {plural(moves_total - moves.length, 'move')} more</p>}
    </section>
  );
}

interface MoveProps {
  readonly move: CascadeMove;
  /** The number of the move, from 1. */
  readonly number: number;
  readonly clock: TraceClock;
  readonly origin: Ns;
}

function Move({ move, number, clock, origin }: MoveProps): ReactNode {
  const { comm, pid, from_cpu, to_cpu, wait_ns, displaced_by } = move;
  const name = taskName(comm, pid);
  const title = `Go to the run of ${name} on CPU ${to_cpu}`;
  return (
    <>
      <div>
        <span className="move-number">{number}</span>{' '}
        <RunLink cpu={to_cpu} at={move.running_ns} title={title} along="cascade">
          {from_cpu === null ? `CPU ${to_cpu}` : `CPU ${from_cpu} → ${to_cpu}`}
        </RunLink>{' '}
        {name}
      </div>
      <div className="muted">
        {moveInWords[move.kind]} at <Time clock={clock} at={move.at_ns} origin={origin} />
        {wait_ns > 0 && <span className="nowrap">, waited {formatDuration(clock, wait_ns)}</span>}
        {displaced_by !== null && displaced_by !== number - 2 && `; driven out by ${displaced_by + 1}`}
      </div>
    </>
  );
}
