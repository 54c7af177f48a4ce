/** Copies the range, else the window, as text for a mailing list. */
import { writeClipboard } from '../../base/clipboard';
import { ns, type TimeWindow } from '../../base/units';
import type { WaitInfo } from '../../engine/protocol';
import { clockOf } from '../../state/traces';
import { timeOrigin, visibleWindow } from '../../state/viewState';
import type { Page } from '../page';
import { closed } from '../stats/rows';
import { LINES, LISTED, rangeText } from './rangeText';

export async function copyRange(page: Page): Promise<void> {
  const { store, engine } = page;
  const session = page.session.get();
  if (session.kind !== 'open') return;
  const { summary } = session;
  const view = store.getState();
  const window = closed(view.range ?? visibleWindow(view, store.getLimits()), summary.span);
  const selection = { window, forked: view.forked, movable: false, target: null, comms: [], pids: [], cpus: null };
  const [stats, commands, waits] = await Promise.all([
    engine.query('mail/stats', { type: 'stats', window }),
    engine.query('mail/commands', { type: 'commands', window }),
    engine.query('mail/waits', { type: 'waits', selection, top: LISTED }),
  ]);
  if (stats.kind !== 'answer' || commands.kind !== 'answer' || waits.kind !== 'answer') {
    page.announce('The range could not be summed up.');
    return;
  }
  const { longest } = waits.answer.report;
  const lines = longest[0] ? await linesOf(page, longest[0]) : '';
  const text = rangeText({
    summary,
    clock: clockOf(summary),
    origin: timeOrigin(view, store.getLimits()),
    window,
    stats: stats.answer.stats,
    commands: commands.answer.rows,
    waits: longest,
    lines,
  });
  try {
    await writeClipboard(text);
    const what = view.range ? 'range' : 'window';
    page.announce(`The ${what} is copied as text${lines === '' ? '' : ', with the events of its longest wait'}.`);
  } catch {
    page.announce('The browser refused the clipboard.');
  }
}

/** What happened to the task while it waited: as many events as are copied. */
async function linesOf(page: Page, wait: WaitInfo): Promise<string> {
  const window: TimeWindow = { start: wait.since_ns, end: ns(wait.until_ns + 1) };
  const filter = { cpus: null, pids: [wait.pid], events: null, text: '', window };
  const found = await page.engine.query('mail/lines', {
    type: 'event_lines',
    first: 0,
    count: LINES,
    filter,
    mode: 'trace-cmd',
  });
  return found.kind === 'answer' ? found.answer.text : '';
}
