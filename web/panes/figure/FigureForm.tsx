import { type ReactNode, useMemo } from 'react';
import { useObservable } from '../../components/useObservable';
import type { Summary } from '../../engine/protocol';
import { hitsOf } from '../../facts/hits';
import { hasInterrupts } from '../../state/calls';
import { type FigureScene, figureOf, figureQuery } from '../../state/figure';
import type { FigureChoice } from '../../state/figureChoice';
import { MOST_MOVES } from '../../timeline/tracks/cpu/arrivalMarks';
import { usePage, useScene, useView } from '../context';
import { FilterNote } from '../FilterNote';
import { useQuery } from '../useQuery';
import { useRestingWindow } from '../useRestingWindow';
import { FigureControls } from './FigureControls';
import { FigurePreview } from './FigurePreview';
import { useFigureCounter } from './useFigureCounter';
import './figure.css';

interface FigureFormProps {
  readonly summary: Summary;
  readonly choice: FigureChoice;
  readonly onChange: (choice: FigureChoice) => void;
}

/** The choices for a figure, beside its preview. */
export function FigureForm({ summary, choice, onChange }: FigureFormProps): ReactNode {
  const { engine, store } = usePage();
  const view = useView((shown) => shown);
  const scene = useFigureScene(summary);
  const kind = choice.kind === 'wakeup' && view.selection === null ? 'timeline' : choice.kind;
  const figure = useMemo(() => figureOf(store.getState(), scene, { ...choice, kind }), [store, scene, choice, kind]);
  const counter = useFigureCounter(figure, scene, summary);
  const query =
    counter === 'searched'
      ? null
      : figureQuery(figure, { ...choice, kind }, counter.of, summary, window.devicePixelRatio);
  const { answer, error, pending } = useQuery(
    engine,
    'figure',
    query,
    counter === 'searched' ? undefined : counter.beside,
  );
  return (
    <div className="figure-form">
      {kind === 'wakeup' ? <FilterNote of="wakeup_figure" /> : <FilterNote />}
      <FigureControls choice={{ ...choice, kind }} scene={scene} onChange={onChange} />
      <FigurePreview answer={answer} error={error} pending={pending || counter === 'searched'} />
    </div>
  );
}

/** What the lanes show, as far as figures need it beside the view. */
function useFigureScene(summary: Summary): FigureScene {
  const { engine, machine, store } = usePage();
  const { complete, expression } = useObservable(hitsOf(engine).state);
  const filter = useObservable(engine.passing) !== null && complete ? expression : null;
  const { lanes: tasks } = useObservable(useScene().tasks.roster.lanes);
  const topology = useObservable(machine.topology);
  const order = useView((view) => view.topology.order);
  const isOn = useView((view) => view.topology.moves) && topology !== null;
  const window = useRestingWindow();
  const asked = isOn ? ({ type: 'moves', window, cpus: summary.cpus, most: 0 } as const) : null;
  const counts = useQuery(engine, 'figure/moves', asked).answer?.counts;
  const total = counts ? counts.core + counts.llc + counts.socket + counts.machine + counts.unknown : 0;
  // The lanes do not mark more than these.
  const moves = isOn && total > 0 && total <= MOST_MOVES;
  const facts = useQuery(engine, 'figure/callFacts', { type: 'call_facts' }).answer;
  const hidden = useView((view) => view.calls.hidden);
  const calls = facts !== null && facts.events !== null && !hidden.includes('calls');
  const interrupts = hasInterrupts(facts) && !hidden.includes('irqs');
  return useMemo(
    () => ({
      limits: store.getLimits(),
      lanes: topology !== null && order === 'topology' ? topology.order : summary.cpus,
      moves,
      tasks,
      calls,
      interrupts,
      filter,
    }),
    [store, topology, order, summary, moves, tasks, calls, interrupts, filter],
  );
}
