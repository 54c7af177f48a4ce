import { useMemo } from 'react';
import type { CounterBy, Figure, FigureQuery, Summary } from '../../engine/protocol';
import { counterOfText } from '../../state/counter';
import { counterGrid, type FigureScene, figureWindow } from '../../state/figure';
import { usePage } from '../context';
import { useQuery } from '../useQuery';

/** A figure's counter, and its values as they go beside the query. */
interface FigureCounterState {
  readonly of: FigureQuery['counter'];
  readonly beside: Pick<FigureQuery, 'values'>;
}

const NONE: FigureCounterState = { of: null, beside: {} };

/** The values of the counter that a figure draws; `searched` while they are not known. */
export function useFigureCounter(
  figure: Figure,
  scene: FigureScene,
  summary: Summary,
): FigureCounterState | 'searched' {
  const { store } = usePage();
  const { counter } = store.getState();
  const isDrawn = figure.counter !== null;
  const grid = useMemo(
    () => counterGrid(figureWindow(figure, store.getState(), scene.limits)),
    [figure, store, scene.limits],
  );
  const cpus = figure.cpus ?? summary.cpus;
  const pids = useMemo(
    () => (figure.with.includes('tasks') ? [...new Set(scene.tasks.map(({ pid }) => pid))] : []),
    [figure, scene.tasks],
  );
  const ofCpus = useLines('cpu', isDrawn ? counter : '', cpus, grid);
  const ofTasks = useLines('task', isDrawn && pids.length > 0 ? counter : '', pids, grid);
  const state = useMemo((): FigureCounterState | 'searched' => {
    if (!isDrawn) return NONE;
    if (ofCpus === null || (ofTasks === null && pids.length > 0)) return 'searched';
    const { samples, least, greatest } = ofCpus.info;
    const lines = [ofCpus.values, ...(ofTasks === null ? [] : [ofTasks.values])];
    const values = new Float64Array(lines.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const line of lines) {
      values.set(line, at);
      at += line.length;
    }
    const range: [number, number] | null = samples === 0 ? null : [least, greatest];
    return { of: { name: counter, range, grid, cpus, pids }, beside: { values } };
  }, [isDrawn, ofCpus, ofTasks, counter, grid, cpus, pids]);
  return state;
}

/** What is known of a counter's lines; null: nothing yet, or there is no counter. */
function useLines(by: CounterBy, counter: string, keys: readonly number[], grid: ReturnType<typeof counterGrid>) {
  const { engine } = usePage();
  const number = counterOfText(counter);
  const asked = number && ({ type: 'event_counter', number, by } as const);
  const info = useQuery(engine, `figure/counter/${by}`, asked).answer;
  const kind = by === 'cpu' ? 'counter' : 'task_counter';
  const { level, first, buckets } = grid;
  const tile = { type: 'tile', kind, variant: counter, keys, level, first_bucket: first, buckets } as const;
  const { answer, pending } = useQuery(engine, `figure/counterTile/${by}`, asked && info?.complete ? tile : null);
  return useMemo(
    () =>
      info?.complete && answer !== null && !pending ? { info, values: new Float64Array(answer.values.buffer) } : null,
    [info, answer, pending],
  );
}
