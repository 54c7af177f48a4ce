import type { CorelanePage } from './corelanePage';
import { expect, test } from './test';
import { type Run, truthOf } from './truth';

const trace = truthOf('forkpipe-8cpu');
const { events, first } = trace.report;

/** Runs that a waking on another CPU led to, with the last such waking before each. */
function wokenRuns(): { run: Run; waking: (typeof events)[number]; wakeup: (typeof events)[number] }[] {
  return trace.intervals
    .filter(({ kind, start, end }) => kind === 'run' && start > trace.span * 0.2 && end - start > 200_000)
    .flatMap((run) => {
      const before = events.filter(({ t, pid }) => pid === run.pid && t - first <= run.start);
      const waking = before.findLast(({ kind }) => kind === 'sched_waking');
      const wakeup = before.findLast(({ kind }) => kind === 'sched_wakeup');
      const out = before.findLast(({ kind, t }) => kind === 'sched_switch' && t - first < run.start);
      return waking && wakeup && wakeup.t >= waking.t && (!out || out.t < waking.t) ? [{ run, waking, wakeup }] : [];
    });
}

test('a click on a run tells who, where, how long, and who woke it', { tag: '@firefox' }, async ({ corelane }) => {
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  const found = wokenRuns()[0];
  if (!found) throw new Error('the fixture has wakeups');
  const { run, waking } = found;
  await zoomTo(corelane, run);
  await corelane.clickRun(run.cpu, (run.start + run.end) / 2);
  expect((await corelane.view()).selection).toEqual({ cpu: run.cpu, start: run.start });
  await expect(corelane.details.getByRole('heading').first()).toContainText(`${run.comm} ${run.pid}`);
  await expect(corelane.details.getByRole('heading').first()).toContainText(`CPU ${run.cpu}`);
  await expect(corelane.fact('From')).toContainText(`${(run.start / 1e9).toFixed(9)} s`);
  await expect(corelane.fact('To')).toContainText(`${(run.end / 1e9).toFixed(9)} s`);
  await expect(corelane.fact('At')).toContainText(`${((waking.t - first) / 1e9).toFixed(9)} s sched_waking`);
  await expect(corelane.fact('Waker’s CPU')).toHaveText(`${waking.cpu}`);
  const idle = trace.intervals.filter(
    ({ kind, start, end }) => kind === 'idle' && start <= waking.t - first && waking.t - first < end,
  );
  await expect(corelane.fact('Idle then')).toContainText(
    idle.length === 0 ? 'none' : `(${idle.length} CPU${idle.length === 1 ? '' : 's'} of ${trace.cpus})`,
  );
  expect((await corelane.drawState()).arrows).toBeGreaterThan(0);
});

test('a hop of the chain moves the view to the waker, and back returns', async ({ corelane }) => {
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  const found = wokenRuns().find(({ run, waking }) => {
    const waker = trace.intervals.find(
      ({ cpu, start, end }) => cpu === waking.cpu && start <= waking.t - first && waking.t - first < end,
    );
    return waker?.kind === 'run' && waker.start !== run.start;
  });
  if (!found) throw new Error('the fixture has tasks that wake tasks');
  const { run, waking } = found;
  await zoomTo(corelane, run);
  await corelane.clickRun(run.cpu, (run.start + run.end) / 2);
  const before = await corelane.view();
  await corelane.details.getByRole('region', { name: 'Wakeup chain' }).getByRole('button').first().click();
  await corelane.idle();
  const after = await corelane.view();
  expect(after.selection?.cpu).toBe(waking.cpu);
  const waker = trace.intervals.find(
    ({ cpu, start, end }) => cpu === waking.cpu && start <= waking.t - first && waking.t - first < end,
  );
  expect(after.selection?.start).toBe(waker?.start);
  const { window } = await corelane.drawState();
  expect(window.start).toBeLessThanOrEqual(waker?.start ?? 0);
  expect(window.end).toBeGreaterThanOrEqual(waker?.start ?? 0);
  await corelane.page.goBack();
  await corelane.idle();
  expect(await corelane.view()).toEqual(before);
  await corelane.press('[');
  expect((await corelane.view()).selection).toEqual(after.selection);
  await corelane.press(']');
  expect((await corelane.view()).selection).toEqual(before.selection);
});

/** Zooms until the run is some hundred pixels wide. */
async function zoomTo(corelane: CorelanePage, run: Run): Promise<void> {
  for (let step = 0; step < 8; step++) {
    const { nsPerDevicePixel } = await corelane.drawState();
    if (run.end - run.start > 100 * nsPerDevicePixel) return;
    // The pointer is only as precise as a pixel, so its place is computed again at every step.
    await corelane.hover(run.cpu, (run.start + run.end) / 2);
    await corelane.page.mouse.wheel(0, -1000);
    await corelane.idle();
  }
}
