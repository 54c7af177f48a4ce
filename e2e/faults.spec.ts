/** What may go wrong while a trace loads, or afterwards: each time it is said, and the page goes on. */
import { mkdtempSync, readFileSync, rmSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker as WorkerOfPage } from '@playwright/test';
import { type ServerOptions, servePage } from '../scripts/lib/pageServer.mjs';
import type { CorelanePage } from './corelanePage';
import { longTrace } from './longTrace';
import { expect, test } from './test';
import { truthOf } from './truth';

const forkpipe = truthOf('forkpipe-8cpu');

// A read that fails is also an error of the browser's console.
test.use({ allowErrors: true });

/** The running worker with that script. */
async function workerOf({ page }: CorelanePage, script: string): Promise<WorkerOfPage> {
  const find = () => page.workers().find((worker) => worker.url().includes(`/${script}-`));
  await expect.poll(() => find() !== undefined).toBe(true);
  return find() as WorkerOfPage;
}

/** Ends a worker as a browser that is short of memory does: without a word. */
const kill = (worker: WorkerOfPage): Promise<void> => worker.evaluate(() => self.close()).catch(() => undefined);

/** Opens the page, without a trace, from a server that changes its files: Playwright sees no request of a worker's workers. */
async function openFrom(corelane: CorelanePage, change: NonNullable<ServerOptions['change']>): Promise<() => void> {
  const server = await servePage({ change });
  await corelane.open(`${server.url}?trace=`);
  return server.close;
}

const notice = ({ page }: CorelanePage) => page.locator('.notice');

test('a scan worker that dies is reported, another one does its work, and the trace is whole', async ({ corelane }) => {
  // It reads its file, and is gone before it says what it found.
  const dying = `{
    const post = MessagePort.prototype.postMessage;
    MessagePort.prototype.postMessage = function (message, transfer) {
      message.type === 'scanned' ? self.close() : post.call(this, message, transfer);
    };
    const progress = (port) => post.call(port, { type: 'progress', bytes: 1, events: 1 });
    self.addEventListener('message', ({ data }) => setTimeout(progress, 50, data), { once: true });
  }`;
  let started = 0;
  const close = await openFrom(corelane, (path, body) => {
    if (!path.includes('scanWorker')) return body;
    started++;
    return started === 1 ? Buffer.concat([Buffer.from(dying), body]) : body;
  });
  await corelane.choose(forkpipe.name, forkpipe.bytes);
  await expect(notice(corelane)).toContainText('A scan worker stopped: it ended by itself');
  expect(started).toBe(2);
  expect(await corelane.title()).toContain(forkpipe.name);
  expect((await corelane.drawState()).window).toEqual({ start: 0, end: forkpipe.span });
  await corelane.showCommands();
  expect(Number(await corelane.commands.getAttribute('aria-rowcount'))).toBe(forkpipe.numbers.commands.size + 1);
  close();
});

test('an events worker that dies is replaced: the list has all its rows', async ({ corelane }) => {
  await corelane.open();
  await corelane.choose(forkpipe.name, forkpipe.bytes);
  await corelane.press('e');
  const rows = await corelane.events.getAttribute('aria-rowcount');
  await kill(await workerOf(corelane, 'eventsWorker'));
  await expect(notice(corelane)).toContainText('The events worker stopped: it ended by itself');
  await corelane.events.press('End');
  await corelane.idle();
  await expect(corelane.events.getByRole('row').last()).toBeVisible();
  expect(await corelane.events.getAttribute('aria-rowcount')).toBe(rows);
  await expect(corelane.page.getByRole('alert')).toHaveCount(0);
});

test('a figures worker that dies is replaced for the next figure', async ({ corelane }) => {
  await corelane.open();
  await corelane.choose(forkpipe.name, forkpipe.bytes);
  await corelane.press('x');
  const dialog = corelane.page.getByRole('dialog');
  await expect(dialog.getByRole('img')).toBeVisible();
  await kill(await workerOf(corelane, 'figuresWorker'));
  await dialog.getByRole('radio', { name: 'PDF' }).check({ force: true });
  await expect.poll(() => corelane.page.workers().some((worker) => worker.url().includes('figuresWorker'))).toBe(true);
  await corelane.idle();
  await expect(dialog.getByRole('img')).toBeVisible();
  await expect(dialog.getByRole('alert')).toHaveCount(0);
});

