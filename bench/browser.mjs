/** Measures the whole load in a real, headless browser: page, workers, file and messages as a user has them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { build, preview } from 'vite';
import { chromiumPath } from '../scripts/lib/browser.mjs';
import { lanesDrawn } from '../scripts/lib/lanesDrawn.mjs';
import { sizeOf } from './sizes.mjs';

/** What the page asks for when lanes are drawn; there is no such file. */
const DRAWN = 'lanes-are-drawn';

/**
 * @typedef {object} BrowserRound As `bench.load()` of browser/main.ts returns it.
 * @property {number} readMs
 * @property {number} metadataMs
 * @property {number | null} firstPreviewMs
 * @property {number} scannedMs
 * @property {number} openedMs
 * @property {number | null} reopenedMs
 * @property {number} previews
 * @property {number} records
 * @property {{ zoom: number, cellsMs: number, curveMs: number, commandsMs: number }[]} queries
 * @property {EventsRound} events
 */

/**
 * @typedef {object} EventsRound The list of events.
 * @property {number} firstRowsMs
 * @property {{ median: number, p95: number }} randomRowsMs
 * @property {number} nameFilterPerS
 * @property {number} taskFilterPerS
 * @property {number} textSearchPerS
 */

/**
 * Builds the bench's page, serves it, and calls `use` with a function that loads a file and measures it. Each load has
 * a separate page. `open` instead of `load` measures opening alone, all that scaling needs.
 * @param {(load: (file: string, what?: 'load' | 'open') => Promise<BrowserRound>) => Promise<void>} use
 */
export async function withBrowser(use) {
  const root = join(import.meta.dirname, 'browser');
  const config = { root, base: './', configFile: false, worker: { format: 'es' } };
  await withPage(/** @type {import('vite').InlineConfig} */ (config), (page, url) =>
    use(async (file, what = 'load') => {
      const tab = await page();
      try {
        await tab.goto(url);
        await tab.setInputFiles('#file', file);
        return await tab.evaluate(`bench.${what}()`);
      } finally {
        await tab.close();
      }
    }),
  );
}

/**
 * What the page itself loads until the sample is drawn, without the sample, and when it is.
 * @returns {Promise<{ sizes: import('./sizes.mjs').Size[], firstPaintMs: number, shownMs: number }>}
 */
export async function firstVisit() {
  /** @type {{ name: string, body: Buffer }[]} */
  const loaded = [];
  let firstPaintMs = Number.NaN;
  let shownMs = Number.NaN;
  await withPage({ configFile: join(import.meta.dirname, '../vite.config.ts') }, async (page, url) => {
    const tab = await page();
    /** Workers ask for the same files again. @type {Set<string>} */
    const urls = new Set();
    tab.context().on('request', (request) => void urls.add(request.url()));
    const started = performance.now();
    await tab.goto(url);
    // What is asked for after this one comes after the first picture.
    await tab.evaluate(`(${lanesDrawn})().then(() => fetch('${DRAWN}'))`);
    await tab.evaluate('corelane.idle()');
    shownMs = performance.now() - started;
    firstPaintMs = await tab.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN");
    const asked = [...urls];
    const drawn = asked.findIndex((address) => address.endsWith(DRAWN));
    for (const address of asked.slice(0, drawn)) {
      const name = new URL(address).pathname.slice(1) || 'index.html';
      // What a browser makes of a worker's answer cannot always be asked of it.
      const response = address.startsWith(url) && !name.endsWith('.dat') ? await fetch(address) : undefined;
      if (response?.ok) loaded.push({ name, body: Buffer.from(await response.arrayBuffer()) });
    }
    // Its browser ends with it.
    await tab.close();
  });
  // To pack a file takes seconds, in which this process, the server's too, answers nothing: its connections would be at their end.
  const sizes = loaded.map(({ name, body }) => sizeOf(name, body));
  return { sizes: sizes.sort((a, b) => b.gzip - a.gzip), firstPaintMs, shownMs };
}

/**
 * Builds a page into a temporary folder, serves it and starts the browser.
 * @param {import('vite').InlineConfig} of
 * @param {(page: () => Promise<import('@playwright/test').Page>, url: string) => Promise<void>} use
 */
async function withPage(of, use) {
  const outDir = mkdtempSync(join(tmpdir(), 'corelane-bench-page-'));
  /** @type {import('vite').InlineConfig} */
  const config = { ...of, logLevel: 'warn' };
  await build({
    ...config,
    build: { outDir, emptyOutDir: true, target: 'es2022', sourcemap: false, chunkSizeWarningLimit: 2000 },
  });
  const server = await preview({ ...config, build: { outDir }, preview: { host: '127.0.0.1', port: 0 } });
  const executablePath = chromiumPath();
  try {
    const url = server.resolvedUrls?.local[0];
    if (url === undefined) throw new Error('the server of the bench page did not start');
    await use(() => newPage(executablePath), url);
  } finally {
    await server.close();
    rmSync(outDir, { recursive: true, force: true });
  }
}

/**
 * A page in a browser of its own, which ends with it. It has a profile as users have it: without one, what the page stores is
 * in the memory of another process.
 * @param {string | undefined} executablePath
 */
async function newPage(executablePath) {
  const profile = mkdtempSync(join(tmpdir(), 'corelane-bench-profile-'));
  const context = await chromium.launchPersistentContext(
    profile,
    executablePath === undefined ? {} : { executablePath },
  );
  context.on('close', () => {
    // The browser still writes while it ends: what it holds on to stays among temporary files.
    const removed = rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    removed.catch(() => console.warn(`${profile} could not be removed`));
  });
  const [page = await context.newPage()] = context.pages();
  page.on('close', () => void context.close());
  return page;
}
