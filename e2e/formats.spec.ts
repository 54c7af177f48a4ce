/** Traces of other tools: dropped, and pasted out of a mail. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './test';

const fixture = (name: string): Buffer => readFileSync(join(import.meta.dirname, '../tests/fixtures/import', name));

test('a dropped perf.data shows its CPUs, its tasks and what it cannot tell', { tag: '@firefox' }, async ({
  corelane,
}) => {
  const { page } = corelane;
  await corelane.open();
  await corelane.drop('perf.data', fixture('record-z-4cpu.perf.data'));
  await expect(page.getByRole('alert')).toHaveCount(0);
  const { lanes } = await corelane.drawState();
  expect(lanes).toHaveLength(4);
  for (const { busy } of lanes) expect(busy).toBeGreaterThan(0);
  // perf's header has the machine's topology.
  expect((await corelane.view()).topology.text).not.toBe('');
  await corelane.showCommands();
  await expect(corelane.command('hackbench')).toBeVisible();
});

test('a mail that is pasted becomes a picture', { tag: '@firefox' }, async ({ corelane }) => {
  const { page } = corelane;
  await corelane.open();
  await page.evaluate((text) => navigator.clipboard.writeText(text), fixture('mail.txt').toString());
  await corelane.press('Control+v');
  await expect(page.getByRole('alert')).toHaveCount(0);
  const { lanes } = await corelane.drawState();
  expect(lanes).toHaveLength(4);
  expect(lanes[2]?.busy).toBeGreaterThan(0);
  await corelane.showCommands();
  await expect(corelane.command('sort')).toBeVisible();
});

test('a pasted text that is no trace is refused with its first line', async ({ corelane }) => {
  await corelane.open();
  await corelane.choose('notes.txt', Buffer.from('Dear all,\nsee below.\n'));
  await expect(corelane.page.getByRole('alert')).toContainText('Dear all,');
});

/** Counts of tests/fixtures' README, which are perf's and tracefs's own. */
for (const [name, counts] of [
  ['record-z-4cpu.perf.data', { sched_switch: 2183, sched_waking: 1185, sched_wakeup: 1185, sched_migrate_task: 520 }],
  ['mail.txt', { sched_switch: 27, sched_waking: 14, sched_migrate_task: 3 }],
] as const) {
  test(`the events of ${name} are listed, filtered and marked`, async ({ corelane }) => {
    const { page } = corelane;
    await corelane.open();
    await corelane.drop(name, fixture(name));
    await corelane.press('e');
    await expect(corelane.events).toBeVisible();
    await page.getByRole('button', { name: 'All events' }).click();
    const menu = page.getByRole('dialog', { name: 'Which kinds of events are listed' });
    for (const [event, count] of Object.entries(counts)) {
      await expect(menu.getByRole('listitem').filter({ has: page.getByText(event, { exact: true }) })).toContainText(
        count.toLocaleString('en'),
      );
    }
    await page.keyboard.press('Escape');
    await page.getByLabel('Text', { exact: true }).fill('sched_migrate_task: orig_cpu != dest_cpu');
    await corelane.idle();
    await expect(corelane.eventsPane.locator('.events-count')).toContainText(`${counts.sched_migrate_task}`);
    const [row] = await corelane.eventRows();
    expect(row?.text).toContain('sched_migrate_task');
    // A click goes to the event, and M marks it on the lanes.
    await corelane.events.locator('.events-body [role=row]').first().click();
    await corelane.press('m');
    await corelane.press('Enter');
    expect((await corelane.drawState()).marks).toHaveLength(1);
  });
}

/** Counts of the recorders' own, as crates/traceimport/tests compares them natively. */
const COUNTS: readonly (readonly [string, Readonly<Record<string, number>>])[] = [
  ['sched-record-4cpu.perf.data.gz', { sched_switch: 974, sched_waking: 564, sched_migrate_task: 183 }],
  ['pipe-4cpu.perf.data', { sched_switch: 120, sched_waking: 56, sched_wakeup: 57 }],
  ['tracefs-tgid.txt', { sched_switch: 185, sched_waking: 87, sched_migrate_task: 9 }],
  ['tracefs-latency.txt', { sched_switch: 185, sched_waking: 87, sched_migrate_task: 9 }],
  ['tracefs-noirq.txt', { sched_switch: 185, sched_waking: 87, sched_migrate_task: 9 }],
  ['test.tar.gz', { sched_switch: 15056, sched_wakeup: 11134, sched_wakeup_new: 2732 }],
  ['compact-4cpu.pftrace', { sched_switch: 6910, sched_waking: 3724, sched_process_fork: 85, sched_process_exit: 86 }],
  ['compact-mix-4cpu.pftrace.gz', { sched_switch: 676, sched_waking: 326, sched_process_fork: 17 }],
  ['full-4cpu.pftrace', { sched_switch: 729, sched_waking: 340, sched_wakeup: 340, sched_migrate_task: 46 }],
  ['lost-4cpu.pftrace', { sched_switch: 1770, sched_waking: 885 }],
  ['scxtop-shaped-4cpu.proto.zst', { sched_switch: 5432 }],
];
const samples = join(import.meta.dirname, '../crates/traceimport/tests/samples');

