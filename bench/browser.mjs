/** Measures the whole load in a real, headless browser: page, workers, file and messages as a user has them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { build, preview } from 'vite';
import { chromiumPath } from '../scripts/lib/browser.mjs';

/**
 * @typedef {object} BrowserRound As `bench.load()` of browser/main.ts returns it.
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
 * a separate page.
 * @param {(load: (file: string) => Promise<BrowserRound>) => Promise<void>} use
 */
export async function withBrowser(use) {
  const root = join(import.meta.dirname, 'browser');
  const outDir = mkdtempSync(join(tmpdir(), 'corelane-bench-page-'));
  /** @type {import('vite').InlineConfig} */
  const config = { root, base: './', configFile: false, logLevel: 'warn', worker: { format: 'es' } };
  await build({ ...config, build: { outDir, emptyOutDir: true, target: 'es2022' } });
  const server = await preview({ ...config, build: { outDir }, preview: { host: '127.0.0.1', port: 0 } });
  const executablePath = chromiumPath();
  const browser = await chromium.launch(executablePath === undefined ? {} : { executablePath });
  try {
    const url = server.resolvedUrls?.local[0];
    if (url === undefined) throw new Error('the server of the bench page did not start');
    await use(async (file) => {
      const page = await browser.newPage();
      try {
        await page.goto(url);
        await page.setInputFiles('#file', file);
        return await page.evaluate('bench.load()');
      } finally {
        await page.close();
      }
    });
  } finally {
    await browser.close();
    await server.close();
    rmSync(outDir, { recursive: true, force: true });
  }
}
