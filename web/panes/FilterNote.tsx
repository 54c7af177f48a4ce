import type { ReactNode } from 'react';
import { plural } from '../base/format';
import { useObservable } from '../components/useObservable';
import type { DetailsTab } from '../state/details';
import { usePage } from './context';
import './filterNote.css';

/** Tabs of which the filter leaves something out, and those of all runs; the others say nothing of runs. */
const OF_TABS: Readonly<Partial<Record<DetailsTab, boolean>>> = {
  findings: true,
  range: true,
  latency: true,
  instant: false,
  relations: true,
  syscalls: false,
  pairs: false,
  sched_ext: false,
  compare: true,
};

/** Says that something, or what the tab shows, is only of the runs that pass the filter, or that the filter does not act on it. */
export function FilterNote({ tab }: { readonly tab?: DetailsTab }): ReactNode {
  const runs = useObservable(usePage().engine.passing);
  const acts = tab === undefined || OF_TABS[tab];
  if (runs === null || acts === undefined) return null;
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
