/** Sets the marks A and B when a key is pressed. */
import { exactDuration, formatTime } from '../base/format';
import { type Ns, ns } from '../base/units';
import type { Hover } from '../state/hover';
import { markDistance, type TimeMarkName } from '../state/marks';
import { clockOf, metadataOf } from '../state/traces';
import { timeOrigin, visibleWindow } from '../state/viewState';
import type { Page } from './page';

/**
 * How near the pointer must be to the begin or end of the hovered interval to mean that instant, as a share of the
 * window: some pixels.
 */
const REACH = 1 / 250;

/**
 * Sets a mark at the hovered instant, else at the begin of the selected run, else in the middle of the window. Removes
 * the mark if it is already there.
 */
export function setTimeMark(page: Page, name: TimeMarkName): void {
  const metadata = metadataOf(page.session.get());
  if (metadata === null) {
    return;
  }
  const { store } = page;
  const clock = clockOf(metadata);
  const view = store.getState();
  const { start, end } = visibleWindow(view, store.getLimits());
  const at = ns(
    Math.round(
      hoveredInstant(page.hover.get(), (end - start) * REACH) ?? view.selection?.start ?? start + (end - start) / 2,
    ),
  );
  const letter = name.toUpperCase();
  if (view.timeMarks[name] === at) {
    store.dispatch({ type: 'timeMark', name, at: null });
    page.announce(`Mark ${letter} is removed.`);
    return;
  }
  store.dispatch({ type: 'timeMark', name, at });
  const next = store.getState();
  const distance = markDistance(next.timeMarks);
  page.announce(
    `Mark ${letter} is at ${formatTime(clock, at, timeOrigin(next, store.getLimits()))}` +
      `${distance === null ? '' : `; from A to B: ${exactDuration(clock, distance)}`}.`,
  );
}

/** The instant below the pointer, or the begin or end of the interval there if that is nearer than `reach`. */
export function hoveredInstant({ at, cpu, interval }: Hover, reach: number): Ns | null {
  if (at === null || interval === null || interval.cpu !== cpu) {
    return at;
  }
  const { start, end } = interval;
  const near = Math.abs(at - start) <= Math.abs(at - end) ? start : end;
  return Math.abs(at - near) <= reach ? near : at;
}
