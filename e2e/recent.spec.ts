/** Recent traces: listed in this browser, and opened again where it gave a handle of the file. */
import { expect, test } from './test';
import { truthOf } from './truth';

const trace = truthOf('forkpipe-8cpu');

test('a trace that was open is listed; without a handle it has to be chosen again', async ({ corelane }) => {
  const { page } = corelane;
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  const link = page.url();
  await corelane.open();
  const list = page.getByRole('region', { name: 'Recent traces' });
  await expect(list.getByRole('button', { name: trace.name })).toBeVisible();
  await expect(list).toContainText('has to be chosen again');
  // A link to it offers it, too.
  await page.goto(link);
  await corelane.idle();
  await expect(page.getByRole('region', { name: 'Trace wanted' })).toContainText('It was open in this browser');
  await corelane.open();
  await list.getByRole('button', { name: 'Forget these' }).click();
  await expect(list).toHaveCount(0);
  // What the page no longer lists, the browser no longer has: a page that is left at once brings nothing back.
  await page.reload();
  await corelane.idle();
  await expect(list).toHaveCount(0);
});

test('a file that was chosen with a handle is opened again', async ({ corelane, browserName }) => {
  test.skip(browserName !== 'chromium', 'only Chromium gives handles of files');
  const { page } = corelane;
  await corelane.open();
  // The browser's dialog cannot be driven: its choice is a real handle, of a file of the page's own storage.
  await page.evaluate(
    async ({ name, bytes }) => {
      const root = await navigator.storage.getDirectory();
      const handle = await root.getFileHandle(name, { create: true });
      const out = await handle.createWritable();
      await out.write(Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0)));
      await out.close();
      Object.assign(window, { showOpenFilePicker: async () => [handle] });
    },
    { name: trace.name, bytes: trace.bytes.toString('base64') },
  );
  await page.getByRole('button', { name: 'Open trace…' }).first().click();
  await expect(page.getByRole('region', { name: 'Loading' })).toHaveCount(0);
  await expect.poll(async () => (await corelane.drawState()).lanes.length).toBe(8);
  await corelane.idle();
  await corelane.open();
  await page.getByRole('region', { name: 'Recent traces' }).getByRole('button', { name: trace.name }).click();
  await expect.poll(async () => (await corelane.drawState()).lanes.length).toBe(8);
  await corelane.idle();
  expect(page.url()).toContain(`trace=${trace.name}`);
});
