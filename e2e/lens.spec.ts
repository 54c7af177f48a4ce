/** The lens over thin lanes: what it shows is what is hovered and clicked, and moving within it draws nothing. */
import { colourAt, decodePng, difference } from './png';
import { expect, test } from './test';
import { longestRuns, type Run, truthOf } from './truth';

const trace = truthOf('barrier128-after-sleep');
const middle = ({ start, end }: Run): number => (start + end) / 2;
/** A long run in the middle of the lanes, with lanes of the lens above and below it. */
const run = longestRuns(trace).find(({ cpu }) => cpu > 40 && cpu < 80) as Run;

test.beforeEach(async ({ corelane }) => {
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
});

test('a lens makes thin lanes below the pointer readable, and each can be clicked', async ({ corelane }) => {
  const { page } = corelane;
  // The colours of commands tell runs apart, as those of states do not.
  await page.getByText('Command', { exact: true }).first().click();
  await corelane.idle();
  expect((await corelane.drawState()).lens).toBeNull();
  const { x, y } = await corelane.place(run.cpu, middle(run));
  const before = colourAt(decodePng(await page.screenshot()), Math.round(x) + 3, Math.floor(y));
  await corelane.hover(run.cpu, middle(run));
  await corelane.press('v');
  const { lens, plot, lanes, drawn } = await corelane.drawState();
  if (lens === null) throw new Error('there is no lens');
  // The lane below the pointer is the middle one, and it is higher than it was.
  expect(lens.count).toBe(9);
  expect(lanes[lens.first + 4]?.cpu).toBe(run.cpu);
  expect(lens.pitch).toBeGreaterThan(2 * (lanes[0]?.height ?? 0));
  const box = await corelane.box(corelane.lanes);
  const rowOf = (row: number): number => box.y + plot.top + lens.top + (row + 0.5) * lens.pitch;
  expect(Math.abs(rowOf(4) - y)).toBeLessThan(1);
  // It has the colour of the lane that it shows, over the height of its lane.
  const picture = decodePng(await page.screenshot());
  for (const dy of [-7, 7]) {
    const seen = colourAt(picture, Math.round(x) + 3, Math.round(rowOf(4) + dy));
    expect(difference(seen, before)).toBeLessThan(5);
  }
  // Every lane of it is what is hovered and clicked there, and pointing at them draws nothing.
  for (let row = 0; row < lens.count; row++) {
    await page.mouse.move(x, rowOf(row));
    await corelane.idle();
    const at = (await corelane.drawState()).hovered ?? 0;
    const cpu = lanes[lens.first + row]?.cpu;
    const said = trace.intervals.find((other) => other.cpu === cpu && other.start <= at && at < other.end);
    await expect(corelane.status).toContainText(
      `CPU ${cpu} · ${said?.kind === 'run' ? `${said.comm} ${said.pid}` : ''}`,
    );
  }
  expect(await corelane.drawState()).toMatchObject({ lens, drawn });
  await page.mouse.click(x, rowOf(4));
  await corelane.idle();
  expect((await corelane.view()).selection).toEqual({ cpu: run.cpu, start: run.start });
});

test('the lens follows a pointer that leaves it, and goes with it', async ({ corelane }) => {
  const { page } = corelane;
  await corelane.hover(run.cpu, middle(run));
  await corelane.press('v');
  const first = (await corelane.drawState()).lens;
  const box = await corelane.box(corelane.lanes);
  const { x } = await corelane.place(run.cpu, middle(run));
  // To the last lane, which is at the lens's lower end.
  await corelane.hover(trace.cpus - 1, middle(run));
  const last = (await corelane.drawState()).lens;
  expect(last?.first).toBe(trace.cpus - (last?.count ?? 0));
  expect(last?.top).toBeGreaterThan(first?.top ?? 0);
  await expect(corelane.status).toContainText(`CPU ${trace.cpus - 1} ·`);
  // Lanes that are high enough need none.
  await corelane.press('t', 't', 't', 't', 't', 't', 't');
  expect((await corelane.drawState()).lens).toBeNull();
  await corelane.press('g', 'g', 'g', 'g', 'g', 'g', 'g');
  expect((await corelane.drawState()).lens).not.toBeNull();
  // Beside the lanes there is none; the key takes it away for good.
  await page.mouse.move(box.x + 10, box.y + 100);
  await corelane.idle();
  expect((await corelane.drawState()).lens).toBeNull();
  await page.mouse.move(x, box.y + 100);
  await corelane.idle();
  expect((await corelane.drawState()).lens).not.toBeNull();
  await corelane.press('v');
  await page.mouse.move(x, box.y + 150);
  await corelane.idle();
  expect((await corelane.drawState()).lens).toBeNull();
});
