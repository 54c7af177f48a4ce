/** Traces of other tools: dropped, and pasted out of a mail. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './test';

const fixture = (name: string): Buffer => readFileSync(join(import.meta.dirname, '../tests/fixtures/import', name));

test('a dropped perf.data shows its CPUs, its tasks and what it cannot tell', async ({ corelane }) => {
  const { page } = corelane;
  await corelane.open();
  await corelane.drop('perf.data', fixture('record-z-4cpu.perf.data'));
  await expect(page.getByRole('alert')).toHaveCount(0);
  const { lanes } = await corelane.drawState();
  expect(lanes).toHaveLength(4);
  for (const { busy } of lanes) expect(busy).toBeGreaterThan(0);
  // perf's header has the machine's topology.
  expect((await corelane.view()).topology.text).not.toBe('');
  await expect(corelane.command('sched-messaging')).toBeVisible();
});

test('a mail that is pasted becomes a picture', async ({ corelane }) => {
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
