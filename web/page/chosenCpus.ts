/** Which CPUs have lanes, as users choose them. */
import { formatCpuList } from '../base/cpuList';
import { plural } from '../base/format';
import type { Cpu } from '../engine/protocol';
import { MAX_CPU_LIST } from '../state/cpus';
import { visibleWindow } from '../state/viewState';
import type { Page } from './page';
import { closed, cpuRows } from './stats/rows';

/** Gives lanes to these CPUs alone, and says so. */
export function showCpus(page: Page, cpus: readonly Cpu[]): void {
  const session = page.session.get();
  if (session.kind !== 'open') return;
  const all = session.summary.cpus.length;
  if (cpus.length < all && formatCpuList(cpus).length > MAX_CPU_LIST) {
    page.announce('These are too many single CPUs for a link, which holds all that the page shows.');
    return;
  }
  page.store.dispatch({ type: 'cpus', cpus: cpus.length === all ? [] : cpus });
  page.announce(`${plural(cpus.length, 'lane')} of ${plural(all, 'CPU')}.`);
}

/** Gives lanes to the CPUs of the window on the screen on which some task ran. */
export async function showBusyCpus(page: Page): Promise<void> {
  const cpus = await busyCpus(page);
  if (cpus === null) return;
  if (cpus.length > 0) showCpus(page, cpus);
  else page.announce('No CPU ran anything in this window.');
}

/** null: a later question took the place of this one, or the trace was closed. */
async function busyCpus({ engine, store }: Page): Promise<readonly Cpu[] | null> {
  const limits = store.getLimits();
  const window = closed(visibleWindow(store.getState(), limits), limits.span);
  const outcome = await engine.query('lanes/busy', { type: 'cpu_table', window });
  if (outcome.kind !== 'answer') return null;
  return cpuRows(outcome.answer.values)
    .filter((row) => row.busy_ns > 0)
    .map((row) => row.cpu);
}
