import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, firefox, type Project } from '@playwright/test';
import { chromiumPath, firefoxPath } from './scripts/lib/browser.mjs';
import { freePort } from './scripts/lib/freePort.mjs';

// Playwright reads this file again in each of its processes; they inherit the port from the first.
process.env.CORELANE_E2E_PORT ??= `${await freePort()}`;
const baseURL = `http://127.0.0.1:${process.env.CORELANE_E2E_PORT}/`;
const chromium = chromiumPath();

/**
 * Features that would prepare hidden pages for the browser's own window in each story, which takes a third of the time
 * that opening a window takes. This list replaces Playwright's, so what that turns off for the sake of pages is
 * repeated.
 */
const DISABLED_FEATURES = [
  ...['WebUIReloadButton', 'InitialWebUI', 'PreloadTopChromeWebUI', 'WebUIToolbar'],
  ...['WebUIOmniboxPopup', 'WebUIOmniboxFullPopup', 'WebUIOmniboxAimPopup'],
  ...['PaintHolding', 'HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable', 'AvoidUnnecessaryBeforeUnloadCheckSync'],
  ...['OptimizationHints', 'MediaRouter', 'NetworkTimeServiceQuerying', 'DestroyProfileOnBrowserClose'],
];

const NO_FIREFOX =
  'The stories in Firefox are left out: there is none. `npx playwright install firefox` or, on Debian, `apt install firefox-esr` gets one.';

/**
 * The main stories in Firefox: in Playwright's own if that was installed; otherwise in the distribution's, or the one
 * that CORELANE_FIREFOX names, which Playwright drives by WebDriver BiDi. Nothing if there is none.
 */
function inFirefox(): Project[] {
  const path = process.env.CORELANE_FIREFOX || !existsSync(firefox.executablePath()) ? firefoxPath() : undefined;
  if (path === undefined && !existsSync(firefox.executablePath())) {
    // Once, not in each process.
    if (process.env.TEST_WORKER_INDEX === undefined) console.warn(NO_FIREFOX);
    return [];
  }
  const executablePath = join(import.meta.dirname, 'scripts/firefox.mjs');
  const env = { ...process.env, CORELANE_FIREFOX: path };
  return [
    {
      name: 'firefox',
      grep: /@firefox/,
      use: {
        browserName: 'firefox',
        ...(path === undefined ? {} : { channel: 'moz-firefox' }),
        launchOptions: {
          ...(path === undefined ? {} : { executablePath, env }),
          // Stories read the clipboard, and the page is light whatever the desktop says.
          firefoxUserPrefs: {
            'dom.events.testing.asyncClipboard': true,
            'layout.css.prefers-color-scheme.content-override': 1,
          },
        },
      },
    },
  ];
}

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  forbidOnly: process.env.CI !== undefined,
  fullyParallel: false,
  // Drawing is done in software here, so more browsers at once would only make each of them slower.
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [['list']],
  use: {
    baseURL,
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: 1,
    locale: 'en-GB',
    timezoneId: 'UTC',
    // Only the stories of offline.spec.ts have one: each of them fetches the whole page.
    serviceWorkers: 'block',
    // `npm run test:e2e -- --trace on` records what a story that failed did; recording all of them costs a third more
    // time.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
  projects: [
    {
      name: 'chromium',
      use: {
        browserName: 'chromium',
        launchOptions: {
          ...(chromium === undefined ? {} : { executablePath: chromium }),
          // The same software renderer everywhere, so that pixels can be compared. It is only for what the page draws with
          // WebGL: if it drew the rest of the page too, as some distributions' Chromium asks, stories would take twice as
          // long.
          args: [
            '--use-angle=swiftshader',
            '--enable-unsafe-swiftshader',
            '--disable-gpu-rasterization',
            '--disable-gpu-compositing',
            `--disable-features=${DISABLED_FEATURES.join(',')}`,
          ],
        },
      },
    },
    ...inFirefox(),
  ],
  webServer: {
    command: `npm run build && npx vite preview --host 127.0.0.1 --port ${process.env.CORELANE_E2E_PORT} --strictPort`,
    url: baseURL,
    timeout: 600_000,
    reuseExistingServer: false,
  },
});
