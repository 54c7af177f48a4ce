/** The page without a network, and what its Content-Security-Policy lets it do. */
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { HEADER_FILES } from '../scripts/lib/headerFiles.mjs';
import { HttpError, servePage } from '../scripts/lib/pageServer.mjs';
import { expect, test } from './test';
import { truthOf } from './truth';

const DIST = join(import.meta.dirname, '../dist');

test.use({ serviceWorkers: 'allow' });

/** Resolves when the page was kept. */
async function kept(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await expect
    .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state))
    .toBe('activated');
}

/** The paths of all that any cache holds. */
const inCaches = (page: Page) =>
  page.evaluate(async () => {
    const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    const requests = await Promise.all(caches_.map((cache) => cache.keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname.slice(1));
  });

test('works without a network once it was open, figures included; keeps its own files and no trace', {
  tag: '@firefox',
}, async ({ corelane }) => {
  const { page } = corelane;
  const trace = truthOf('barrier-i686');
  const server = await servePage({});
  await corelane.open(server.url);
  await kept(page);
  const lanes = (await corelane.drawState()).lanes.length;
  await corelane.choose(trace.name, trace.bytes);
  const files = readdirSync(DIST, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const own = files.map(({ parentPath, name }) => join(parentPath, name).slice(DIST.length + 1));
  // What is packed beside a file is another form of it, which servers send under the file's own name.
  const isPackedForm = (name: string) => name.endsWith('.br') && own.includes(name.slice(0, -'.br'.length));
  const isForPage = (name: string) => !HEADER_FILES.includes(name) && !isPackedForm(name);
  const expected = own.filter((name) => isForPage(name) && !/\.map$|^sw\.js$|^index\.html$/.test(name));
  expect((await inCaches(page)).sort()).toEqual(['', ...expected].sort());

  server.close();
  await page.context().setOffline(true);
  await corelane.open(server.url);
  expect((await corelane.drawState()).lanes.length).toBe(lanes);
  await corelane.choose(trace.name, trace.bytes);
  expect((await corelane.drawState()).window).toEqual({ start: 0, end: trace.span });
  await corelane.press('x');
  await expect(page.getByRole('dialog').getByRole('img')).toBeVisible();
});

test('a new version is used at the next load', async ({ corelane }) => {
  const { page } = corelane;
  let version = 'first';
  const server = await servePage({
    change: (path, body) =>
      path === 'index.html' ? Buffer.from(`${body}<p hidden id="version">${version}</p>`) : body,
  });
  const shown = () => page.locator('#version').textContent();
  await corelane.open(server.url);
  await kept(page);
  await page.reload();
  await corelane.idle();
  expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  version = 'second';
  await page.reload();
  await corelane.idle();
  expect(await shown()).toBe('second');
  server.close();
});

/** What a failing server does with a request. */
const FAILURES = {
  'never answers': (_: string, body: Buffer) => new Promise<Buffer>(() => body),
  'answers 503': () => {
    throw new HttpError(503);
  },
} as const;

for (const [name, fail] of Object.entries(FAILURES)) {
  test(`opens within three seconds from a server that ${name}`, async ({ corelane }) => {
    const { page } = corelane;
    let isFailing = false;
    const server = await servePage({ change: (path, body) => (isFailing ? fail(path, body) : body) });
    await corelane.open(server.url);
    await kept(page);
    isFailing = true;
    const begin = Date.now();
    await page.goto(server.url, { waitUntil: 'commit' });
    expect(Date.now() - begin).toBeLessThan(3000);
    await page.waitForFunction(() => window.corelane !== undefined);
    await corelane.idle();
    expect(await corelane.title()).toContain('sample.dat');
    server.close();
  });
}

test('a page that is open keeps its parts when the server has another version', async ({ corelane }) => {
  const { page } = corelane;
  let isUpdated = false;
  const server = await servePage({
    change: (path, body) => {
      // Files of the old version are gone.
      if (isUpdated && path.startsWith('assets/')) throw new HttpError(404);
      return body;
    },
  });
  await corelane.open(server.url);
  await kept(page);
  isUpdated = true;
  // Each loads what this visit has not needed before.
  await corelane.press('x');
  await expect(page.getByRole('dialog').getByRole('img')).toBeVisible();
  await page.keyboard.press('Escape');
  const trace = truthOf('barrier-i686');
  await corelane.choose(trace.name, trace.bytes);
  expect((await corelane.drawState()).window).toEqual({ start: 0, end: trace.span });
  server.close();
});

test('a full browser storage takes nothing from the page but that it opens without a network', async ({ corelane }) => {
  const { page } = corelane;
  const server = await servePage({});
  const { origin } = new URL(server.url);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1000 });
  await corelane.open(server.url);
  const trace = truthOf('barrier-i686');
  await corelane.choose(trace.name, trace.bytes);
  expect((await corelane.drawState()).window).toEqual({ start: 0, end: trace.span });
  await corelane.openTab('Trace');
  await expect(corelane.details).toContainText('could not store it');
  await expect(page.getByRole('alert')).toHaveCount(0);
  server.close();
});

test.describe('the policy', () => {
  test.use({ allowErrors: true });

  test('lets the page connect to where it came from, and nowhere else', async ({ corelane }) => {
    const asked: (string | undefined)[] = [];
    const other = createServer(({ url }, response) => {
      asked.push(url);
      response.writeHead(200, { 'access-control-allow-origin': '*' }).end();
    });
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
    const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    await corelane.open();
    const [fetched, violated, own] = await corelane.page.evaluate(async (url) => {
      const violations: string[] = [];
      document.addEventListener('securitypolicyviolation', (event) => violations.push(event.effectiveDirective));
      const result = await fetch(`${url}/fetched`).then(
        () => 'fetched',
        () => 'refused',
      );
      for (const [name, address] of [
        ['img', `${url}/img`],
        ['script', `${url}/script`],
        ['iframe', `${url}/frame`],
      ] as const) {
        const element = document.createElement(name);
        element.setAttribute('src', address);
        document.body.append(element);
      }
      document.body.insertAdjacentHTML('beforeend', '<button id="inline" onclick="window.ran = true">');
      document.getElementById('inline')?.click();
      // They are told of later; then there is time for others.
      const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
      for (let tries = 0; violations.length < 5 && tries < 100; tries++) await pause(50);
      await pause(300);
      const ran = 'ran' in window ? 'ran' : 'not run';
      return [[result, ran], violations.sort(), (await fetch('./favicon.svg')).status] as const;
    }, elsewhere);
    expect(fetched).toEqual(['refused', 'not run']);
    expect(violated).toEqual(['connect-src', 'frame-src', 'img-src', 'script-src-attr', 'script-src-elem']);
    expect(own).toBe(200);
    expect(asked).toEqual([]);
    other.close();
  });
});
