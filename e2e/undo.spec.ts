/** Undo and redo of views, beside the browser's back and forward. */
import type { CorelanePage } from './corelanePage';
import { differingPixels } from './png';
import { expect, test } from './test';
import { longestRuns, truthOf } from './truth';

const trace = truthOf('forkpipe-8cpu');
const other = truthOf('barrier-i686');

const windowOf = async (corelane: CorelanePage) => (await corelane.view()).window;

/** One turn of the wheel over the lanes, and a rest. */
async function zoom(corelane: CorelanePage): Promise<void> {
  const box = await corelane.box(corelane.lanes);
  await corelane.page.mouse.move(box.x + 400, box.y + 100);
  await corelane.page.mouse.wheel(0, -240);
  await corelane.idle();
}

/** Several turns of the wheel without a rest in between, however slow the machine is, and then a rest. */
async function turn(corelane: CorelanePage, times: number, deltaY: number, shiftKey = false): Promise<void> {
  await corelane.lanes.evaluate(
    (lanes, [count, delta, shift]) => {
      const { left, top } = lanes.getBoundingClientRect();
      const place = { clientX: left + 400, clientY: top + 100 };
      for (let i = 0; i < count; i++) {
        lanes.dispatchEvent(new WheelEvent('wheel', { ...place, deltaY: delta, shiftKey: shift, cancelable: true }));
      }
    },
    [times, deltaY, shiftKey] as const,
  );
  await corelane.idle();
}

test('Ctrl+Z steps back through zooms and never leaves the trace', { tag: '@firefox' }, async ({ corelane }) => {
  test.slow();
  // On a first visit, the sample is opened, then the user's own file.
  await corelane.open('./');
  await corelane.choose(trace.name, trace.bytes);
  const windows = [await windowOf(corelane)];
  const picture = await corelane.lanePicture();
  for (let step = 0; step < 3; step++) {
    await zoom(corelane);
    windows.push(await windowOf(corelane));
  }
  expect(new Set(windows.map((window) => JSON.stringify(window))).size).toBe(4);
  const zoomed = await corelane.lanePicture();
  for (const window of windows.slice(0, -1).reverse()) {
    await corelane.press('Control+z');
    expect(await windowOf(corelane)).toEqual(window);
  }
  expect(differingPixels(await corelane.lanePicture(), picture)).toBe(0);
  await corelane.press('Control+z', 'Control+z');
  expect(await corelane.title()).toContain(trace.name);
  expect(await windowOf(corelane)).toEqual(windows[0]);
  await expect(corelane.status.getByRole('status')).toHaveText('There is nothing to undo.');

  await corelane.press('Control+Shift+z');
  expect(await windowOf(corelane)).toEqual(windows[1]);
  await corelane.press('Control+y', 'Control+Shift+Z');
  expect(await windowOf(corelane)).toEqual(windows[3]);
  expect(differingPixels(await corelane.lanePicture(), zoomed)).toBe(0);
  // The URL holds the view that was redone.
  await corelane.page.reload();
  await corelane.choose(trace.name, trace.bytes);
  expect(await windowOf(corelane)).toEqual(windows[3]);
});

test('a gesture is one step, however many turns it takes', async ({ corelane }) => {
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  await turn(corelane, 6, -120);
  const zoomed = await windowOf(corelane);
  await turn(corelane, 5, 60, true);
  const panned = await windowOf(corelane);
  expect(panned).not.toEqual(zoomed);
  await corelane.press('Control+z');
  expect(await windowOf(corelane)).toEqual(zoomed);
  await corelane.press('Control+z');
  expect(await windowOf(corelane)).toBeNull();
});

test('an undone view glides into place as other views do', async ({ corelane }) => {
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  await turn(corelane, 6, -120);
  const { frames } = await corelane.drawState();
  await corelane.press('Control+z');
  const after = await corelane.drawState();
  expect(after.window).toEqual({ start: 0, end: trace.span });
  // A jump would take a frame or two.
  expect(after.frames - frames).toBeGreaterThan(4);
});

