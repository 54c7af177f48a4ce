/** The built folder on the simplest of web servers, and what of it a first visit fetches. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gzipSync } from 'node:zlib';
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

/** Bytes that a first visit may fetch besides the sample before its lanes are drawn: packed by gzip, and as the build packs them. */
const MOST = { gzip: 985_000, brotli: 755_000 };
/** Bytes of all scripts, styles and modules, as the build packs them. */
const MOST_IN_ALL = 2_250_000;
/** What the page asks the server for when lanes are drawn, so that the server knows when that is. */
const DRAWN = 'lanes-are-drawn';

test('a first visit fetches little before the sample is drawn, and the rest after it', async ({ page }) => {
  const asked: string[] = [];
  const server = await servePage({ onRequest: (path) => asked.push(path) });
  await page.addInitScript(`(${lanesDrawn})().then(() => fetch('${DRAWN}'))`);
  await page.goto(server.url);
  await rest(page);
  await expect.poll(() => asked.some((path) => path.includes('io_bg'))).toBe(true);
  server.close();

  const before = asked.slice(0, asked.indexOf(DRAWN)).filter((path) => path !== 'sample.dat');
  const packings = { gzip: (path: string) => gzipSync(read(path), { level: 9 }), brotli: asBuilt } as const;
  expect(before.some((path) => path.includes('engine_bg'))).toBe(true);
  for (const [name, pack] of Object.entries(packings)) {
    const packed = before.map((path) => ({ path, bytes: pack(path).length }));
    const total = packed.reduce((sum, { bytes }) => sum + bytes, 0);
    const description = packed.map(({ path, bytes }) => `${path} ${bytes}`).join(', ');
    test.info().annotations.push({ type: `${total} bytes, ${name}`, description });
    expect(total, description).toBeLessThanOrEqual(MOST[name as keyof typeof MOST]);
  }
});

test('all of the page is small', () => {
  const files = readdirSync(join(DIST, 'assets')).filter((file) => /\.(css|js|wasm)$/.test(file));
  const packed = files.map((file) => ({ file, bytes: asBuilt(join('assets', file)).length }));
  const total = packed.reduce((sum, { bytes }) => sum + bytes, 0);
  expect(total, packed.map(({ file, bytes }) => `${file} ${bytes}`).join(', ')).toBeLessThanOrEqual(MOST_IN_ALL);
});

const read = (path: string): Buffer => readFileSync(join(DIST, path));

/** What a server of packed files sends. */
function asBuilt(path: string): Buffer {
  const packed = `${path}.br`;
  if (!existsSync(join(DIST, packed))) return read(path);
  expect(brotliDecompressSync(read(packed)).equals(read(path)), packed).toBe(true);
  return read(packed);
}
