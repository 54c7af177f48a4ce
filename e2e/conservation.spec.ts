import { behindSpare } from '../tests/derive/queries.mjs';
import type { CorelanePage } from './corelanePage';
import { expect, test } from './test';
import { truthOf } from './truth';

const trace = truthOf('forkpipe-8cpu');
const { first } = trace.report;

/**
 * Runs that are wide enough to be found, each with how long its wait was spent on an idle CPU, and behind others while
 * other CPUs were idle.
 */
function waits() {
  const { story, lanes } = trace.derived;
  const behind = behindSpare(trace.derived);
  return story.runs.flatMap((run) => {
    const since = run.wait?.since;
    const moved = story.migrations.some(
      ({ task, t }) => task === run.task && since !== undefined && since <= t && t <= run.start,
    );
    if (since === undefined || since === run.start || moved || run.end - run.start < 200_000) return [];
    const period = { cpu: run.cpu, start: since, end: run.start };
    const idle = lanes[run.cpu]
      .filter(({ kind }) => kind === 'idle')
      .reduce((sum, { start, end }) => sum + Math.max(0, Math.min(end, run.start) - Math.max(start, since)), 0);
    const place = { cpu: run.cpu, start: run.start - first, end: run.end - first };
    return [{ ...place, wait: run.start - since, idle, behind: behind([period]) }];
  });
}

/** Selects a run and returns what the page says about the wait before it. */
async function explain(corelane: CorelanePage, run: { cpu: number; start: number; end: number }) {
  for (let step = 0; step < 10; step++) {
    const { nsPerDevicePixel } = await corelane.drawState();
    if (run.end - run.start > 100 * nsPerDevicePixel) break;
    await corelane.hover(run.cpu, (run.start + run.end) / 2);
    await corelane.page.mouse.wheel(0, -1000);
    await corelane.idle();
  }
  await corelane.clickRun(run.cpu, (run.start + run.end) / 2);
  expect((await corelane.view()).selection).toEqual({ cpu: run.cpu, start: run.start });
  return corelane.details.getByRole('region', { name: 'Tasks that had its CPU' });
}

test('a wakeup of an idle CPU is not called a failure of the scheduler', async ({ corelane }) => {
  const woken = waits().find(({ wait, idle }) => idle === wait);
  if (!woken) throw new Error('the fixture has wakeups of idle CPUs');
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  const wait = await explain(corelane, woken);
  await expect(wait).toContainText('Its CPU was waking from idle');
  await expect(wait).not.toContainText('not work-conserving');
  await expect(corelane.fact('Behind others')).toHaveText('never while another CPU was known to be idle');
});

test('waiting behind another task while a CPU idles is', async ({ corelane }) => {
  const kept = waits().find(({ wait, idle, behind }) => idle === 0 && behind === wait);
  if (!kept) throw new Error('the fixture has tasks that wait behind others');
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  const wait = await explain(corelane, kept);
  await expect(wait).toContainText('not work-conserving');
  await expect(wait).not.toContainText('waking from idle');
  await expect(corelane.fact('Behind others')).toContainText('(100 % of the wait)');
});
