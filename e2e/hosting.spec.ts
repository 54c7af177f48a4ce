/** The built folder on the simplest of web servers, below a path: no special headers, no range requests. */
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { expect, test } from '@playwright/test';

const DIST = join(import.meta.dirname, '../dist');
const BELOW = '/somewhere/below/';
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

let server: Server;
let origin: string;

test.beforeAll(async () => {
  server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path = pathname === BELOW ? 'index.html' : pathname.slice(BELOW.length);
    try {
      if (!pathname.startsWith(BELOW)) throw new Error('outside of the path');
      const body = await readFile(join(DIST, path));
      response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

test.afterAll(() => server.close());

test('works on a plain web server below any path', async ({ page }) => {
  const missing: string[] = [];
  page.on('response', (response) => {
    if (!response.ok()) missing.push(response.url());
  });
  await page.goto(`${origin}${BELOW}`);
  await page.waitForFunction(() => window.corelane !== undefined);
  await page.evaluate(() => window.corelane.idle());
  await expect(page.getByRole('alert')).toHaveCount(0);
  const busy = await page.evaluate(() => window.corelane.drawState().lanes.map((lane) => lane.busy));
  expect(busy.filter((columns) => columns > 0).length).toBeGreaterThanOrEqual(32);
  expect(missing).toEqual([]);
});
