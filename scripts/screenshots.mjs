/**
 * Takes the documents' pictures of the page in dist/ anew: `node scripts/screenshots.mjs`. If pngquant is installed, it makes
 * them smaller.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { chromiumPath } from './lib/browser.mjs';
import { servePage } from './lib/pageServer.mjs';

const ROOT = join(import.meta.dirname, '..');
const SAMPLE = '?trace=sample';
const MANY_CPUS = join(ROOT, 'tests/fixtures/barrier128-after-sleep.dat');
const GUIDE = join(ROOT, 'docs/guide/traces/default-8.dat');

/** @typedef {import('@playwright/test').Page} Page */

/** @param {Page} page */
const idle = (page) => page.evaluate('window.corelane.idle()');

/** @param {Page} page */
async function worst(page) {
  await page.getByRole('button', { name: 'Show worst' }).click();
  await idle(page);
}

/** The first cascade of the guide, after its leading sleep. @param {Page} page */
async function cascade(page) {
  await page.getByLabel('Skip sleep').check();
  await idle(page);
  await page.getByRole('button', { name: /^Cascade/ }).click();
  await idle(page);
  await page.locator('.finding').first().click();
  await idle(page);
}

/**
 * @typedef {object} Picture
 * @property {string} path
 * @property {[number, number]} size
 * @property {string} [file] A trace to open in place of the sample.
 * @property {(page: Page) => Promise<void>} [act]
 */

/** @type {readonly Picture[]} */
const PICTURES = [
  { path: 'docs/images/overview.png', size: [1440, 860] },
  { path: 'docs/images/state.png', size: [1440, 860], file: MANY_CPUS, act: worst },
  { path: 'docs/guide/images/page.png', size: [1440, 860], file: GUIDE, act: cascade },
  {
    path: 'docs/guide/images/export.png',
    size: [1240, 720],
    file: GUIDE,
    act: async (page) => {
      await cascade(page);
      await page.keyboard.press('x');
    },
  },
];

const { url, close } = await servePage();
const executablePath = chromiumPath();
const browser = await chromium.launch(executablePath === undefined ? {} : { executablePath });
try {
  for (const { path, size, file, act } of PICTURES) {
    const viewport = { width: size[0], height: size[1] };
    const page = await browser.newPage({ viewport, colorScheme: 'light', locale: 'en-GB', serviceWorkers: 'block' });
    await page.goto(`${url}${file === undefined ? SAMPLE : '?trace='}`);
    await idle(page);
    if (file !== undefined) await page.locator('#trace-file').setInputFiles(file);
    await idle(page);
    await act?.(page);
    await idle(page);
    await page.screenshot({ path: join(ROOT, path), animations: 'disabled' });
    await page.close();
    spawnSync('pngquant', ['--force', '--ext', '.png', '--nofs', '128', join(ROOT, path)]);
    console.log(path);
  }
} finally {
  await browser.close();
  close();
}
