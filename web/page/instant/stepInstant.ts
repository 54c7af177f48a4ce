/** Steps through a trace event by event: mark A goes to the instant at which something happens next, or happened before. */
import { formatTime } from '../../base/format';
import { type Ns, ns } from '../../base/units';
import { clockOf, metadataOf } from '../../state/traces';
import { timeOrigin, visibleWindow } from '../../state/viewState';
import type { Page } from '../page';
import { changeInWords } from './words';

/** Where mark A is, or would be set: at the selected run, else in the middle of the window. */
function here({ store }: Page): Ns {
  const view = store.getState();
  const { start, end } = visibleWindow(view, store.getLimits());
  return view.timeMarks.a ?? view.selection?.start ?? ns(Math.round(start + (end - start) / 2));
}

export async function stepInstant(page: Page, direction: -1 | 1): Promise<void> {
  const { store, engine } = page;
  const metadata = metadataOf(page.session.get());
  if (metadata === null) return;
  const from = here(page);
  store.dispatch({ type: 'tab', tab: 'instant' });
  if (store.getState().timeMarks.a === null) {
    moveTo(page, from);
    return;
  }
  const found = await engine.query('instant/step', { type: 'instant', at: from });
  if (found.kind !== 'answer') return;
  const { previous_ns: previous, next_ns: next } = found.answer.instant;
  const to = direction < 0 ? previous : next;
  if (to === null) {
    page.announce(direction < 0 ? 'Nothing happens before.' : 'Nothing happens after this.');
    return;
  }
  moveTo(page, to);
  const there = await engine.query('instant/step', { type: 'instant', at: to });
  if (there.kind !== 'answer') return;
  const time = formatTime(clockOf(metadata), to, timeOrigin(store.getState(), store.getLimits()));
  page.announce([time, ...there.answer.instant.changes.map(changeInWords)].join('. '));
}

/** Sets mark A, and brings it on the screen. */
function moveTo({ store }: Page, at: Ns): void {
  store.dispatch({ type: 'timeMark', name: 'a', at, dragging: true });
  const { start, end } = visibleWindow(store.getState(), store.getLimits());
  if (at >= start && at <= end) return;
  const half = (end - start) / 2;
  store.dispatch({ type: 'moveTo', window: { start: ns(at - half), end: ns(at + half) } });
}
