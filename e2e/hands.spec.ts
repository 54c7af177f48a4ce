/** Hands: keys between CPUs, edges of the range, the menu, views as files, a range as text. */
import { readFileSync } from 'node:fs';
import { exactDuration, formatDuration } from '../web/base/format';
import { eventsOf, plainLines } from './eventTruth';
import { expect, test } from './test';
import { longestRuns, truthOf } from './truth';

const trace = truthOf('forkpipe-8cpu');
const NANO = { isNs: true } as const;

test('keys go from CPU to CPU, and F to the run although there is a range', async ({ corelane }) => {
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  const run = longestRuns(trace).find(({ cpu }) => cpu === 2);
  if (!run) throw new Error('the fixture has runs on CPU 2');
  const at = Math.round((run.start + run.end) / 2);
  await corelane.clickRun(run.cpu, at);
  await corelane.press('Shift+ArrowDown');
  const below = (await corelane.view()).selection;
  expect(below?.cpu).toBe(3);
  await corelane.press('Shift+ArrowUp', 'Shift+ArrowUp');
  expect((await corelane.view()).selection?.cpu).toBe(1);
  // What the text says ran there then, or next.
  const there = trace.intervals.filter(({ cpu, kind, end }) => cpu === 1 && kind === 'run' && end > run.start);
  expect((await corelane.view()).selection?.start).toBe(Math.min(...there.map(({ start }) => start)));

  await corelane.clickRun(run.cpu, at);
  await corelane.press('r');
  await corelane.press('f');
  const shown = (await corelane.drawState()).window;
  expect(shown.start).toBeLessThanOrEqual(run.start);
  expect(shown.end - shown.start).toBeLessThan(3 * (run.end - run.start));
});

test('an edge of the range is dragged, and the other one stays', async ({ corelane }) => {
  const { page } = corelane;
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  const run = longestRuns(trace)[0];
  if (!run) throw new Error('the fixture has runs');
  await corelane.clickRun(run.cpu, (run.start + run.end) / 2);
  await corelane.press('r');
  expect((await corelane.view()).range).toEqual({ start: run.start, end: run.end });
  // What is open goes on being shown, of the new range.
  await corelane.openTab('Relations');
  await corelane.idle();
  const { x, y } = await corelane.place(run.cpu, run.end);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 20, y);
  await page.mouse.move(x - 40, y);
  await page.mouse.up();
  await corelane.idle();
  const { range, tab } = await corelane.view();
  expect(tab).toBe('relations');
  expect(range?.start).toBe(run.start);
  const per = (await corelane.drawState()).window;
  const width = (await corelane.drawState()).plot.width;
  const moved = (run.end - (range?.end ?? 0)) / ((per.end - per.start) / width);
  expect(Math.abs(moved - 40)).toBeLessThan(3);
});

test('a double click zooms to a run, and a click on a label opens its menu', async ({ corelane }) => {
  const { page } = corelane;
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  const run = longestRuns(trace)[3];
  if (!run) throw new Error('the fixture has runs');
  const { x, y } = await corelane.place(run.cpu, (run.start + run.end) / 2);
  await page.mouse.dblclick(x, y);
  await corelane.idle();
  const { window } = await corelane.drawState();
  expect(window.start).toBeLessThanOrEqual(run.start);
  expect(window.end).toBeGreaterThanOrEqual(run.end);
  expect(window.end - window.start).toBeLessThan(2.1 * (run.end - run.start));
  expect((await corelane.view()).selection).toEqual({ cpu: run.cpu, start: run.start });

  const menu = page.getByRole('menu', { name: 'What can be done here' });
  const box = await corelane.box(corelane.lanes);
  // A drag of a label scrolls the lanes, and is no click.
  await page.mouse.move(box.x + 12, y);
  await page.mouse.down();
  await page.mouse.move(box.x + 12, y + 20, { steps: 4 });
  await page.mouse.up();
  await expect(menu).toBeHidden();
  await page.mouse.click(box.x + 12, y);
  await menu.getByRole('menuitem', { name: `Only the lane of CPU ${run.cpu}` }).click();
  await corelane.idle();
  expect((await corelane.view()).cpus).toEqual([run.cpu]);
});

