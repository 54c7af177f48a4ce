import { sceneThemes } from '../web/timeline/frame/theme';
import { colourAt, difference, parseColour } from './png';
import { expect, test } from './test';
import { truthOf } from './truth';

const forkpipe = truthOf('forkpipe-8cpu');

test('a file that is not a trace is told so, and the page goes on', async ({ corelane }) => {
  await corelane.open();
  await corelane.choose('notes.txt', Buffer.from('shopping list: milk, bread, a scheduler\n'.repeat(100)));
  const alert = corelane.page.getByRole('alert');
  await expect(alert).toContainText('This is not a trace that Corelane can read');
  await expect(alert).toContainText('notes.txt');
  await corelane.choose(forkpipe.name, forkpipe.bytes);
  expect(await corelane.title()).toContain(forkpipe.name);
});

test('an empty file is told so', async ({ corelane }) => {
  await corelane.open();
  await corelane.choose('empty.dat', Buffer.alloc(0));
  await expect(corelane.page.getByRole('alert')).toContainText(/empty|not a trace/i);
});

test('after a bad file the former trace is one click away', async ({ corelane }) => {
  await corelane.open();
  await corelane.choose(forkpipe.name, forkpipe.bytes);
  await corelane.choose('notes.txt', Buffer.from('no trace'));
  await corelane.page.getByRole('button', { name: `Back to ${forkpipe.name}` }).click();
  await corelane.idle();
  expect(await corelane.title()).toContain(forkpipe.name);
  expect((await corelane.drawState()).lanes).toHaveLength(forkpipe.cpus);
});

test('a truncated trace opens up to the damage, and says so', async ({ corelane }) => {
  const { bytes, cpus, base } = truthOf('b510-barrier-8cpu');
  // The damage is after two pages of CPU 3: no event is known from the third page's first on.
  const { start, times } = pagesOf(bytes, 3);
  const [, second = 0n, third = 0n] = times;
  await corelane.open();
  await corelane.choose('cut.dat', bytes.subarray(0, start + 2 * PAGE));
  await expect(corelane.page.getByRole('alert')).toHaveCount(0);
  const said = /The file is cut off: CPUs 4-7 have no data, CPU 3 ends at ([\d.]+) s\./;
  const banner = corelane.page.locator('.notices');
  await expect(banner).toContainText(said);
  // The text has three decimal places.
  const end = Number(said.exec(await banner.innerText())?.[1]) * 1e9;
  expect(end).toBeGreaterThanOrEqual(Number(second - base) - 5e5);
  expect(end).toBeLessThanOrEqual(Number(third - base) + 5e5);
  const { lanes } = await corelane.drawState();
  expect(lanes).toHaveLength(cpus);
  expect(lanes.some(({ busy }) => busy > 0)).toBe(true);
  await corelane.openTab(/Diagnostics/);
  await expect(corelane.details.locator('.diagnostic').first()).toBeVisible();
});

test('a trace cut off in its header cannot be opened, and says where', async ({ corelane }) => {
  await corelane.open();
  await corelane.choose('head.dat', forkpipe.bytes.subarray(0, 300));
  const alert = corelane.page.getByRole('alert');
  await expect(alert).toContainText('head.dat');
  await expect(alert.getByText('What to do')).toBeVisible();
});

