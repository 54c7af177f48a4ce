import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';
import { chromiumPath, firefoxPath } from './scripts/lib/browser.mjs';
import { freePort } from './scripts/lib/freePort.mjs';

// Playwright reads this file again in each of its processes; they inherit the port from the first.
process.env.CORELANE_E2E_PORT ??= `${await freePort()}`;
const baseURL = `http://127.0.0.1:${process.env.CORELANE_E2E_PORT}/`;
const chromium = chromiumPath();
const firefox = firefoxPath();

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
    {
      // The main stories. Playwright drives its own Firefox in a way of its own, and a distribution's by WebDriver BiDi.
      name: 'firefox',
      grep: process.env.FFALL ? /./ : /@firefox/,
      use: {
        browserName: 'firefox',
        ...(firefox === undefined
          ? {}
          : {
              channel: 'moz-firefox',
              launchOptions: {
                executablePath: fileURLToPath(new URL('scripts/firefox.mjs', import.meta.url)),
                env: { ...process.env, CORELANE_FIREFOX: firefox },
              },
            }),
      },
    },
  ],
  webServer: {
    command: `npm run build && npx vite preview --host 127.0.0.1 --port ${process.env.CORELANE_E2E_PORT} --strictPort`,
    url: baseURL,
    timeout: 600_000,
    reuseExistingServer: false,
  },
});