test('an engine worker that dies loses the trace, which opens again with its view', async ({ corelane }) => {
  await corelane.open();
  await corelane.choose(forkpipe.name, forkpipe.bytes);
  await corelane.press('w', 'w');
  const { window } = await corelane.view();
  await kill(await workerOf(corelane, 'worker'));
  const alert = corelane.page.getByRole('alert');
  await expect(alert).toContainText('The engine stopped');
  await alert.getByRole('button', { name: 'Try again' }).click();
  await corelane.idle();
  await expect(alert).toHaveCount(0);
  expect((await corelane.view()).window).toEqual(window);
});

/** Puts a trace on disk, where it can change below the page. */
async function withFile(use: (path: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'corelane-e2e-'));
  const path = join(folder, 'trace.dat');
  writeFileSync(path, forkpipe.bytes);
  try {
    await use(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const UNREADABLE = 'it was changed, moved or deleted';

for (const [what, happens] of [
  ['disappears', unlinkSync],
  ['is cut', (path: string) => truncateSync(path, 100_000)],
  ['changes', (path: string) => writeFileSync(path, Buffer.alloc(forkpipe.bytes.length + 1))],
] as const) {
  test(`a file that ${what} while it is read is told of, and the page goes on`, async ({ corelane }) => {
    const { page } = corelane;
    let go = (): void => {};
    const changed = new Promise<void>((resolve) => {
      go = resolve;
    });
    const close = await openFrom(corelane, async (path, body) => {
      if (path.includes('scanWorker')) await changed;
      return body;
    });
    await withFile(async (path) => {
      await page.locator('#trace-file').setInputFiles(path);
      await expect(page.getByRole('heading', { level: 1 })).toContainText('8 CPUs');
      happens(path);
      go();
      const alert = page.getByRole('alert');
      await expect(alert).toContainText('The trace could not be read');
      await expect(alert).toContainText(UNREADABLE);
      writeFileSync(path, forkpipe.bytes);
    });
    await corelane.choose(forkpipe.name, forkpipe.bytes);
    expect((await corelane.drawState()).window.end).toBe(forkpipe.span);
    close();
  });
}

test('a file that disappears when it is open costs only the texts of its events', async ({ corelane }) => {
  let go = (): void => {};
  const gone = new Promise<void>((resolve) => {
    go = resolve;
  });
  const close = await openFrom(corelane, async (path, body) => {
    if (path.includes('eventsWorker')) await gone;
    return body;
  });
  await withFile(async (path) => {
    await corelane.page.locator('#trace-file').setInputFiles(path);
    await corelane.idle();
    unlinkSync(path);
    go();
    await corelane.press('e');
    await expect(corelane.eventsPane).toContainText(UNREADABLE);
    writeFileSync(path, '');
  });
  await corelane.press('w');
  await corelane.idle();
  expect((await corelane.drawState()).lanes.some(({ busy }) => busy > 0)).toBe(true);
  await expect(corelane.page.getByRole('alert')).toHaveCount(0);
  close();
});

const PAGE = 65536;

/** A wasm module whose memory cannot grow beyond some bytes more than it has at first. */
function limited(wasm: Buffer, bytes: number): Buffer {
  const number = (at: number): { value: number; end: number } => {
    let [value, shift, end] = [0, 1, at];
    do {
      value += (wasm[end] & 127) * shift;
      shift *= 128;
    } while (wasm[end++] & 128);
    return { value, end };
  };
  const words = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...words(value >> 7)]);
  for (let at = 8; at < wasm.length; ) {
    const size = number(at + 1);
    const next = size.end + size.value;
    // The section of memories has one, whose limits are a flag and its first size in pages.
    if (wasm[at] === 5) {
      const { value: pages } = number(size.end + 2);
      const section = [1, 1, ...words(pages), ...words(pages + Math.ceil(bytes / PAGE))];
      return Buffer.concat([wasm.subarray(0, at), Buffer.from([5, section.length, ...section]), wasm.subarray(next)]);
    }
    at = next;
  }
  throw new Error('the module has no memory');
}