test('lost events are counted, and hatched where trace-cmd says that nothing is known', async ({ corelane }) => {
  const lost = truthOf('lost-s390x');
  await corelane.open();
  await corelane.choose(lost.name, lost.bytes);
  const { lostEvents, lostGaps } = lost.report;
  await expect(corelane.status).toContainText(`${lostEvents.toLocaleString('en-GB')} events lost`);
  await corelane.openTab('Trace');
  await expect(corelane.fact('Lost')).toContainText(`in ${lostGaps} gaps`);
  await corelane.openTab(/Diagnostics/);
  const conflict = corelane.details.getByRole('region', { name: /^sched_waking of a task whose last sched_waking/ });
  await expect(conflict).toContainText('What is done: the later one counts.');
  await conflict.getByRole('button').first().click();
  await corelane.idle();
  expect((await corelane.view()).selection).not.toBeNull();
  // The details show what is selected. Every place is within the trace, and in order of time; each is a link.
  await corelane.openTab(/Diagnostics/);
  const places = await conflict.getByRole('listitem').filter({ hasText: ' on CPU ' }).allInnerTexts();
  const times = places.map((place) => Number.parseFloat(place));
  expect(times.length).toBeGreaterThan(2);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(times.at(-1)).toBeLessThan(lost.span / 1e9);
  for (const index of [1, times.length - 1]) {
    await corelane.openTab(/Diagnostics/);
    await conflict.getByRole('button').nth(index).click();
    await corelane.idle();
    const { selection } = await corelane.view();
    const cpu = Number(/on CPU (\d+)/.exec(places[index] ?? '')?.[1]);
    const at = (times[index] ?? 0) * 1e9;
    const there = lost.intervals.find((run) => run.cpu === cpu && run.start <= at + 1 && at < run.end);
    expect(selection).toMatchObject({ cpu, start: there?.start });
  }

  const unknown = lost.intervals
    .filter(({ kind }) => kind === 'unknown')
    .sort((a, b) => b.end - b.start - (a.end - a.start))[0];
  if (!unknown) throw new Error('the fixture has gaps');
  const length = unknown.end - unknown.start;
  const window = `${absolute(lost.base, unknown.start)}-${absolute(lost.base, unknown.end)}`;
  await corelane.page.evaluate(
    (hash) => {
      location.hash = hash;
    },
    `#v=1&trace=x&fp=${fingerprintOf(corelane.page.url())}&window=${window}`,
  );
  await corelane.idle();
  const picture = await corelane.lanePicture();
  const box = await corelane.box(corelane.lanes);
  const { x, y } = await corelane.place(unknown.cpu, unknown.start + length / 2);
  const lane = await corelane.lane(unknown.cpu);
  const theme = sceneThemes.light;
  let hatched = 0;
  let blank = 0;
  for (let dx = -20; dx < 20; dx++) {
    for (let dy = -lane.height / 3; dy < lane.height / 3; dy++) {
      const colour = colourAt(picture, x - box.x + dx, y - box.y + dy);
      if (difference(colour, parseColour(theme.hatch)) < 12) hatched++;
      if (difference(colour, parseColour(theme.background)) < 12) blank++;
    }
  }
  expect(hatched).toBeGreaterThan(50);
  expect(blank).toBeGreaterThan(50);
});

/** Size of a page of the ring buffer in bytes. */
const PAGE = 4096;

/**
 * A CPU's pages in a file of version 6, with the time in ns at which each begins. The table after `flyrecord` has the
 * place and the size of every CPU's data (trace-cmd.dat.v6.5).
 */
function pagesOf(bytes: Buffer, cpu: number): { readonly start: number; readonly times: readonly bigint[] } {
  const entry = bytes.indexOf('flyrecord\0') + 'flyrecord\0'.length + 16 * cpu;
  const [start, size] = [entry, entry + 8].map((at) => Number(bytes.readBigUInt64LE(at)));
  if (start === undefined || size === undefined) throw new Error('an entry has a place and a size');
  return { start, times: Array.from({ length: size / PAGE }, (_, page) => bytes.readBigUInt64LE(start + page * PAGE)) };
}

function absolute(base: bigint, time: number): string {
  const ns = base + BigInt(Math.round(time));
  return `${ns / 1_000_000_000n}.${(ns % 1_000_000_000n).toString().padStart(9, '0')}`;
}

const fingerprintOf = (url: string): string => /[#&]fp=([0-9a-f]+)/.exec(url)?.[1] ?? '';
