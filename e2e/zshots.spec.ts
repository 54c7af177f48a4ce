import { readFileSync } from 'node:fs';
import { test } from './test';
import { truthOf, fileBytes } from './truth';
for (const [w, h] of [[1280, 720], [1920, 1080]] as const) for (const theme of ['light', 'dark'] as const)
test(`shot ${w} ${theme}`, async ({ corelane }) => {
  const { page } = corelane;
  await page.setViewportSize({ width: w, height: h });
  await page.emulateMedia({ colorScheme: theme });
  await corelane.open();
  const b = truthOf('b510-barrier-8cpu').bytes;
  await corelane.choose('cut.dat', b.subarray(0, Math.floor(b.length * 0.95)));
  await page.screenshot({ path: `/tmp/damage-shots/cut-${w}-${theme}.png` });
  if (w === 1280) {
    const l = truthOf('lost-s390x'); await corelane.choose(l.name, l.bytes);
    await page.screenshot({ path: `/tmp/damage-shots/lost-${w}-${theme}.png` });
    await corelane.choose('cut32.dat', truthOf('barrier32-badplace').bytes.subarray(0, 1000000));
    await page.screenshot({ path: `/tmp/damage-shots/cut32-${w}-${theme}.png` });
    await corelane.details.getByRole('tab', { name: /Diagnostics/ }).click();
    await page.screenshot({ path: `/tmp/damage-shots/diag-${w}-${theme}.png` });
  }
});