test('a trace that needs more memory than there is is told so, and a smaller one opens', async ({ corelane }) => {
  const { page } = corelane;
  const close = await openFrom(corelane, (path, body) => (path.includes('engine_bg') ? limited(body, 4 << 20) : body));
  await corelane.choose('long.dat', longTrace('b510-barrier-8cpu', 60));
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('There is not enough memory for this trace');
  await expect(alert.getByText('What to do')).toBeVisible();
  await corelane.choose(forkpipe.name, forkpipe.bytes);
  await expect(alert).toHaveCount(0);
  expect((await corelane.drawState()).window.end).toBe(forkpipe.span);
  close();
});

/** The bytes that the page's process, with all its workers, has in memory. */
async function memoryOf({ page }: CorelanePage): Promise<number> {
  const own = await page.context().newCDPSession(page);
  await own.send('HeapProfiler.collectGarbage');
  await own.detach();
  const session = await page.context().browser()?.newBrowserCDPSession();
  const { processInfo } = (await session?.send('SystemInfo.getProcessInfo')) ?? { processInfo: [] };
  await session?.detach();
  const sizes = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => residentBytes(id));
  return Math.max(...sizes);
}

const residentBytes = (pid: number): number =>
  1024 * Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN);

const OPENS = process.env.CORELANE_TEST_ALL === undefined ? 20 : 100;
/** What a browser may keep for itself, such as compiled code. */
const SLACK = 48 << 20;

test('trace after trace is opened, and memory stays what it was', async ({ corelane }) => {
  test.setTimeout(300_000);
  await corelane.open();
  const other = truthOf('barrier-i686');
  const memory: number[] = [];
  for (let opened = 0; opened < OPENS; opened++) {
    const { name, bytes } = opened % 2 === 0 ? forkpipe : other;
    await corelane.choose(name, bytes);
    memory.push(await memoryOf(corelane));
  }
  const description = memory.map((bytes) => Math.round(bytes / 1e6)).join(' ');
  test.info().annotations.push({ type: 'MB after each open', description });
  const early = Math.max(...memory.slice(0, OPENS / 4));
  expect(Math.min(...memory.slice(-OPENS / 4)), description).toBeLessThan(early + SLACK);
  await expect.poll(() => corelane.page.workers().length).toBeLessThanOrEqual(2);
});

test('a part of the page that cannot be loaded is said, and the trace opens without it', async ({ corelane }) => {
  const { page } = corelane;
  let missed = 0;
  await page.route(/readProfiles|saveView/, (route) => {
    missed++;
    return route.abort();
  });
  await corelane.open();
  await corelane.choose(forkpipe.name, forkpipe.bytes);
  expect(missed).toBeGreaterThan(0);
  expect(await corelane.title()).toContain(forkpipe.name);
  await expect(notice(corelane)).toContainText('A part of this page could not be loaded: reload it.');
  // A key whose code is missing says so, too.
  await notice(corelane).getByRole('button').click();
  await expect(corelane.status).not.toContainText('could not be loaded');
  await corelane.press('Control+Shift+S');
  await expect(corelane.status).toContainText('A part of this page could not be loaded');
});

test('parts that the first picture does not need may fail to load: the page rests, and tries again', async ({
  corelane,
}) => {
  const { page } = corelane;
  await page.route(/laterParts-.*\.js/, (route) => route.abort());
  await corelane.open('./?trace=');
  await corelane.choose(forkpipe.name, forkpipe.bytes);
  await corelane.openTab('Latency');
  await corelane.idle();
  await expect(corelane.details.getByRole('alert')).toContainText('could not be loaded');
  await page.unroute(/laterParts-.*\.js/);
  await page.waitForTimeout(1100);
  await corelane.details.getByRole('button', { name: 'Try again' }).click();
  await expect(corelane.details.getByRole('alert')).toHaveCount(0);
  await corelane.idle();
  await expect(corelane.details.getByRole('tabpanel')).toContainText(/latenc/i);
});
