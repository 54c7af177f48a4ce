/** Navigation that needs the engine's answer, for keys and links alike. */
import type { Ns } from '../base/units';
import type { Cpu, Interval, Summary } from '../engine/protocol';
import type { ArrowsOf } from '../state/findings';
import { presentInterval } from '../state/selectedRun';
import { type RunRef, visibleWindow } from '../state/viewState';
import { intervalAt } from '../timeline/input/picker';
import type { Page } from './page';

/** The runs from which `[` stepped back, so that `]` can return to them. */
const trails = new WeakMap<Page, RunRef[]>();

/**
 * Selects the interval on `cpu` at `at` and brings it on the screen; `along`: the step follows a chain or a cascade.
 */
export async function goTo(page: Page, cpu: Cpu, at: Ns, along: ArrowsOf = 'chain'): Promise<void> {
  const interval = await intervalAt(page.engine, 'go', cpu, at);
  if (interval && interval !== 'superseded') {
    reveal(page, interval, along);
  }
}

/** Selects the interval on a CPU at an instant; the window and the tab of the details stay. */
export async function selectAt(page: Page, cpu: Cpu, at: Ns): Promise<void> {
  const { tab } = page.store.getState();
  const interval = await intervalAt(page.engine, 'go', cpu, at);
  if (interval && interval !== 'superseded') {
    page.selected.selectKnown(interval, { type: 'select', selection: { cpu, start: interval.start } });
    page.store.dispatch({ type: 'tab', tab });
  }
}

/** Steps along the wakeup chain: -1 to the run of the waker; 1 back again, or to the first task that this run woke. */
export async function stepChain(page: Page, direction: -1 | 1): Promise<void> {
  const { selection } = page.store.getState();
  if (!selection) {
    page.announce('Select a run first: its wakeup chain is followed.');
    return;
  }
  if (openSummary(page, 'The wakeup chain is known') === null) return;
  const trail = trails.get(page) ?? [];
  trails.set(page, trail);
  const before = direction > 0 ? trail.pop() : undefined;
  if (before) {
    return goTo(page, before.cpu, before.start);
  }
  const { chain } = await page.selected.settled();
  if (direction < 0) {
    const hop = chain?.back[0];
    if (hop?.waker_run_ns != null) {
      trail.push(selection);
      return goTo(page, hop.waker_cpu, hop.waker_run_ns);
    }
    page.announce('The wakeup chain goes back no further.');
    return;
  }
  const hop = chain?.forward.find(({ running_ns, cpu }) => running_ns !== null && cpu !== null);
  if (hop?.running_ns != null && hop.cpu !== null) {
    return goTo(page, hop.cpu, hop.running_ns);
  }
  page.announce('This run woke no task that came onto a CPU.');
}

/** The open trace; null as long as there is none, which says what will be once it is. */
export function openSummary(page: Page, what: string): Summary | null {
  const session = page.session.get();
  if (session.kind === 'open') return session.summary;
  page.announce(`${what} once the trace is open.`);
  return null;
}

/** Makes the selected interval, or else the window, the range whose statistics are shown. */
export async function rangeHere(page: Page): Promise<void> {
  const { store } = page;
  const { selection } = store.getState();
  if (!selection) {
    store.dispatch({ type: 'range', range: visibleWindow(store.getState(), store.getLimits()) });
    return;
  }
  // While a trace loads, there is no chain to wait for.
  const { session, selected } = page;
  const interval = presentInterval(session.get().kind === 'open' ? await selected.settled() : selected.get());
  if (interval) {
    store.dispatch({ type: 'range', range: { start: interval.start, end: interval.end } });
  }
}

function reveal(page: Page, interval: Interval, along: ArrowsOf): void {
  page.selected.selectKnown(interval, {
    type: 'reveal',
    selection: { cpu: interval.cpu, start: interval.start },
    end: interval.end,
    along,
  });
}
