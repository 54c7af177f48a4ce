/** Walks through the events that pass the filter. */
import { formatCount, plural } from '../../base/format';
import { hitsOf } from '../../facts/hits';
import { expressionOf, namesNextTask } from '../../state/filter';
import { visibleWindow } from '../../state/viewState';
import { openEvent } from '../events/openEvent';
import type { Page } from '../page';

/** The steps that were asked for and not made yet: each goes on from where the one before it led. */
const steps = new WeakMap<Page, Promise<void>>();

/** Goes to the next hit after the current event, or the one before it; without one, from the window's edge on. */
export function stepHit(page: Page, direction: -1 | 1): Promise<void> {
  const next = (steps.get(page) ?? Promise.resolve()).then(() => step(page, direction));
  steps.set(page, next);
  return next;
}

async function step(page: Page, direction: -1 | 1): Promise<void> {
  const { engine, store } = page;
  const view = store.getState();
  const expression = expressionOf(view.filter);
  if (expression === '') {
    page.announce('Write a filter first: the events that pass it are stepped through.');
    return;
  }
  const { start, end } = visibleWindow(view, store.getLimits());
  const { at, cpu } = view.event ?? { at: direction > 0 ? start : end, cpu: null };
  const outcome = await engine.query('hits/step', { type: 'event_hit_at', expression, at, cpu, direction });
  if (outcome.kind !== 'answer') return;
  const { hit } = outcome.answer;
  if (hit === null) {
    page.announce(direction > 0 ? 'No later event passes the filter.' : 'No earlier event passes the filter.');
    return;
  }
  const hits = hitsOf(engine);
  const begins = hit.event === 'sched_switch' && namesNextTask(expression);
  await openEvent(page, hit, view.events.followSelection !== 'off', begins);
  hits.current.set(hit);
  const { total, complete } = hits.state.get();
  const of = complete ? `of ${plural(total, 'event')}` : `of ${formatCount(total)} or more`;
  page.announce(
    `${formatCount(hit.number + 1)} ${of}: CPU ${hit.cpu}, ${hit.comm}-${hit.pid} ${hit.event}: ${hit.text}`,
  );
}
