import { chromium } from '@playwright/test';
import { servePage } from './lib/pageServer.mjs';
const server = await servePage();
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium' });
const T = '/work/shared/traces/';
const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
page.on('console', (m) => m.type() === 'error' && console.log('console', m.text()));
page.on('pageerror', (e) => console.log('pageerror', e.message));
const shot = (name) => page.screenshot({ path: `/tmp/page13/shots/${name}.png` });
async function open(file) {
  await page.goto(`${server.url}?trace=`);
  await page.evaluate('corelane.idle()');
  await page.setInputFiles('#trace-file', file);
  await page.waitForFunction('document.querySelector("[aria-label=Loading]") === null && corelane.drawState().lanes.length > 0', null, { timeout: 60000 });
  await page.evaluate('corelane.idle()');
}
for (const theme of ['light', 'dark']) {
  await page.emulateMedia({ colorScheme: theme });
  await open(T + 'power-8cpu.dat');
  await page.getByRole('button', { name: /^Counter/ }).click();
  await page.evaluate('corelane.idle()');
  await shot(`counter-menu-${theme}`);
  await page.getByRole('button', { name: 'cpu_frequency state' }).or(page.getByRole('button', { name: 'cpu_idle state' })).first().click();
  await page.evaluate('corelane.idle()');
  await shot(`counter-${theme}`);
  console.log(JSON.stringify(await page.evaluate('corelane.drawState().counter')));
  await open(T + 'mixed128.dat');
  const t = Date.now();
  await page.locator('#filter').fill('next_prio < 100');
  await page.evaluate('corelane.idle()');
  console.log('filter ms', Date.now() - t, await page.getByRole('search', { name: 'Filter' }).innerText());
  await shot(`filter128-${theme}`);
  await page.getByRole('button', { name: /^CPUs/ }).click();
  await page.getByText('Busiest').click();
  await page.evaluate('corelane.idle()');
  await shot(`order128-${theme}`);
}
await page.goto(`${server.url}?trace=`);
await page.evaluate('corelane.idle()');
await shot('recent');
console.log(await page.locator('.recent').innerText().catch((e) => String(e)));
await browser.close();
server.close();
