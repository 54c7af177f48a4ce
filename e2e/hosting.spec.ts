/** The built folder on the simplest of web servers, and what of it a first visit fetches. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, type Page, test } from '@playwright/test';
import { lanesDrawn } from '../scripts/lib/lanesDrawn.mjs';
import { servePage } from '../scripts/lib/pageServer.mjs';

const DIST = join(import.meta.dirname, '../dist');

/** Resolves when the page is at rest. */
async function rest(page: Page): Promise<void> {
  await page.waitForFunction(() => window.corelane !== undefined);
  await page.evaluate(() => window.corelane.idle());
}

test('works on a plain web server below any path', async ({ page }) => {
  const server = await servePage({ below: '/somewhere/below/' });
  const missing: string[] = [];
  page.on('response', (response) => {
    if (!response.ok()) missing.push(response.url());
  });
  await page.goto(server.url);
  await rest(page);
  await expect(page.getByRole('alert')).toHaveCount(0);
  const busy = await page.evaluate(() => window.corelane.drawState().lanes.map((lane) => lane.busy));
  expect(busy.filter((columns) => columns > 0).length).toBeGreaterThanOrEqual(32);
  expect(missing).toEqual([]);
  server.close();
});

/** Bytes, packed by gzip, that a first visit may fetch besides the sample before its lanes are drawn. */
const MOST = 730_000;
/** What the page asks the server for when lanes are drawn, so that the server knows when that is. */
const DRAWN = 'lanes-are-drawn';

test('a first visit fetches little before the sample is drawn, and the rest after it', async ({ page }) => {
  const asked: string[] = [];
  const server = await servePage({ onRequest: (path) => asked.push(path) });
  await page.addInitScript(`(${lanesDrawn})().then(() => fetch('${DRAWN}'))`);
  await page.goto(server.url);
  await rest(page);
  await expect.poll(() => asked.some((path) => path.includes('events_bg'))).toBe(true);
  server.close();

  const before = asked.slice(0, asked.indexOf(DRAWN)).filter((path) => path !== 'sample.dat');
  const packed = before.map((path) => ({ path, bytes: gzipSync(readFileSync(join(DIST, path)), { level: 9 }).length }));
  const total = packed.reduce((sum, { bytes }) => sum + bytes, 0);
  const description = packed.map(({ path, bytes }) => `${path} ${bytes}`).join(', ');
  test.info().annotations.push({ type: `${total} bytes`, description });
  expect(before.some((path) => path.includes('tracecore_bg'))).toBe(true);
  expect(total, description).toBeLessThanOrEqual(MOST);
});
