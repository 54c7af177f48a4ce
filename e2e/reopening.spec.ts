/** A large trace that is opened again: its model is read from the browser's storage, and everything is as before. */
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CorelanePage } from './corelanePage';
import { longTrace } from './longTrace';
import { expect, test } from './test';

const folder = mkdtempSync(join(tmpdir(), 'corelane-reopening-'));
const path = join(folder, 'long.dat');

test.beforeAll(() => writeFileSync(path, longTrace('b510-barrier-8cpu', 12)));
test.afterAll(() => rmSync(folder, { recursive: true }));

/** Chooses the file by its name on disk, so that its date is the same each time. */
async function choose(corelane: CorelanePage): Promise<void> {
  await corelane.page.locator('#trace-file').setInputFiles(path);
  await corelane.idle();
}

/** What is drawn, without how long it took. */
async function drawn(corelane: CorelanePage) {
  const { lanes, window, curve, plot } = await corelane.drawState();
  return { lanes, window, curve, plot };
}

async function opened(corelane: CorelanePage): Promise<string> {
  await corelane.openTab('Trace');
  return corelane.details
    .locator('dd, td')
    .filter({ hasText: /^from the / })
    .innerText();
}

/** Sizes of the stored models. */
const stored = (corelane: CorelanePage) =>
  corelane.page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const models = await root.getDirectoryHandle('models', { create: true });
    const sizes: number[] = [];
    for await (const entry of models.values()) {
      if (entry.kind === 'file') sizes.push((await (entry as FileSystemFileHandle).getFile()).size);
    }
    return sizes;
  });

test('a large trace opens from its stored model, until it changes or the models are forgotten', {
  tag: '@firefox',
}, async ({ corelane }) => {
  test.slow();
  await corelane.open('./?graphics=webgl&trace=');
  await choose(corelane);
  expect(await opened(corelane)).toMatch(/^from the file/);
  await corelane.showCommands();
  const first = { draw: await drawn(corelane), commands: await corelane.commands.innerText() };
  // It is stored when nothing was asked for a while.
  await expect.poll(async () => (await stored(corelane))[0] ?? 0, { timeout: 30_000 }).toBeGreaterThan(1000);

  await corelane.open('./?graphics=webgl&trace=');
  await choose(corelane);
  expect(await opened(corelane)).toMatch(/^from the model/);
  expect(await drawn(corelane)).toEqual(first.draw);
  await corelane.showCommands();
  expect(await corelane.commands.innerText()).toBe(first.commands);
  // The list of events is there too, though the streams are scanned for it after the trace is open.
  await corelane.press('e');
  await expect(corelane.eventsPane.locator('.events-count')).toHaveText(/^[\d,]+ events$/);
  expect((await corelane.eventRows()).length).toBeGreaterThan(5);

  // Another date: it may be another file.
  utimesSync(path, new Date(), new Date(Date.now() + 5000));
  await corelane.open('./?graphics=webgl&trace=');
  await choose(corelane);
  expect(await opened(corelane)).toMatch(/^from the file/);
  expect(await drawn(corelane)).toEqual(first.draw);

  await corelane.details.getByRole('button', { name: 'Forget' }).click();
  await expect(corelane.details.getByRole('button', { name: 'Forget' })).toBeHidden();
  expect(await stored(corelane)).toEqual([]);
});
