import type { ReactNode } from 'react';
import { plural } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import type { Ns } from '../../base/units';
import type { Cascade } from '../../engine/protocol';
import { usePage, useView } from '../context';
import { CascadeMoves } from './CascadeMoves';

interface CascadeOfProps {
  /** The cascade of the selected run; null for none. */
  readonly cascade: Cascade | null;
  readonly clock: TraceClock;
  readonly origin: Ns;
}

/** Says that the selected run is part of a cascade; on demand shows its moves, here and on the lanes. */
export function CascadeOf({ cascade, clock, origin }: CascadeOfProps): ReactNode {
  const { store } = usePage();
  const shown = useView((view) => view.arrows === 'cascade');
  // A single move displaced no task.
  if (!cascade || cascade.moves_total < 2) {
    return null;
  }
  return (
    <section aria-label="Cascade">
      <h3>Cascade</h3>
      <p className="cascade-of">
        This run is part of a cascade of {plural(cascade.moves_total, 'move')}.{' '}
        <button
          type="button"
          className="link"
          aria-expanded={shown}
          title={
            shown
              ? 'The arrows on the lanes become those of the wakeup chain'
              : 'Its moves become the arrows on the lanes'
          }
          onClick={() => store.dispatch({ type: 'arrows', arrows: shown ? 'chain' : 'cascade' })}
        >
          {shown ? 'Show the wakeup chain instead' : 'Show its moves'}
        </button>
      </p>
      {shown && <CascadeMoves cascade={cascade} clock={clock} origin={origin} />}
    </section>
  );
}
