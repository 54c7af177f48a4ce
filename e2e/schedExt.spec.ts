/** What the page shows of sched_ext; the numbers are those of `tests/fixtures` and of scxtop's sample (its .json). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './test';
import { storedText, truthOf } from './truth';

const fixture = join(import.meta.dirname, '../tests/fixtures/scx-lab-fifo-4cpu.dat');
const scxtop = join(import.meta.dirname, '../crates/traceimport/tests/samples/scxtop-shaped-4cpu.proto.zst');
/** What the writer of the sample says of it. */
const facts = join(import.meta.dirname, '../crates/traceimport/tests/samples/scxtop-shaped-4cpu.json');

test('a scheduler of sched_ext: its bypasses as a lane, its counters, its slices and migrations', async ({
  corelane,
}) => {
  const { page } = corelane;
  await corelane.open();
  await corelane.drop('scx-lab-fifo-4cpu.dat', readFileSync(fixture));
  // The tab is there once the list of events is.
  await corelane.openTab('sched_ext');
  await corelane.idle();
  const bypasses = page.getByRole('list', { name: 'Bypasses' }).getByRole('listitem');
  await expect(bypasses).toHaveCount(2);
  // Of the README: [312.4873, 312.5212] and [329.4900, 330.1443].
  await expect(bypasses.nth(0)).toContainText('33.8');
  await expect(bypasses.nth(1)).toContainText('654.3');
  expect((await corelane.drawState()).schedExt[0]).toMatchObject({ cpu: 0, columns: 2 });

  const counters = page.getByRole('table', { name: 'Counters of sched_ext' });
  await expect(counters.getByRole('row').filter({ hasText: 'bypass_activate' }).getByRole('cell').first()).toHaveText(
    '2',
  );

  // Runs of barrier that ended still runnable crowd above the slice of 10 ms.
  await page.getByRole('spinbutton', { name: 'Nominal time slice in µs' }).fill('10000');
  await corelane.idle();
  const slices = page.getByRole('table', { name: 'Runs by why they ended' });
  const cells = slices.getByRole('row').filter({ hasText: 'barrier' }).getByRole('cell');
  // Still runnable, median, ended at slice, slept, median: at first with the scheduler.
  const median = Number.parseFloat((await cells.nth(1).innerText()).replace(/ ms$/, ''));
  expect(median).toBeGreaterThan(10);
  expect(median).toBeLessThan(15);
  await slices.getByRole('button', { name: 'barrier' }).click();
  await expect(page.getByRole('figure', { name: 'Runs that ended still runnable, With the scheduler' })).toBeVisible();
  const url = new URL(page.url()).hash;
  expect(url).toContain('slice=10000,barrier');
  const before = page.getByRole('radio', { name: 'Before' });
  await page.getByText('Before', { exact: true }).first().click();
  await expect(before).toBeChecked();
  // The table is of the chosen part: as many runs as the histogram of that part counts.
  const figure = page.getByRole('figure', { name: 'Runs that ended still runnable, Before' });
  await page.getByRole('button', { name: 'All commands' }).click();
  await corelane.idle();
  const counted = (await figure.locator('figcaption .muted').innerText()).trim();
  await expect(slices.getByRole('row').filter({ hasText: /^all/ }).getByRole('cell').first()).toHaveText(counted);

  // Migrations before, between and after the bypasses, as the text has them; 1,298 with those during bypasses.
  const { derived, report } = truthOf('scx-lab-fifo-4cpu');
  const [loading, unloading] = bypassesOf('scx-lab-fifo-4cpu');
  const from = (time: number) => derived.story.migrations.filter(({ t }) => t >= time).length;
  expect(from(report.first)).toBe(1298);
  const expected = [
    from(report.first) - from(loading?.start ?? 0),
    from(loading?.end ?? 0) - from(unloading?.start ?? 0),
    from(unloading?.end ?? 0),
  ];
  const moves = page.getByRole('table', { name: 'Migrations' });
  await expect(moves.locator('tr.all td:nth-child(2)')).toHaveText(expected.map((count) => count.toLocaleString('en')));
});