test('a right click offers what can be done there', async ({ corelane }) => {
  const { page } = corelane;
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  const run = longestRuns(trace)[0];
  if (!run) throw new Error('the fixture has runs');
  const { x, y } = await corelane.place(run.cpu, (run.start + run.end) / 2);
  await page.mouse.move(x, y);
  await corelane.idle();
  await page.mouse.click(x, y, { button: 'right' });
  const menu = page.getByRole('menu', { name: 'What can be done here' });
  await menu.getByRole('menuitem', { name: `Highlight ${run.comm}` }).click();
  await expect(menu).toBeHidden();
  expect((await corelane.view()).highlighted).toEqual([run.comm]);
  // Left of the lanes it is about the CPU.
  const box = await corelane.lanes.boundingBox();
  await page.mouse.click((box?.x ?? 0) + 12, y, { button: 'right' });
  await menu.getByRole('menuitem', { name: `Only the lane of CPU ${run.cpu}` }).click();
  await corelane.idle();
  expect((await corelane.view()).cpus).toEqual([run.cpu]);
});

test('a view is kept as a file, which asks for its trace; a range is copied as text', async ({ corelane }) => {
  const { page } = corelane;
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  const copied = () => corelane.clipboard();
  // Of the whole trace: the wait that lasted longest, and what happened to that task meanwhile, as the text has it.
  await corelane.press('y');
  await expect(corelane.status).toContainText('The window is copied as text, with the events of its longest wait.');
  expect(await copied()).toContain(`# ${trace.name}`);
  const waited = trace.derived.story.runs.flatMap(({ task: { pid }, comm, wait, start }) =>
    wait ? [{ pid, comm, since: wait.since - trace.report.first, ns: start - wait.since }] : [],
  );
  const longest = waited.reduce((a, b) => (b.ns > a.ns ? b : a));
  const { pid, comm, since } = longest;
  const [, waits = ''] = (await copied()).split('\nLongest waits:\n');
  expect(waits.split('\n')[0]).toContain(`${comm} ${pid} waited ${formatDuration(NANO, longest.ns)} from `);
  const plain = plainLines('forkpipe-8cpu');
  const meanwhile = eventsOf('forkpipe-8cpu', plain).flatMap(({ at, fields, pid: by }, i) => {
    const isOfIt = by === pid || new RegExp(`pid=${pid}\\b`).test(fields);
    return isOfIt && at >= since && at <= since + longest.ns ? [plain[i]] : [];
  });
  expect(meanwhile.length).toBeGreaterThan(1);
  const [, events = ''] = waits.split('as trace-cmd report prints them:\n\n');
  expect(events.trimEnd().split('\n')).toEqual(meanwhile);

  // Of the range.
  const run = longestRuns(trace)[0];
  if (!run) throw new Error('the fixture has runs');
  await corelane.clickRun(run.cpu, (run.start + run.end) / 2);
  await corelane.press('r');
  await corelane.press('y');
  await expect.poll(copied).toContain(`: ${exactDuration(NANO, run.end - run.start)} of ${trace.cpus} CPUs\n`);

  const saved = page.waitForEvent('download');
  await page.keyboard.press('Control+Shift+S');
  const download = await saved;
  expect(download.suggestedFilename()).toBe('forkpipe-8cpu.corelane');
  const bytes = readFileSync(await download.path());
  const view = await corelane.view();
  await corelane.open();
  await page.setInputFiles('#trace-file', { name: 'kept.corelane', mimeType: '', buffer: bytes });
  await expect(page.getByRole('region', { name: 'Trace wanted' }).getByText(trace.name).first()).toBeVisible();
  await corelane.choose(trace.name, trace.bytes);
  expect(await corelane.view()).toMatchObject({ selection: view.selection, range: view.range });
  // Together with its trace, which is open.
  await corelane.press('Escape');
  expect((await corelane.view()).range).toBeNull();
  await page.setInputFiles('#trace-file', [
    { name: trace.name, mimeType: '', buffer: trace.bytes },
    { name: 'kept.corelane', mimeType: '', buffer: bytes },
  ]);
  await expect.poll(async () => (await corelane.view()).range).toEqual(view.range);
  await page.setInputFiles('#trace-file', { name: 'bad.corelane', mimeType: '', buffer: Buffer.from('{}') });
  await expect(page.getByText('bad.corelane is no view that Corelane has saved').first()).toBeVisible();
});
