/** The CPUs of the window on the screen on which some task ran. */
import type { Cpu } from '../engine/protocol';
import { visibleWindow } from '../state/viewState';
import type { Page } from './page';
import { closed, cpuRows } from './stats/rows';

/** null: a later question took the place of this one, or the trace was closed. */
export async function busyCpus({ engine, store }: Page): Promise<readonly Cpu[] | null> {
  const limits = store.getLimits();
  const window = closed(visibleWindow(store.getState(), limits), limits.span);
  const outcome = await engine.query('lanes/busy', { type: 'cpu_table', window });
  if (outcome.kind !== 'answer') return null;
  return cpuRows(outcome.answer.values)
    .filter((row) => row.busy_ns > 0)
    .map((row) => row.cpu);
}
