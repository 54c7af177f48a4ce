/** What is seen first: the headline, the overview, colours that say where it hurts; and which CPUs have lanes. */

import { common, deriveBehind, deriveStanding } from '../tests/derive/behind.mjs';
import { formatDuration } from '../web/base/format';
import { ns } from '../web/base/units';
import { sceneThemes } from '../web/timeline/frame/theme';
import type { CorelanePage } from './corelanePage';
import { colourAt, difference, parseColour } from './png';
import { expect, test } from './test';
import { longestRuns, truthOf } from './truth';

const trace = truthOf('barrier32-badplace');
const { first, last } = trace.report;
const always = (): boolean => true;
const standing = deriveStanding(trace.derived.lanes, trace.derived.queued, always, always);
const { sums, stretches } = deriveBehind({ first, last }, standing);
const overview = (corelane: CorelanePage) => corelane.page.getByRole('region', { name: 'Overview' });

test.beforeEach(async ({ corelane }) => {
  await corelane.open('./?trace=&graphics=webgl');
  await corelane.choose(trace.name, trace.bytes);
});

/** Where a share of the trace is on the overview. */
async function shareOf(corelane: CorelanePage, share: number): Promise<{ x: number; y: number }> {
  const { plot } = await corelane.drawState();
  const box = await corelane.box(overview(corelane));
  return { x: box.x + plot.left + share * plot.width, y: box.y + box.height / 2 };
}

async function drag(corelane: CorelanePage, from: number, to: number): Promise<void> {
  const [begin, end] = [await shareOf(corelane, from), await shareOf(corelane, to)];
  await corelane.page.mouse.move(begin.x, begin.y);
  await corelane.page.mouse.down();
  await corelane.page.mouse.move(end.x, end.y, { steps: 5 });
  await corelane.page.mouse.up();
  await corelane.idle();
}

async function shares(corelane: CorelanePage): Promise<{ start: number; end: number }> {
  const { window } = await corelane.drawState();
  return { start: window.start / trace.span, end: window.end / trace.span };
}

test('the headline says for how long tasks waited behind others, and leads to the worst', async ({ corelane }) => {
  const headline = corelane.page.getByRole('note', { name: 'Headline' });
  await expect(headline).toContainText(`For ${formatDuration({ isNs: true }, sums.behind_ns)} tasks queued`);
  const [worst] = [...stretches].sort((a, b) => b.cost - a.cost);
  await headline.getByRole('button', { name: 'Show worst' }).click();
  await corelane.idle();
  expect((await corelane.view()).range).toEqual({ start: worst.start - first, end: worst.end - first });
});

test('a click on the strip of overloads goes to the one there', async ({ corelane }) => {
  // Not the worst of all, but the worst in the pixels around its middle.
  const pixel = trace.span / 700;
  const [, ...others] = [...stretches].sort((a, b) => b.cost - a.cost);
  const wanted = others.find((one) => {
    const middle = (one.start + one.end) / 2;
    const near = stretches.filter(({ start, end }) => start < middle + 4 * pixel && end > middle - 4 * pixel);
    return near.every((other) => other === one || other.cost < one.cost);
  });
  if (!wanted) throw new Error('the fixture has such an overload');
  const { window, plot } = await corelane.drawState();
  const box = await corelane.box(corelane.running.locator('.scene'));
  const at = (wanted.start + wanted.end) / 2 - first;
  const x = box.x + plot.left + ((at - window.start) / (window.end - window.start)) * plot.width;
  await corelane.page.mouse.click(Math.floor(x), box.y + box.height - 3);
  await corelane.idle();
  expect((await corelane.view()).range).toEqual({ start: wanted.start - first, end: wanted.end - first });
});

test('the window is a brush on the overview, which is painted once', async ({ corelane }) => {
  const painted = (await corelane.drawState()).overview?.drawn;
  await drag(corelane, 0.5, 0.25);
  const drawn = await shares(corelane);
  expect(drawn.start).toBeCloseTo(0.25, 2);
  expect(drawn.end).toBeCloseTo(0.5, 2);
  await drag(corelane, 0.4, 0.6);
  const moved = await shares(corelane);
  expect(moved.start).toBeCloseTo(0.45, 2);
  expect(moved.end).toBeCloseTo(0.7, 2);
  await drag(corelane, moved.end, 0.9);
  expect((await shares(corelane)).end).toBeCloseTo(0.9, 2);
  const { x, y } = await shareOf(corelane, 0.3);
  await corelane.page.mouse.click(x, y);
  await corelane.idle();
  const jumped = await shares(corelane);
  expect((jumped.start + jumped.end) / 2).toBeCloseTo(0.3, 2);
  const state = await corelane.drawState();
  expect((state.overview?.from ?? 0) / state.plot.width).toBeCloseTo(jumped.start, 2);
  expect(state.overview?.drawn).toBe(painted);
  await corelane.press('Control+z');
  expect((await shares(corelane)).end).toBeCloseTo(0.9, 2);
  await corelane.page.mouse.dblclick(x, y);
  await corelane.idle();
  expect((await corelane.view()).window).toBeNull();
});