/** Bypasses by the text: each ends with an event that says how long it was. Times as the report counts them. */
function bypassesOf(name: string): { readonly start: number; readonly end: number }[] {
  const ends = storedText(`${name}.report`).matchAll(
    / (\d+)\.(\d{9}): sched_ext_event: .*BYPASS_DURATION delta=(\d+)/g,
  );
  const { origin } = truthOf(name).report;
  return [...ends].map(([, whole = '', fraction = '', length]) => {
    const end = Number(BigInt(whole + fraction) - origin);
    return { start: end - Number(length), end };
  });
}

test('events of sched_ext in a saved Perfetto trace and in a pasted text are shown', async ({ corelane }) => {
  const { page } = corelane;
  await corelane.open();
  await corelane.drop('scx-lab-fifo-4cpu.dat', readFileSync(fixture));
  await page.getByRole('button', { name: 'Save…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save trace' });
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: /^Save scx-lab/ }).click();
  const file = readFileSync(await (await download).path());
  await dialog.getByRole('button', { name: 'Close' }).click();
  const text = [
    ' helper-633 [000] d..2. 312.487456: sched_ext_event: name SCX_EV_BYPASS_ACTIVATE delta 1',
    ' helper-633 [000] d..2. 312.489: sched_switch: prev_comm=helper prev_pid=633 prev_prio=120 prev_state=S ==> next_comm=a next_pid=7 next_prio=120',
    ' a-7 [000] d..2. 312.521175: sched_ext_event: name SCX_EV_BYPASS_DURATION delta 33719000',
  ].join('\n');
  for (const [name, bytes, count] of [
    ['scx.pftrace', file, 2],
    ['scx.txt', Buffer.from(`${text}\n`), 1],
  ] as const) {
    await corelane.choose(name, bytes);
    await corelane.openTab('sched_ext');
    await corelane.idle();
    await expect(page.getByRole('list', { name: 'Bypasses' }).getByRole('listitem')).toHaveCount(count);
    expect((await corelane.drawState()).schedExt[0]?.columns).toBe(count);
  }
});

test('scxtop: dispatch queues have lanes, and its two caches are brackets', async ({ corelane }) => {
  const { page } = corelane;
  await corelane.open();
  await corelane.drop('scxtop-shaped-4cpu.proto.zst', readFileSync(scxtop));
  await corelane.openTab('sched_ext');
  await corelane.idle();
  const queues = page.getByRole('table', { name: 'Dispatch queues' });
  const told = JSON.parse(readFileSync(facts, 'utf8'));
  const { schedExt, brackets } = await corelane.drawState();
  expect(schedExt).toHaveLength(told.dsqs.length);
  await expect(queues.locator('tbody th')).toHaveText(told.dsqs.map((id: number) => `DSQ ${id}`));
  const waits = await queues.locator('tbody td:nth-child(2)').allInnerTexts();
  expect(waits.reduce((sum, text) => sum + Number(text.replaceAll(',', '')), 0)).toBe(told.dsq_points);
  for (const { columns, most } of schedExt) {
    expect(columns).toBeGreaterThan(0);
    expect(most).toBeGreaterThan(0);
  }
  expect(brackets.filter(({ level }) => level === 'llc')).toHaveLength(told.llcs);
  // What scxtop cannot record is said where it matters, and there are no migrations but those derived.
  const moves = page.getByRole('table', { name: 'Migrations' }).locator('tr.all td');
  await expect(moves.nth(0)).toHaveText('0');
  const heads = await page.getByRole('table', { name: 'Migrations' }).locator('thead th').allInnerTexts();
  const derived = await moves.nth(heads.indexOf('derived')).innerText();
  expect(Number(derived.replaceAll(',', ''))).toBeGreaterThan(0);
  await corelane.openTab('Trace');
  await expect(corelane.fact('Format')).toContainText('written by scxtop');
  await expect(corelane.fact('Limits')).toContainText('who woke a task');
});
