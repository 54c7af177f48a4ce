/**
 * A first visit over 10 Mbit/s: how long until the sample's lanes are drawn, and until the page rests. The built page comes
 * packed by brotli from a server that sends no faster, so that what workers fetch is slowed down as well.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { chromium } from '@playwright/test';
import { chromiumPath } from '../scripts/lib/browser.mjs';
import { lanesDrawn } from '../scripts/lib/lanesDrawn.mjs';
import { servePage } from '../scripts/lib/pageServer.mjs';

const BITS_PER_SECOND = 10_000_000;

/**
 * Builds the page, if that was not done, and measures one visit with nothing in the browser's cache.
 * @returns {Promise<{ drawnMs: number, restMs: number }>} Since the navigation began.
 */
export async function coldLoad() {
  execFileSync(execPath, [join(import.meta.dirname, '../scripts/build.mjs')], { stdio: 'ignore' });
  const server = await servePage({ packed: true, bitsPerSecond: BITS_PER_SECOND });
  const executablePath = chromiumPath();
  const browser = await chromium.launch(executablePath === undefined ? {} : { executablePath });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(server.url);
    return await page.evaluate(`(async () => {
      await (${lanesDrawn})();
      const drawnMs = performance.now();
      await corelane.idle();
      return { drawnMs, restMs: performance.now() };
    })()`);
  } finally {
    await browser.close();
    server.close();
  }
}
