import type { ReactNode } from 'react';
import { Segmented } from '../../components/Segmented';
import type { ModelSelection, StudyQuestion, Summary } from '../../engine/protocol';
import { GROUPING_TEXTS } from '../../page/latency/measures';
import { GROUPINGS, SPANS } from '../../state/latency';
import type { RelationsView } from '../../state/relations';
import { usePage, useView } from '../context';
import { Untold } from '../Untold';
import { useQuery } from '../useQuery';
import { spanText, useSpan } from '../useSpan';
import { Related } from './Related';
import { SpareTable } from './SpareTable';
import '../latency/latency.css';
import './relations.css';

/** What each relation hangs on, in the words of `cannot_tell`. */
const MATTERS: Readonly<Record<RelationsView['show'], readonly string[]>> = {
  wakes: ['waker', 'context'],
  took: ['chosen_cpu', 'migrations'],
  spare: ['chosen_cpu', 'migrations'],
};

const SHOWN: readonly { readonly value: RelationsView['show']; readonly text: string; readonly title: string }[] = [
  { value: 'wakes', text: 'Wakers and wakees', title: 'Wakeups that led to a run, and how late the woken ran' },
  { value: 'took', text: 'Who had the CPU', title: 'Which tasks ran on a CPU while others waited on its runqueue' },
  {
    value: 'spare',
    text: 'Spare CPUs',
    title: 'Which CPUs were idle, with an empty runqueue, while tasks queued behind others',
  },
];

/** Rows of the list of pairs. */
const PAIRS = 500;
/** Rows and columns of the matrix with names; all CPUs have one. */
const ENDS = 16;

/** Relations between commands, tasks and CPUs: as a matrix and as a table. */
export function RelationsPane({ summary }: { readonly summary: Summary }): ReactNode {
  const { engine, store } = usePage();
  const view = useView((state) => state.relations);
  const hasRange = useView((state) => state.range !== null);
  const forked = useView((state) => state.forked);
  const topology = useView((state) => state.topology.text);
  const window = useSpan(view.span, summary);
  const selection: ModelSelection = {
    ...{ movable: false, target: null, comms: [], pids: [], cpus: null },
    window,
    forked,
  };
  const sizes = { by: view.by, top: PAIRS, ends: view.by === 'cpu' ? summary.cpus.length : ENDS };
  const questions: Readonly<Record<RelationsView['show'], StudyQuestion>> = {
    wakes: { type: 'wakes', selection, ...sizes, topology: topology === '' ? null : topology },
    took: { type: 'took', selection, ...sizes },
    spare: { type: 'spare_cpus', selection },
  };
  const query = useQuery(engine, 'relations', questions[view.show]);
  const { answer, pending } = query;
  const change = (part: Partial<RelationsView>): void => store.dispatch({ type: 'relations', change: part });
  return (
    <div className="details latency relations" aria-busy={pending}>
      <div className="latency-controls">
        <Segmented small label="Relation" options={SHOWN} value={view.show} onChange={(show) => change({ show })} />
        {view.show !== 'spare' && (
          <Segmented
            small
            label="Between"
            options={GROUPINGS.map((value) => ({ value, text: GROUPING_TEXTS[value].many }))}
            value={view.by}
            onChange={(by) => change({ by })}
          />
        )}
        <Segmented
          small
          label="Time"
          options={SPANS.map((value) => ({ value, text: spanText(value, hasRange) }))}
          value={view.span}
          onChange={(span) => change({ span })}
        />
      </div>
      <Untold summary={summary} matters={MATTERS[view.show]} />
      {pending && <progress className="progress" aria-label="Counting" value={query.progress ?? undefined} max={1} />}
      {query.error && <p className="hint">{query.error.what}</p>}
      {answer && (answer.type === 'wakes' || answer.type === 'took') && (
        <Related answer={answer} view={view} summary={summary} window={window} busy={pending} />
      )}
      {answer?.type === 'spare_cpus' && (
        <SpareTable report={answer.report} summary={summary} window={window} busy={pending} />
      )}
    </div>
  );
}
