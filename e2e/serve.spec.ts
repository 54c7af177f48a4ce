/** `corelane serve`: the listing of a folder, a trace of it in the page, and what other sites get. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../tests/lib/build.mjs';
import type {} from '../web/testHook';
import { expect, test } from './test';
import { truthOf } from './truth';

const forkpipe = truthOf('forkpipe-8cpu');
/** From 32 MiB on a trace is read by ranges. */
const LARGE = 33 << 20;
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
  // What stands behind a trace's last section is not read.
  writeFileSync(join(folder, 'large.dat'), Buffer.concat([forkpipe.bytes, Buffer.alloc(LARGE)]));
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
  await page.waitForFunction(() => window.corelane !== undefined);
  await corelane.idle();
  expect(await corelane.title()).toContain('run #1 50%.dat');
  const { lanes, window: shown } = await corelane.drawState();
  expect(shown).toEqual({ start: 0, end: forkpipe.span });
  expect(lanes.filter(({ busy }) => busy > 0).length).toBe(forkpipe.cpus);
  // A link to this view opens it again.
  await page.reload();
  await corelane.idle();
  expect((await corelane.drawState()).lanes.length).toBe(forkpipe.cpus);
});

test('of a large trace only the ranges that are needed are read', async ({ corelane }) => {
  const { page } = corelane;
  const answers: { status: number; bytes: number }[] = [];
  page.on('requestfinished', async (request) => {
    const response = await request.response();
    if (response === null || new URL(request.url()).pathname !== '/traces/large.dat') return;
    answers.push({ status: response.status(), bytes: Number(response.headers()['content-length']) });
  });
  await page.goto(`${url}page/?trace=/traces/large.dat`);
  await corelane.idle();
  const { lanes, window } = await corelane.drawState();
  expect(window).toEqual({ start: 0, end: forkpipe.span });
  expect(lanes.filter(({ busy }) => busy > 0).length).toBe(forkpipe.cpus);
  await corelane.press('e');
  await expect(corelane.events.getByRole('row').nth(2)).toContainText(/sched_/);
  expect(answers.length).toBeGreaterThan(5);
  expect(answers.every(({ status }) => status === 206)).toBe(true);
  const read = answers.reduce((sum, { bytes }) => sum + bytes, 0);
  expect(read).toBeLessThan(LARGE / 2);
});

test.describe('a trace that changes on the server', () => {
  test.use({ allowErrors: true });

  test('is told, and not mixed', async ({ corelane }) => {
    const { page } = corelane;
    let asked = 0;
    const other = Buffer.concat([forkpipe.bytes, Buffer.alloc(LARGE + 1)]);
    await page.route('**/traces/large.dat', async (route) => {
      asked += 1;
      if (asked === 4) writeFileSync(join(folder, 'large.dat'), other);
      await route.continue();
    });
    await page.goto(`${url}page/?trace=/traces/large.dat`);
    await expect(page.getByRole('alert')).toContainText(/the file was changed on the server while it was read/i);
  });
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

  test('is not asked for a trace', async ({ page }) => {
    const asked: (string | undefined)[] = [];
    const site = createServer((request, response) => {
      asked.push(request.url);
      response.setHeader('access-control-allow-origin', '*').end(forkpipe.bytes);
    });
    await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening));
    const trace = `http://127.0.0.1:${(site.address() as AddressInfo).port}/a.dat`;
    await page.goto(`${url}page/?trace=${trace}`);
    // Even where the user allows it.
    await page.getByRole('alertdialog').getByRole('button', { name: 'Fetch from' }).click();
    await expect(page.getByRole('alert')).toContainText(/there is no answer from there/i);
    expect(asked).toEqual([]);
    site.close();
  });
});
