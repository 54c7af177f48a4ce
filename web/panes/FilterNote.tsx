import type { ReactNode } from 'react';
import { plural } from '../base/format';
import { useObservable } from '../components/useObservable';
import { hitsOf } from '../state/hits';
import { usePage } from './context';
import './filterNote.css';

/** Says that something is only of the runs that pass the filter, or that the filter does not act on it. */
export function FilterNote({ acts = true }: { readonly acts?: boolean }): ReactNode {
  const { runs } = useObservable(hitsOf(usePage().engine).state);
  if (runs === null) return null;
  const [text, title] = acts
    ? [
        `Of ${plural(runs, 'run')} that ${runs === 1 ? 'passes' : 'pass'} the filter`,
        'Runs for which no event stands that passes are left out',
      ]
    : ['Of all runs: the filter does not act here', 'What passes is marked on the lanes'];
  return (
    <span className="filter-note" title={title}>
      {text}
    </span>
  );
}