test('by state: idle time shines while a task waits behind another, and only then', async ({ corelane }) => {
  await corelane.page.getByText('State', { exact: true }).click();
  await corelane.idle();
  const picture = await corelane.lanePicture();
  const box = await corelane.box(corelane.lanes);
  const { nsPerDevicePixel } = await corelane.drawState();
  const { background, wasted, run } = sceneThemes.light;
  let [shining, plain] = [0, 0];
  /** How far the colour there is from the expected one; a line of the grid, a pixel wide, may lie over it. */
  const distance = async (cpu: number, time: number, expected: string) => {
    const { x, y } = await corelane.place(cpu, time);
    const colours = [-1, 0, 1].map((step) => colourAt(picture, x - box.x + step, y - box.y));
    return Math.min(...colours.map((colour) => difference(colour, parseColour(expected))));
  };
  for (const { cpu, kind, start, end } of trace.intervals) {
    if (kind !== 'idle' || end - start < 8 * nsPerDevicePixel) continue;
    const middle = (start + end) / 2;
    // The pixel and its neighbours: all of it, or nothing of it, is spent so.
    const around = { start: first + middle - 2 * nsPerDevicePixel, end: first + middle + 2 * nsPerDevicePixel };
    const spent = common(around, stretches).reduce((sum, part) => sum + part.end - part.start, 0);
    const whole = spent > 3.999 * nsPerDevicePixel;
    if (spent > 0 && !whole) continue;
    expect(await distance(cpu, middle, whole ? wasted : background), `CPU ${cpu} at ${middle}`).toBeLessThan(8);
    if (whole) shining++;
    else plain++;
    if (shining > 20 && plain > 20) break;
  }
  expect(Math.min(shining, plain)).toBeGreaterThan(0);
  const long = longestRuns(trace)[0];
  if (!long) throw new Error('the fixture has runs');
  expect(await distance(long.cpu, (long.start + long.end) / 2, run)).toBeLessThan(6);
});

test('by load: a CPU that is busy throughout has the last colour, an idle one none', async ({ corelane }) => {
  await corelane.page.getByText('Load', { exact: true }).click();
  await corelane.idle();
  const picture = await corelane.lanePicture();
  const box = await corelane.box(corelane.lanes);
  const long = longestRuns(trace)[0];
  if (!long) throw new Error('the fixture has runs');
  const { x, y } = await corelane.place(long.cpu, (long.start + long.end) / 2);
  const last = sceneThemes.light.load.at(-1) ?? '';
  expect(difference(colourAt(picture, x - box.x, y - box.y), parseColour(last))).toBeLessThan(6);
});

test('chosen CPUs have lanes; what the page goes to gets one; a link keeps them', async ({ corelane }) => {
  const { page } = corelane;
  await page.getByRole('button', { name: 'CPUs', exact: true }).click();
  const list = page.getByLabel('CPUs with lanes, as a list');
  await list.fill('x');
  await expect(page.getByText('This is no list of CPUs')).toBeVisible();
  await list.fill('1,4-6');
  await list.press('Enter');
  await corelane.idle();
  const lanes = async () => (await corelane.drawState()).lanes.map(({ cpu }) => cpu);
  expect(await lanes()).toEqual([1, 4, 5, 6]);
  await page.reload();
  await corelane.choose(trace.name, trace.bytes);
  expect(await lanes()).toEqual([1, 4, 5, 6]);
  const worst = corelane.page.getByRole('note', { name: 'Headline' }).getByRole('button', { name: 'Show worst' });
  await worst.click();
  await corelane.idle();
  const { selection } = await corelane.view();
  expect(await lanes()).toContain(selection?.cpu);
});

test('a card says what is under a resting pointer, and leaves with it', async ({ corelane }) => {
  const run = longestRuns(trace)[0];
  if (!run) throw new Error('the fixture has runs');
  const card = corelane.page.locator('.hover-card');
  await expect(card).toBeHidden();
  await corelane.hover(run.cpu, (run.start + run.end) / 2);
  await expect(card).toContainText(`${run.comm} ${run.pid}`);
  await expect(card).toContainText(`${formatDuration({ isNs: true }, ns(run.end - run.start))} on CPU ${run.cpu}`);
  // What a key selects is not covered by the card of a pointer that only rests there, nor by that of what the view moved below it.
  const { x, y } = await corelane.place(run.cpu, (run.start + run.end) / 2);
  for (const [step, key] of ['.', 'Escape', 'Escape'].entries()) {
    await corelane.press(key);
    await corelane.page.waitForTimeout(800);
    await expect(card, `${key}, ${step}`).toBeHidden();
    await corelane.page.mouse.move(x + step + 1, y);
    await expect(card).toBeVisible();
  }
  await corelane.page.mouse.move(1, 1);
  await expect(card).toBeHidden();
});

test('the palette finds actions by their words, and what the trace holds by its name', async ({ corelane }) => {
  const { page } = corelane;
  const field = page.getByRole('combobox', { name: 'Actions, commands, PIDs, CPUs and instants' });
  await corelane.press('Control+k');
  await expect(field).toBeFocused();
  await field.pressSequentially('by load');
  await page.keyboard.press('Enter');
  await corelane.idle();
  expect((await corelane.view()).colour).toBe('load');
  await corelane.press('Control+k');
  await field.fill('barrier');
  await page.keyboard.press('Enter');
  await corelane.idle();
  expect((await corelane.view()).highlighted).toEqual(['barrier']);
  // Actions that have no key: of a button, and of one that opens a box.
  await corelane.press('Control+k');
  await field.fill('dark theme');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await corelane.press('Control+k');
  await field.fill('copy link');
  await page.keyboard.press('Enter');
  await expect(corelane.status).toContainText('Link copied.');
  await corelane.press('Control+k');
  await field.fill('topology');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Topology of the machine' })).toBeVisible();
  await corelane.press('Escape');
  await corelane.press('Control+k');
  await field.fill('counter: ');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Which counter the lanes show' }).getByRole('textbox')).toBeFocused();
  await corelane.press('Escape');
  // An action that opens another dialog, and one that no key has.
  await corelane.press('Control+k');
  await field.fill('keys');
  await expect(page.getByText('Nothing fits.')).toBeVisible();
  await field.fill('help');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Keys and gestures' })).toBeVisible();
});
