/** `corelane serve`: the listing of a folder, a trace of it in the page, and what other sites get. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../tests/lib/build.mjs';
import { expect, test } from './test';
import { truthOf } from './truth';

const forkpipe = truthOf('forkpipe-8cpu');
let folder: string;
let server: ChildProcess;
let url: string;

test.beforeAll(async () => {
  test.setTimeout(600_000);
  const corelane = build('tracecore-cli', 'corelane');
  folder = mkdtempSync(join(tmpdir(), 'corelane-serve-'));
  mkdirSync(join(folder, 'slow & "odd" <runs>'));
  writeFileSync(join(folder, 'slow & "odd" <runs>', 'run #1 50%.dat'), forkpipe.bytes);
  writeFileSync(join(folder, 'notes.txt'), 'no trace');
  const dist = join(import.meta.dirname, '../dist');
  server = spawn(corelane, ['serve', folder, '--listen', '127.0.0.1:0', '--page', dist]);
  url = await new Promise((resolve) => server.stdout?.once('data', (line) => resolve(`${line}`.trim())));
});

test.afterAll(() => {
  server.kill();
  rmSync(folder, { recursive: true });
});

test('a trace is found in the listing and opens', async ({ corelane }) => {
  const { page } = corelane;
  await page.goto(url);
  await expect(page.getByText('notes.txt')).toHaveCount(0);
  await page.getByRole('link', { name: 'slow & "odd" <runs>/' }).click();
  await expect(page.getByRole('heading')).toHaveText('Traces in /slow & "odd" <runs>');
  await page.getByRole('link', { name: 'run #1 50%.dat' }).click();
  await corelane.idle();
  expect(await corelane.title()).toContain('run #1 50%.dat');
  const { lanes, window } = await corelane.drawState();
  expect(window).toEqual({ start: 0, end: forkpipe.span });
  expect(lanes.filter(({ busy }) => busy > 0).length).toBe(forkpipe.cpus);
  // A link to this view opens it again.
  await page.reload();
  await corelane.idle();
  expect((await corelane.drawState()).lanes.length).toBe(forkpipe.cpus);
});

test.describe('another site', () => {
  test.use({ allowErrors: true });

  test('reads nothing', async ({ page }) => {
    const site: Server = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<p>evil'));
    await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening));
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    const fetched = await page.evaluate(
      (address) =>
        Promise.all(
          (['cors', 'no-cors'] as const).map((mode) =>
            fetch(address, { mode }).then(
              (response) => response.text(),
              () => 'refused',
            ),
          ),
        ),
      `${url}traces/`,
    );
    expect(fetched.filter((text) => text !== 'refused' && text !== '')).toEqual([]);
    site.close();
  });
});
