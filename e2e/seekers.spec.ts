/** A list of a million events, and filters that take seconds: other workers look at parts of them, and they are the same as without. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker as WorkerOfPage } from '@playwright/test';
import { plainLines } from './eventTruth';
import { longTrace } from './longTrace';
import { expect, test } from './test';

const TIMES = 500;
const NAME = 'b510-barrier-8cpu';
const folder = mkdtempSync(join(tmpdir(), 'corelane-seekers-'));
const path = join(folder, 'long.dat');
const lines = plainLines(NAME);
const all = (lines.length * TIMES).toLocaleString('en');
const those = (text: string) => (lines.filter((line) => line.includes(text)).length * TIMES).toLocaleString('en');

/** Lines with a text, in an expression that prints each line for each of its words: that is worth seekers. The field takes no longer one. */
const dear = (text: string) =>
  [...Array.from({ length: 16 }, (_, word) => `zq${word}`), `"${text}"`].map((word) => `text~${word}`).join('||');

test.beforeAll(() => writeFileSync(path, longTrace(NAME, TIMES)));
test.afterAll(() => rmSync(folder, { recursive: true }));

declare global {
  /** In a seeker: parts that it has looked at. */
  var answered: number;
}

/** Counts a seeker's answers, from now on. */
const count = (seeker: WorkerOfPage) =>
  seeker.evaluate(() => {
    globalThis.answered = 0;
    const { prototype } = MessagePort;
    const post: (this: MessagePort, message: unknown, transfer: Transferable[]) => void = prototype.postMessage;
    prototype.postMessage = function (this: MessagePort, message: unknown, transfer?: unknown) {
      if (typeof message === 'object' && message !== null && 'words' in message) globalThis.answered++;
      post.call(this, message, transfer as Transferable[]);
    };
  });

test('seekers look at parts of a long filter, and one that dies costs nothing', async ({ corelane }) => {
  const { page } = corelane;
  test.slow();
  await corelane.open();
  await page.locator('#trace-file').setInputFiles(path);
  await corelane.idle();
  await corelane.press('e');
  const shown = corelane.eventsPane.locator('.events-count');
  const text = page.getByLabel('Text', { exact: true });
  await expect(shown).toHaveText(`${all} events`);

  const seekers = () => page.workers().filter((worker) => worker.url().includes('/seekWorker-'));
  expect(seekers()).toHaveLength(0);
  await text.fill(dear('sched_wakeup:'));
  await expect(shown).toHaveText(`${those('sched_wakeup:')} of ${all} events`, { timeout: 60_000 });
  await expect.poll(() => seekers().length).toBeGreaterThan(0);
  const started = seekers();
  await Promise.all(started.map(count));

  await text.fill(dear('sched_switch:'));
  await expect(shown).toHaveText(`${those('sched_switch:')} of ${all} events`, { timeout: 60_000 });
  const answered = await Promise.all(started.map((seeker) => seeker.evaluate(() => globalThis.answered)));
  expect(answered.reduce((sum, one) => sum + one)).toBeGreaterThan(0);

  await text.fill(dear('sched_waking:'));
  await Promise.all(started.map((seeker) => seeker.evaluate(() => self.close()).catch(() => undefined)));
  await expect(shown).toHaveText(`${those('sched_waking:')} of ${all} events`, { timeout: 60_000 });
  await expect.poll(() => seekers().length).toBe(0);
  await text.fill('sched_wakeup_new:');
  await expect(shown).toHaveText(`${those('sched_wakeup_new:')} of ${all} events`, { timeout: 60_000 });
  await expect(page.getByRole('alert')).toHaveCount(0);
});
