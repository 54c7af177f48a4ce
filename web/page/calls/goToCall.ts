/** Going to a system call. */
import { ns, type TimeWindow } from '../../base/units';
import type { CallPlace, CallStep, CallsRowQuestion } from '../../engine/protocol';
import type { CallRef } from '../../state/calls';
import type { Page } from '../page';
import { taskName } from '../words';

/**
 * Shows a call and selects the run whose wakeup ended it. `range`: what the table is about, which becomes the range, where it
 * would follow the window.
 */
export function goToCall(page: Page, place: CallPlace, row: string | null, range: TimeWindow | null): void {
  const { pid, generation, at_ns: at, duration_ns: length, run, call, comm } = place;
  page.store.dispatch({
    type: 'showCall',
    call: { pid, generation, at },
    row,
    interval: { start: at, end: ns(at + length) },
    selection: run && { cpu: run.cpu, start: run.start_ns },
    range,
  });
  page.announce(`${call} of ${taskName(comm, pid)} is shown.`);
}

/** Goes to the call in which a thread was. */
export async function goToCallAt(
  page: Page,
  call: CallRef,
  row: string | null,
  range: TimeWindow | null,
): Promise<void> {
  const outcome = await page.engine.query('calls/go', { type: 'call_at', ...call, net: false });
  if (outcome.kind === 'answer' && outcome.answer.place) goToCall(page, outcome.answer.place, row, range);
}

const NOTHING: Readonly<Record<CallStep, string>> = {
  longer: 'No later call of this row took longer.',
  error: 'No later call of this row failed.',
  next: 'This is the last call of this row.',
  previous: 'This is the first call of this row.',
};

/** Goes from one call of a row to another. */
export async function stepCall(
  page: Page,
  question: CallsRowQuestion,
  row: string,
  step: CallStep,
  from: CallPlace,
  range: TimeWindow | null,
): Promise<void> {
  const { at_ns: at, duration_ns: length, pid, generation } = from;
  const query = { type: 'call_step', row: question, step, at, ns: length, pid, generation } as const;
  const outcome = await page.engine.query('calls/go', query);
  if (outcome.kind !== 'answer') return;
  if (outcome.answer.place) goToCall(page, outcome.answer.place, row, range);
  else page.announce(NOTHING[step]);
}
