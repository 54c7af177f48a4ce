import { expect, test } from './test';
import { longestRuns, truthOf } from './truth';

const trace = truthOf('forkpipe-8cpu');

test.beforeEach(async ({ corelane }) => {
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
});

test('zooming keeps the time below the pointer, down to microseconds and back', { tag: '@firefox' }, async ({
  corelane,
}) => {
  const { x, y } = await corelane.place(3, trace.span * 0.4);
  const before = await corelane.timeAt(x);
  await corelane.page.mouse.move(x, y);
  for (let step = 0; step < 6; step++) {
    await corelane.page.mouse.wheel(0, -1200);
  }
  await corelane.idle();
  const { window, plot } = await corelane.drawState();
  expect(window.end - window.start).toBeLessThan(20_000);
  const nsPerPixel = (window.end - window.start) / plot.width;
  expect(Math.abs((await corelane.timeAt(x)) - before)).toBeLessThan(2 * nsPerPixel);
  for (let step = 0; step < 6; step++) {
    await corelane.page.mouse.wheel(0, 1200);
  }
  await corelane.idle();
  expect((await corelane.drawState()).window).toEqual({ start: 0, end: trace.span });
});

test('dragging moves the time with the pointer', async ({ corelane }) => {
  await corelane.press('w', 'w', 'w', 'w');
  const { x, y } = await corelane.place(2, trace.span / 2);
  const grabbed = await corelane.timeAt(x);
  await corelane.page.mouse.move(x, y);
  await corelane.page.mouse.down();
  await corelane.page.mouse.move(x - 60, y, { steps: 6 });
  await corelane.page.mouse.move(x - 150, y, { steps: 6 });
  await corelane.page.mouse.up();
  await corelane.idle();
  const { nsPerDevicePixel } = await corelane.drawState();
  expect(Math.abs((await corelane.timeAt(x - 150)) - grabbed)).toBeLessThan(2 * nsPerDevicePixel);
  expect((await corelane.view()).selection).toBeNull();
});

test('hovering tells task, CPU and interval, in every pane', async ({ corelane }) => {
  const run = longestRuns(trace)[0];
  if (!run) throw new Error('the fixture has runs');
  await corelane.hover(run.cpu, (run.start + run.end) / 2);
  await expect(corelane.status).toContainText(`CPU ${run.cpu} · ${run.comm} ${run.pid}`);
  const { hovered } = await corelane.drawState();
  expect(hovered).toBeGreaterThan(run.start);
  expect(hovered).toBeLessThan(run.end);
});

test('runs that are wide enough have labels', async ({ corelane }) => {
  const run = longestRuns(trace)[0];
  if (!run) throw new Error('the fixture has runs');
  await corelane.clickRun(run.cpu, (run.start + run.end) / 2);
  await corelane.press('f');
  expect((await corelane.drawState()).runLabels).toBeGreaterThan(0);
});

test('a wider window has the labels that a trace opened in it has', async ({ corelane }) => {
  const labels = async (): Promise<number> => (await corelane.drawState()).runLabels;
  const { page } = corelane;
  await page.setViewportSize({ width: 900, height: 800 });
  await corelane.idle();
  const narrow = await labels();
  await page.setViewportSize({ width: 1900, height: 800 });
  await expect.poll(labels).toBeGreaterThan(narrow);
  await corelane.idle();
  const wide = await labels();
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  expect(wide).toBe(await labels());
});

test('a range has its statistics, and Enter zooms to it', async ({ corelane }) => {
  const from = await corelane.place(1, trace.span * 0.25);
  const to = await corelane.place(1, trace.span * 0.75);
  await corelane.page.keyboard.down('Shift');
  await corelane.page.mouse.move(from.x, from.y);
  await corelane.page.mouse.down();
  await corelane.page.mouse.move(to.x, to.y, { steps: 8 });
  await corelane.page.mouse.up();
  await corelane.page.keyboard.up('Shift');
  await corelane.idle();
  const { range } = await corelane.view();
  if (!range) throw new Error('no range was made');
  const busy = trace.intervals
    .filter(({ kind }) => kind === 'run')
    .reduce((sum, run) => sum + Math.max(0, Math.min(run.end, range.end) - Math.max(run.start, range.start)), 0);
  const mean = busy / (range.end - range.start);
  await expect(corelane.fact('Running')).toContainText(`${mean.toFixed(2)} tasks on average`);
  await corelane.press('Enter');
  expect((await corelane.drawState()).window).toEqual(range);
});
