/** The order of the lanes: the busiest first, or as a list of the user's has them. */
import type { CorelanePage } from './corelanePage';
import { expect, test } from './test';
import { truthOf } from './truth';

const trace = truthOf('forkpipe-8cpu');
const lanes = async (corelane: CorelanePage) => (await corelane.drawState()).lanes.map(({ cpu }) => cpu);

test('lanes are in order of activity, or of a list, and the link holds it', async ({ corelane }) => {
  const { page } = corelane;
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  const busy = (cpu: number): number =>
    trace.intervals
      .filter((run) => run.kind === 'run' && run.cpu === cpu)
      .reduce((sum, { start, end }) => sum + end - start, 0);
  const menu = page.getByRole('button', { name: /^CPUs/ });
  const box = page.getByRole('dialog', { name: 'Which CPUs have lanes' });
  await menu.click();
  await box.getByText('Busiest').click();
  await corelane.idle();
  expect(await lanes(corelane)).toEqual([0, 1, 2, 3, 4, 5, 6, 7].sort((a, b) => busy(b) - busy(a) || a - b));
  expect(page.url()).toContain('&order=activity');

  await box.getByText('List', { exact: true }).click();
  await box.getByRole('textbox').fill('5,3,0-2');
  await page.keyboard.press('Enter');
  await corelane.idle();
  expect(await lanes(corelane)).toEqual([5, 3, 0, 1, 2]);
  expect(page.url()).toContain('&cpus=5,3,0-2');
  expect(page.url()).toContain('&order=list');

  // By the menu of a label; a reload shows the same.
  const { x, y } = await corelane.box(corelane.lanes);
  const third = (await corelane.drawState()).lanes[2];
  await page.mouse.click(x + 20, y + (third?.top ?? 0) + (third?.height ?? 0) / 2, { button: 'right' });
  await page.getByRole('menuitem', { name: 'Move to the top' }).click();
  await corelane.idle();
  expect(await lanes(corelane)).toEqual([0, 5, 3, 1, 2]);
  await page.reload();
  await corelane.choose(trace.name, trace.bytes);
  expect(await lanes(corelane)).toEqual([0, 5, 3, 1, 2]);
});
