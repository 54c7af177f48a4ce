/** Traces of other tools: dropped, and pasted out of a mail. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './test';

const fixture = (name: string): Buffer => readFileSync(join(import.meta.dirname, '../tests/fixtures/import', name));

test('a dropped perf.data shows its CPUs, its tasks and what it cannot tell', { tag: '@firefox' }, async ({ corelane }) => {
  const { page } = corelane;
  await corelane.open();
  await corelane.drop('perf.data', fixture('record-z-4cpu.perf.data'));
  await expect(page.getByRole('alert')).toHaveCount(0);
  const { lanes } = await corelane.drawState();
  expect(lanes).toHaveLength(4);
  for (const { busy } of lanes) expect(busy).toBeGreaterThan(0);
  // perf's header has the machine's topology.
  expect((await corelane.view()).topology.text).not.toBe('');
  await expect(corelane.command('hackbench')).toBeVisible();
});

test('a mail that is pasted becomes a picture', { tag: '@firefox' }, async ({ corelane }) => {
  const { page } = corelane;
  await corelane.open();
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, fixture('mail.txt').toString());
  await corelane.idle();
  await expect(page.getByRole('alert')).toHaveCount(0);
  const { lanes } = await corelane.drawState();
  expect(lanes).toHaveLength(4);
  expect(lanes[2]?.busy).toBeGreaterThan(0);
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
    const modules = corelane.watchModules();
    await corelane.open();
    await corelane.drop(name, fixture(name));
    await corelane.press('e');
    await expect(corelane.events).toBeVisible();
    // The module that makes records of them is fetched for such a file.
    expect(modules).toContain('files');
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