test('back and forward are steps too, and lead to other traces, which undo does not', async ({ corelane }) => {
  const { page } = corelane;
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  const run = longestRuns(trace)[0];
  await corelane.clickRun(run.cpu, (run.start + run.end) / 2);
  const selected = await corelane.view();
  expect(selected.selection).not.toBeNull();
  await page.goBack();
  await corelane.idle();
  expect((await corelane.view()).selection).toBeNull();
  await corelane.press('Control+z');
  expect(await corelane.view()).toEqual(selected);

  await corelane.choose(other.name, other.bytes);
  await corelane.press('Control+z');
  expect(await corelane.title()).toContain(other.name);
  await page.goBack();
  await corelane.idle();
  expect(await corelane.title()).toContain(trace.name);
  expect(await corelane.view()).toEqual(selected);
  await corelane.press('Control+z');
  expect(await corelane.title()).toContain(trace.name);
  expect(await corelane.view()).toEqual(selected);
  await page.goForward();
  await corelane.idle();
  expect(await corelane.title()).toContain(other.name);
});

test('back to before the first trace is the empty page, and forward opens the trace again', async ({ corelane }) => {
  const { page } = corelane;
  await corelane.open('./?trace=');
  await corelane.choose(trace.name, trace.bytes);
  await zoom(corelane);
  const zoomed = await windowOf(corelane);
  await corelane.press('Control+z', 'Control+z', 'Control+z');
  expect(await corelane.title()).toContain(trace.name);
  expect(new URL(page.url()).hash).toContain(`trace=${trace.name}`);
  await corelane.press('Control+y');
  await page.goBack();
  await corelane.idle();
  expect(new URL(page.url()).search).toBe('?trace=');
  await expect(page.getByRole('region', { name: 'No trace' })).toBeVisible();
  expect(await corelane.title()).toBe('No trace');
  expect((await corelane.drawState()).lanes).toEqual([]);
  await page.goForward();
  await corelane.idle();
  expect(await corelane.title()).toContain(trace.name);
  expect(await windowOf(corelane)).toEqual(zoomed);
});

test('opening the same file again can be undone', async ({ corelane }) => {
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  await turn(corelane, 6, -120);
  const zoomed = await corelane.view();
  await corelane.choose(trace.name, trace.bytes);
  expect(await windowOf(corelane)).toBeNull();
  await corelane.press('Control+z');
  expect(await corelane.view()).toEqual(zoomed);
});

test('text fields keep their own undo', async ({ corelane }) => {
  const { page } = corelane;
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  await zoom(corelane);
  const zoomed = await windowOf(corelane);
  await corelane.press('e');
  const field = corelane.eventsPane.getByRole('textbox').first();
  await field.focus();
  await page.keyboard.type('fork');
  await page.keyboard.press('Control+z');
  await corelane.idle();
  await expect(field).not.toHaveValue('fork');
  expect(await windowOf(corelane)).toEqual(zoomed);
  expect((await corelane.view()).events.open).toBe(true);
});

test('marks and notes are undone', async ({ corelane }) => {
  const { page } = corelane;
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  await corelane.press('e');
  await corelane.press('ArrowDown', 'ArrowDown');
  const before = await corelane.view();
  await corelane.press('m');
  await page.keyboard.type('look here');
  await page.keyboard.press('Enter');
  await corelane.idle();
  expect((await corelane.view()).marks).toMatchObject([{ note: 'look here' }]);
  const noted = await corelane.view();
  for (let step = 0; step < 5 && (await corelane.view()).marks.length > 0; step++) await corelane.press('Control+z');
  expect((await corelane.view()).marks).toEqual(before.marks);
  for (let step = 0; step < 5; step++) await corelane.press('Control+y');
  expect((await corelane.view()).marks).toEqual(noted.marks);
  // Shift+A sets a mark at the pointer.
  await corelane.hover(1, trace.span / 2);
  await corelane.press('Shift+A');
  expect((await corelane.view()).timeMarks.a).not.toBeNull();
  await corelane.press('Control+z');
  expect((await corelane.view()).timeMarks.a).toBeNull();
});
