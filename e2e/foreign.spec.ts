/** Traces of other servers: the user is asked first, and the workers that hold a trace can connect to no other server. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { servePage } from '../scripts/lib/pageServer.mjs';
import type { CorelanePage } from './corelanePage';
import { expect, test } from './test';
import { truthOf } from './truth';

const trace = truthOf('barrier-i686');

/** A server that lets any page read its trace, and notes what it is asked for. */
async function serveTrace() {
  const asked: string[] = [];
  const server = createServer(({ url }, response) => {
    asked.push(url ?? '');
    response.writeHead(200, { 'access-control-allow-origin': '*' }).end(trace.bytes);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

test('a link to another server asks before it fetches, and says what that server learns', {
  tag: '@firefox',
}, async ({ corelane }) => {
  const { page } = corelane;
  const other = await serveTrace();
  await corelane.open(`./?trace=${other.url}/mine.dat`);
  const card = page.getByRole('alertdialog');
  await expect(card).toContainText('Fetch “mine.dat” from 127.0.0.1');
  await expect(card).toContainText('network address');
  await card.getByRole('button', { name: 'Do not fetch' }).click();
  await corelane.idle();
  await expect(card).toHaveCount(0);
  expect(other.asked).toEqual([]);

  await page.reload();
  await corelane.idle();
  expect(other.asked).toEqual([]);
  await card.getByRole('button', { name: 'Fetch from' }).click();
  await corelane.idle();
  expect(await corelane.title()).toContain('mine.dat');
  expect((await corelane.drawState()).window.end).toBe(trace.span);
  expect(other.asked).toEqual(['/mine.dat']);
  other.close();
});

test.describe('workers', () => {
  // A worker that is refused says so in the console.
  test.use({ serviceWorkers: 'allow', allowErrors: true });

  /** Resolves when the service worker controls the page. */
  const controlled = (page: Page) =>
    page.evaluate(async () => {
      const { serviceWorker } = navigator;
      if (serviceWorker.controller === null) {
        await new Promise((resolve) => serviceWorker.addEventListener('controllerchange', resolve, { once: true }));
      }
    });

  /** What becomes of a fetch from each of the page's workers; empty where there is none. */
  async function fetched({ page }: CorelanePage, url: string): Promise<readonly string[]> {
    const results = page.workers().map((worker) =>
      worker.evaluate(
        (address) =>
          fetch(address).then(
            () => 'fetched',
            () => 'refused',
          ),
        url,
      ),
    );
    return [...new Set(await Promise.all(results))];
  }

  test('connect to the page’s server alone, and to the one that the user agreed to', async ({ corelane }) => {
    const { page } = corelane;
    const [server, named, third] = [await servePage({}), await serveTrace(), await serveTrace()];
    await corelane.open(server.url);
    await controlled(page);
    // The first visit already: for each trace that is opened from now on.
    await corelane.choose(trace.name, trace.bytes);
    expect(await fetched(corelane, `${third.url}/a`)).toEqual(['refused']);
    expect(await fetched(corelane, `${server.url}favicon.svg`)).toEqual(['fetched']);

    await corelane.open(`${server.url}?trace=${named.url}/mine.dat`);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Fetch from' }).click();
    await corelane.idle();
    expect(await corelane.title()).toContain('mine.dat');
    expect(await fetched(corelane, `${named.url}/again`)).toEqual(['fetched']);
    expect(await fetched(corelane, `${third.url}/b`)).toEqual(['refused']);
    expect(third.asked).toEqual([]);
    for (const each of [server, named, third]) each.close();
  });
});
