/** The filter: events that pass are counted, marked on lanes and overview, and walked through. */
import { eventsOf, type TrueEvent } from './eventTruth';
import { expect, test } from './test';
import { truthOf } from './truth';

const trace = truthOf('forkpipe-8cpu');
const all = eventsOf('forkpipe-8cpu');
const FILTER = 'sched_waking: target_cpu >= 2 && target_cpu < 4';
const passes = ({ event, fields }: TrueEvent): boolean =>
  event === 'sched_waking' && [2, 3].includes(Number(/target_cpu=(\d+)/.exec(fields)?.[1]));
const hits = all.filter(passes).sort((a, b) => a.at - b.at || a.cpu - b.cpu);

test.beforeEach(async ({ corelane }) => {
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
});

test('events that pass a filter are counted, marked, and walked through, and are in the URL', async ({ corelane }) => {
  const { page } = corelane;
  expect(hits.length).toBeGreaterThan(10);
  await corelane.press('Control+Shift+F');
  await expect(page.locator('#filter')).toBeFocused();
  await page.keyboard.type(FILTER);
  await corelane.idle();
  const box = page.getByRole('search', { name: 'Filter' });
  await expect(box).toContainText(`${hits.length.toLocaleString('en')} events`);

  // A lane has marks if and only if events of its CPU pass, each in one column at most.
  const { hits: drawn } = await corelane.drawState();
  expect(drawn.lanes).toHaveLength(8);
  for (const { cpu, columns } of drawn.lanes) {
    const there = hits.filter((hit) => hit.cpu === cpu).length;
    expect(columns > 0, `CPU ${cpu}`).toBe(there > 0);
    expect(columns).toBeLessThanOrEqual(there);
  }
  expect(drawn.overview?.columns).toBeGreaterThan(0);

  // From the field by Enter, then by keys, and back.
  const current = async () => (await corelane.view()).event;
  const place = ({ cpu, at }: TrueEvent) => ({ cpu, at });
  await corelane.press('Enter');
  expect(await current()).toEqual(hits[0] && place(hits[0]));
  await corelane.press('Enter');
  await page.getByRole('heading', { level: 1 }).click();
  await corelane.press('h', 'h');
  expect(await current()).toEqual(hits[3] && place(hits[3]));
  await expect(box).toContainText(`4 of ${hits.length.toLocaleString('en')} events`);
  await corelane.press('Shift+H');
  expect(await current()).toEqual(hits[2] && place(hits[2]));
  await expect(corelane.status).toContainText(`sched_waking`);
  // The palette knows both ways.
  await corelane.press('Control+k');
  await page.keyboard.type('next event that passes');
  await corelane.press('Enter');
  await expect.poll(current).toEqual(hits[3] && place(hits[3]));
  await corelane.press('Shift+H');
  // The run in which it happened is selected.
  expect((await corelane.view()).selection?.cpu).toBe(hits[2]?.cpu);

  // Around a hit, it is the only one in sight: one column.
  const at = hits[2]?.at ?? 0;
  const near = hits.filter((hit) => Math.abs(hit.at - at) < 500 && hit.cpu === hits[2]?.cpu);
  await page.evaluate((hash) => location.replace(hash), windowHash(page.url(), at));
  await corelane.idle();
  const lane = (await corelane.drawState()).hits.lanes.find(({ cpu }) => cpu === hits[2]?.cpu);
  expect(lane).toEqual({ cpu: hits[2]?.cpu, columns: near.length, most: 1 });

  const link = page.url();
  expect(link).toContain(`&filter=sched_waking:`);
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  await expect(page.locator('#filter')).toBeFocused();
  await corelane.idle();
  expect((await corelane.drawState()).hits).toEqual({ lanes: [], overview: null });
  expect(page.url()).not.toContain('filter=');

  // Where the filter speaks of the next task, a switch stands for the run that it begins, also behind idle time.
  await page.keyboard.type('prev_pid == 0 && next_pid > 0');
  await corelane.idle();
  await corelane.press('Enter', 'Enter');
  const { event, selection } = await corelane.view();
  expect(selection).toEqual({ cpu: event?.cpu, start: event?.at });
  const begun = trace.intervals.find(({ cpu, start }) => cpu === event?.cpu && start === event.at);
  expect(begun?.kind).toBe('run');
});

test('a plain text is one that lines hold, and what is wrong with an expression is told', async ({ corelane }) => {
  const { page } = corelane;
  const box = page.getByRole('search', { name: 'Filter' });
  const field = page.getByLabel('Filter', { exact: true }).and(page.getByRole('combobox'));
  const forks = all.filter(({ event }) => event === 'sched_process_fork');
  await field.fill('SCHED_PROCESS_FORK:');
  await corelane.idle();
  await expect(box).toContainText(`${forks.length.toLocaleString('en')} events`);
  await field.fill('target_cpus == 3');
  await corelane.idle();
  await expect(box).toContainText('no event has a field `target_cpus`');
  expect((await corelane.drawState()).hits.lanes.every(({ columns }) => columns === 0)).toBe(true);
});

test('the field is wide enough to read an expression in, and what is wrong is beside it', async ({ corelane }) => {
  const { page } = corelane;
  const box = page.getByRole('search', { name: 'Filter' });
  const field = box.getByRole('combobox');
  for (const width of [390, 1280, 1920]) {
    // In a narrow window, all of it but its name.
    const wide = Math.min(420, width - 80);
    await page.setViewportSize({ width, height: 800 });
    await corelane.idle();
    const lanes = await corelane.box(corelane.lanes);
    await field.focus();
    expect((await corelane.box(field)).width, `with the focus at ${width}`).toBeGreaterThanOrEqual(wide);
    const focused = await corelane.box(field);
    expect(focused.x, `at ${width}`).toBeGreaterThanOrEqual(0);
    expect(focused.x + focused.width, `at ${width}`).toBeLessThanOrEqual(width);
    // A press on the lanes takes the focus away: they stay where they are.
    expect(await corelane.box(corelane.lanes)).toEqual(lanes);
    await field.fill('sched_switch: next_comm ~ "sysbench*" && prev_prios < 120');
    await page.getByRole('heading', { level: 1 }).click();
    await corelane.idle();
    const whole = await corelane.box(field);
    expect(whole.width, `with a text at ${width}`).toBeGreaterThanOrEqual(wide);
    // Nothing covers the message, nor does it cover anything.
    const message = box.getByText('no event has a field');
    const said = await corelane.box(message);
    expect(said.y + said.height, `at ${width}`).toBeLessThanOrEqual((await corelane.box(page.getByRole('main'))).y);
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await page.getByRole('heading', { level: 1 }).click();
    await corelane.idle();
  }
});

/** The address with a window of a microsecond around a time. */
function windowHash(url: string, at: number): string {
  const absolute = (time: number): string => {
    const ns = trace.base + BigInt(time);
    return `${ns / 1_000_000_000n}.${(ns % 1_000_000_000n).toString().padStart(9, '0')}`;
  };
  const window = `window=${absolute(at - 500)}-${absolute(at + 500)}`;
  const hash = new URL(url).hash;
  return /[#&]window=[^&]*/.test(hash) ? hash.replace(/window=[^&]*/, window) : `${hash}&${window}`;
}
