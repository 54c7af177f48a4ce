/** Two traces on one page: the sample, and a recording beside it. */
import { pidColour } from '../web/timeline/frame/colours';
import { sceneThemes } from '../web/timeline/frame/theme';
import type { CorelanePage } from './corelanePage';
import { type Colour, colourAt, difference, parseColour } from './png';
import { expect, test } from './test';
import { longestRuns, type Run, truthOf } from './truth';

const second = truthOf('forkpipe-8cpu');
/** The begin of the recording on the sample's axis, in ns. */
const OFFSET = 13_000_000_000;

/** The colour on a lane of the second trace at the middle of a run. */
async function secondColour(corelane: CorelanePage, { cpu, start, end }: Run): Promise<Colour> {
  const { window, plot, lanes } = await corelane.drawState(1);
  const lane = lanes.find((candidate) => candidate.cpu === cpu);
  if (!lane) throw new Error(`CPU ${cpu} of the second trace has no lane`);
  const share = (OFFSET + (start + end) / 2 - window.start) / (window.end - window.start);
  const picture = await corelane.picture(
    corelane.page.getByRole('region', { name: 'Lanes of second.dat' }).locator('.scene'),
  );
  return colourAt(picture, Math.floor(plot.left + share * plot.width), lane.top + lane.height / 2);
}

/** Checks that the lanes of both traces have the colours of what runs there. */
async function expectBoth(corelane: CorelanePage): Promise<void> {
  // A long run of the second trace, and a CPU that is idle meanwhile.
  const [run] = longestRuns(second);
  const idle = second.intervals.find(({ kind, start, end }) => kind === 'idle' && end - start > second.span / 20);
  if (!run || !idle) throw new Error('the fixture has long runs, and idle CPUs');
  expect(difference(await secondColour(corelane, run), parseColour(pidColour(run.pid, 'light')))).toBeLessThan(6);
  expect(await secondColour(corelane, idle)).toEqual(parseColour(sceneThemes.light.background));
  // The selected run of the sample, below its outline.
  const { selection } = await corelane.view();
  if (!selection) throw new Error('a run of the sample is selected');
  const pid = Number(/ (\d+)/.exec(await corelane.details.getByRole('heading').first().innerText())?.[1]);
  const { x, y } = await corelane.place(selection.cpu, selection.start + 2e6);
  const box = await corelane.box(corelane.lanes);
  const first = colourAt(await corelane.lanePicture(), x - box.x, y - box.y);
  expect(difference(first, parseColour(pidColour(pid, 'light')))).toBeLessThan(6);
}

test('a second trace is open beside the sample, below it, is closed, and comes back with the URL', async ({
  corelane,
}) => {
  const { page } = corelane;
  await page.route('**/elsewhere/second.dat', (route) => route.fulfill({ body: second.bytes }));
  await corelane.open('./?trace=elsewhere/second.dat');
  const fingerprint = /&fp=([0-9a-f]+)/.exec(page.url())?.[1];
  await corelane.open('./?trace=sample&graphics=webgl');
  await expect.poll(async () => (await corelane.drawState()).window.end).toBeGreaterThan(OFFSET + second.span);
  await corelane.idle();
  const { x, y } = await corelane.place(0, OFFSET + second.span / 2);
  await page.mouse.move(x, y);
  for (
    let turn = 0;
    turn < 40 && (await corelane.drawState()).window.end - (await corelane.drawState()).window.start > 2 * second.span;
    turn++
  ) {
    await page.mouse.wheel(0, -120);
    await corelane.idle();
  }
  // The run of the sample is wide enough to be seen.
  await corelane.clickRun(1, OFFSET + second.span / 2);
  const alone = await corelane.drawState();
  const url = page.url();

  await corelane.open(
    `${url.replace('trace=sample', 'trace=sample&trace=elsewhere/second.dat')}&beside=${fingerprint}@${OFFSET}`,
  );
  const region = page.getByRole('region', { name: 'Lanes of second.dat' });
  await expect(region).toBeVisible();
  expect((await corelane.drawState(1)).lanes).toHaveLength(second.cpus);
  expect((await corelane.drawState()).window).toEqual(alone.window);
  const [upper, lower] = [await corelane.box(corelane.lanes), await corelane.box(region)];
  expect(lower.y).toBeGreaterThanOrEqual(upper.y + upper.height);
  await expectBoth(corelane);

  // There is one axis: both move.
  await corelane.press('d');
  await corelane.press('a');
  expect((await corelane.drawState(1)).window).toEqual((await corelane.drawState()).window);

  const both = page.url();
  expect(both).toContain('?trace=sample&trace=elsewhere/second.dat');
  expect(both).toContain(`&beside=${fingerprint}@${OFFSET}`);
  await page.reload();
  await corelane.idle();
  expect(page.url()).toBe(both);
  await expectBoth(corelane);

  await region.getByRole('button', { name: 'Close' }).click();
  await corelane.idle();
  await expect(region).toBeHidden();
  expect(page.url()).not.toContain('second.dat');
  expect(page.url()).not.toContain('beside');
  expect((await corelane.drawState()).plot).toEqual(alone.plot);
  expect((await corelane.drawState()).lanes).toEqual(alone.lanes);
  // Going back in the history leads back to both.
  await page.goBack();
  await corelane.idle();
  await expect(region).toBeVisible();
});