test('every sample has the events that its recorder counted', async ({ corelane }) => {
  const { page } = corelane;
  await corelane.open();
  for (const [name, counts] of COUNTS) {
    const folder = /pftrace|proto/.test(name) ? samples : join(import.meta.dirname, '../tests/fixtures/import');
    await corelane.choose(name, readFileSync(join(folder, name)));
    await expect(page.getByRole('alert'), name).toHaveCount(0);
    if (!(await corelane.events.isVisible())) await corelane.press('e');
    await corelane.idle();
    await page.getByRole('button', { name: 'All events' }).click();
    const menu = page.getByRole('dialog', { name: 'Which kinds of events are listed' });
    for (const [event, count] of Object.entries(counts)) {
      const item = menu.getByRole('listitem').filter({ has: page.getByText(event, { exact: true }) });
      await expect(item, `${event} of ${name}`).toContainText(count.toLocaleString('en'));
    }
    await page.keyboard.press('Escape');
  }
});

/** What nobody can show is refused by its name. */
for (const [name, word] of [
  ['sched-stats.perf.data', 'perf sched stats'],
  ['ebpf_trace.tar.gz', 'EBPF'],
  ['tracefs-raw.txt', 'raw format'],
] as const) {
  test(`${name} is refused by its name`, async ({ corelane }) => {
    await corelane.open();
    await corelane.choose(name, fixture(name));
    await expect(corelane.page.getByRole('alert')).toContainText(word);
  });
}

test('a trace that is saved opens again with the same intervals', async ({ corelane }) => {
  const { page } = corelane;
  const recording = readFileSync(join(import.meta.dirname, '../tests/fixtures/barrier32-badplace.dat'));
  await corelane.open();
  await corelane.drop('whole.dat', recording);
  const before = await corelane.drawState();
  const picture = await corelane.lanePicture();
  for (const [format, name] of [
    ['Perfetto', 'whole.pftrace'],
    ['trace.dat', 'whole-copy.dat'],
  ] as const) {
    await page.getByRole('button', { name: 'Save…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save trace' });
    await dialog.getByText(format, { exact: true }).click();
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: `Save ${name}` }).click();
    const file = await (await download).path();
    await expect(dialog.getByRole('status')).toContainText(`in ${name}`);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await corelane.choose(name, readFileSync(file));
    await expect(page.getByRole('alert')).toHaveCount(0);
    expect((await corelane.drawState()).lanes).toEqual(before.lanes);
    expect(await corelane.lanePicture()).toEqual(picture);
    await corelane.choose('whole.dat', recording);
  }
});

test('another choice ends what is being saved, and the dialog gives the focus back', async ({ corelane }) => {
  const { page } = corelane;
  const saved: string[] = [];
  page.on('download', (download) => saved.push(download.suggestedFilename()));
  await corelane.open();
  await corelane.choose(
    'whole.dat',
    readFileSync(join(import.meta.dirname, '../tests/fixtures/barrier32-badplace.dat')),
  );
  const button = page.getByRole('button', { name: 'Save…' });
  await button.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Save trace' });
  await expect(dialog.getByRole('button', { name: 'Save whole.pftrace' })).toBeVisible();
  // In one go, before the file can be there.
  await dialog.evaluate((element) => {
    element.querySelector<HTMLElement>('[type=submit]')?.click();
    for (const choice of element.querySelectorAll('label')) if (choice.innerText === 'trace.dat') choice.click();
  });
  await expect(dialog.getByRole('button', { name: 'Save whole-copy.dat' })).toBeEnabled();
  await corelane.idle();
  expect(saved).toEqual([]);
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save whole-copy.dat' }).click();
  await download;
  expect(saved).toEqual(['whole-copy.dat']);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();
  await expect(button).toBeFocused();
  // And is there again.
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('button', { name: 'Save whole.pftrace' })).toBeFocused();
});
