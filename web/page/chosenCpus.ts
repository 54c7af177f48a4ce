/** Which CPUs have lanes, as users choose them. */
import { formatCpuOrder } from '../base/cpuList';
import { plural } from '../base/format';
import type { Cpu } from '../engine/protocol';
import { busiestCpus } from '../facts/facts';
import { laneCpus, MAX_CPU_LIST } from '../state/cpus';
import { visibleWindow } from '../state/viewState';
import type { Page } from './page';
import { closed, cpuRows } from './stats/rows';

/** The CPUs that have lanes, from top to bottom. */
export function shownCpus({ engine, machine, session, store }: Page): readonly Cpu[] {
  const open = session.get();
  if (open.kind !== 'open') return [];
  const { cpus, topology } = store.getState();
  return laneCpus(cpus, topology.order, {
    number: open.summary.cpus,
    topology: machine.topology.get()?.order ?? null,
    activity: topology.order === 'activity' ? busiestCpus(engine, () => undefined) : null,
  });
}

/** Moves a CPU's lane up or down, or to the top; from then on, lanes are in the order of the list. */
export function moveLane(page: Page, cpu: Cpu, by: -1 | 1 | 'top'): void {
  const shown = shownCpus(page);
  const others = shown.filter((other) => other !== cpu);
  const place = by === 'top' ? 0 : shown.indexOf(cpu) + by;
  const cpus = [...others.slice(0, Math.max(0, place)), cpu, ...others.slice(Math.max(0, place))];
  if (formatCpuOrder(cpus).length > MAX_CPU_LIST) {
    page.announce('This order is too long for a link, which holds all that the page shows: choose fewer CPUs first.');
    return;
  }
  page.store.dispatch({ type: 'cpus', cpus });
  page.store.dispatch({ type: 'topology', change: { order: 'list' } });
  page.announce(`CPU ${cpu} is lane ${cpus.indexOf(cpu) + 1} of ${cpus.length}.`);
}

/** Gives lanes to these CPUs alone, and says so. */
export function showCpus(page: Page, cpus: readonly Cpu[]): void {
  const session = page.session.get();
  if (session.kind !== 'open') return;
  const all = session.summary.cpus.length;
  const isListed = page.store.getState().topology.order === 'list';
  if ((cpus.length < all || isListed) && formatCpuOrder(cpus).length > MAX_CPU_LIST) {
    page.announce('These are too many single CPUs for a link, which holds all that the page shows.');
    return;
  }
  page.store.dispatch({ type: 'cpus', cpus: cpus.length === all && !isListed ? [] : cpus });
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
