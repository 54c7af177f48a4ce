/** Goes to the overload at a place of the strip that marks them. */
import type { TimeWindow } from '../../base/units';
import { ns } from '../../base/units';
import type { ModelSelection, Violation } from '../../engine/protocol';
import type { Page } from '../page';
import { overloadFinding, selectionOf } from './findingsList';
import { goToFinding } from './stepFinding';

/** The number of overloads, by cost, among which the one at the place is looked for. */
const TOP = 1000;

/** Goes to the costliest overload that overlaps `around`; says so if there is none. */
export async function goToOverload(page: Page, around: TimeWindow): Promise<void> {
  const all = selectionOf(page.store.getState(), page.store.getLimits());
  const whole = await overloads(page, all);
  // Beyond the costliest, only the part at the place is known.
  const here = whole?.find(({ start_ns, end_ns }) => start_ns < around.end && end_ns > around.start);
  const window = { start: ns(Math.max(0, Math.floor(around.start))), end: ns(Math.ceil(around.end)) };
  const found = here ?? (await overloads(page, { ...all, window }))?.[0];
  if (found) goToFinding(page, overloadFinding(found));
  else page.announce('No task waits behind another here while a CPU idles.');
}

async function overloads(page: Page, selection: ModelSelection): Promise<readonly Violation[] | null> {
  const outcome = await page.engine.query('overloadAt', { type: 'overload', selection, min_duration: ns(0), top: TOP });
  return outcome.kind === 'answer' ? outcome.answer.report.behind : null;
}
