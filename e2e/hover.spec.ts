/** What is under the pointer: shown without redrawing anything, and correct while the view moves below the pointer. */
import { sceneThemes } from '../web/timeline/frame/theme';
import type { CorelanePage } from './corelanePage';
import { longTrace } from './longTrace';
import { type Colour, colourAt, decodePng, difference, parseColour } from './png';
import { expect, test } from './test';
import { longestRuns, type Run, truthOf } from './truth';

const trace = truthOf('forkpipe-8cpu');
const runs = longestRuns(trace);
const middle = ({ start, end }: Run): number => (start + end) / 2;

test.beforeEach(async ({ corelane }) => {
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
});

/** The colours on the screen in the middle of each run. */
async function colours(corelane: CorelanePage, of: readonly Run[]): Promise<Colour[]> {
  const picture = decodePng(await corelane.lanes.screenshot({ animations: 'disabled' }));
  const box = await corelane.box(corelane.lanes);
  return Promise.all(
    of.map(async (run) => {
      const { x, y } = await corelane.place(run.cpu, middle(run));
      // The pixel is beside the crosshair and the outline.
      return colourAt(picture, x - box.x + 3, y - box.y + 2);
    }),
  );
}

for (const graphics of ['webgl', '2d']) {
  test(`a hovered task stands out, and nothing is drawn anew for it (${graphics})`, async ({ corelane }) => {
    await corelane.open(`./?trace=&graphics=${graphics}`);
    await corelane.choose(trace.name, trace.bytes);
    // A task with two runs that are wide enough to be examined, and another task.
    const wide = runs.filter(({ start, end }) => end - start > trace.span / 100);
    const run = wide.find(({ pid }, i) => wide.some((second, j) => j > i && second.pid === pid)) as Run;
    const second = wide.find((found) => found !== run && found.pid === run.pid) as Run;
    const stranger = wide.find(({ pid }) => pid !== run.pid) as Run;
    await corelane.page.mouse.move(1, 1);
    await corelane.idle();
    const before = await colours(corelane, [run, second, stranger]);
    const { drawn } = await corelane.drawState();
    await corelane.hover(run.cpu, middle(run));
    const after = await colours(corelane, [run, second, stranger]);
    const ink = parseColour(sceneThemes.light.ink);
    const inked = before.map((colour) => colour.map((channel, i) => channel + 0.35 * ((ink[i] ?? 0) - channel)));
    for (const i of [0, 1]) expect(difference(after[i] as Colour, inked[i] as unknown as Colour)).toBeLessThan(5);
    expect(difference(before[0] as Colour, inked[0] as unknown as Colour)).toBeGreaterThan(10);
    expect(after[2]).toEqual(before[2]);
    for (const [x, y] of [
      [300, 150],
      [420, 240],
      [530, 330],
    ])
      await corelane.page.mouse.move(x ?? 0, y ?? 0, { steps: 5 });
    await corelane.page.mouse.move(1, 1);
    await corelane.idle();
    expect((await corelane.drawState()).drawn).toEqual(drawn);
    expect(await colours(corelane, [run, second, stranger])).toEqual(before);
  });
}

test('a hovered command stands out where colours are the commands’', async ({ corelane }) => {
  await corelane.page.getByText('Command', { exact: true }).first().click();
  await corelane.idle();
  const { drawn } = await corelane.drawState();
  await corelane.showCommands();
  await corelane.command(runs[0].comm).hover();
  await corelane.idle();
  expect((await corelane.drawState()).patches).toBeGreaterThan(0);
  await corelane.page.mouse.move(1, 1);
  await corelane.idle();
  expect(await corelane.drawState()).toMatchObject({ patches: 0, drawn });
});

test('moving the pointer asks the browser for no layout', async ({ corelane }) => {
  const { page } = corelane;
  await page.evaluate(() => {
    const counted = window as unknown as { asked: number };
    counted.asked = 0;
    for (const name of ['offsetWidth', 'offsetHeight'] as const) {
      const original = Object.getOwnPropertyDescriptor(HTMLElement.prototype, name);
      Object.defineProperty(HTMLElement.prototype, name, {
        get() {
          counted.asked++;
          return original?.get?.call(this);
        },
      });
    }
  });
  const box = await corelane.box(corelane.lanes);
  for (let step = 0; step < 12; step++) {
    await page.mouse.move(box.x + 80 + 45 * step, box.y + 60 + 20 * step);
    await corelane.idle();
  }
  expect(await page.evaluate(() => (window as unknown as { asked: number }).asked)).toBe(0);
});

test('chips beside the pointer stay in their panes', async ({ corelane }) => {
  const { page } = corelane;
  const seen = new Set<string>();
  for (const pane of [corelane.lanes, corelane.running.locator('.scene')]) {
    const box = await corelane.box(pane);
    for (const x of [66, box.width / 2, box.width - 2]) {
      await page.mouse.move(box.x + x, box.y + box.height / 2);
      await corelane.idle();
      const chips = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('main .pane div')]
          .filter(({ style }) => style.whiteSpace === 'nowrap' && style.opacity === '1')
          .map((chip) => {
            const [own, around] = [chip, chip.parentElement ?? chip].map((element) => element.getBoundingClientRect());
            return { text: chip.textContent, left: own.left - around.left, right: around.right - own.right };
          }),
      );
      expect(chips.length).toBeGreaterThan(0);
      for (const { text, left, right } of chips) {
        seen.add(/running/.test(text) ? 'curve' : 'time');
        expect(left, text).toBeGreaterThanOrEqual(-0.5);
        expect(right, text).toBeGreaterThanOrEqual(-0.5);
      }
    }
  }
  expect([...seen].sort()).toEqual(['curve', 'time']);
});

/** The text about the place below the pointer that follows from trace-cmd's text. */
function saidOf(cpu: number, time: number): RegExp {
  const run = trace.intervals.find((other) => other.cpu === cpu && other.start <= time && time < other.end);
  return run?.kind === 'run' ? new RegExp(`CPU ${cpu} · ${run.comm} ${run.pid} `) : new RegExp(`CPU ${cpu} · idle `);
}

test('the status and the hovered task follow the view below a pointer at rest', async ({ corelane }) => {
  const { page } = corelane;
  const run = runs[0];
  await corelane.hover(run.cpu, middle(run));
  const { x } = await corelane.place(run.cpu, middle(run));
  const check = async (): Promise<void> => {
    await corelane.idle();
    const time = await corelane.timeAt(x);
    const { hovered, nsPerDevicePixel } = await corelane.drawState();
    expect(Math.abs((hovered ?? 0) - time)).toBeLessThan(nsPerDevicePixel);
    await expect(corelane.status).toContainText(saidOf(run.cpu, hovered ?? 0));
  };
  await check();
  const first = await corelane.status.locator('.hover-text').innerText();
  // Moves later by the keyboard, then shows everything, then goes back.
  await corelane.press('w', 'w', 'w');
  await check();
  await corelane.press('Shift+D');
  await check();
  expect(await corelane.status.locator('.hover-text').innerText()).not.toBe(first);
  await corelane.press('0');
  await check();
  await corelane.press('Control+z');
  await check();
  await page.mouse.wheel(0, 600);
  await check();
  // With taller lanes the pointer is over another lane.
  await corelane.press('0', 't', 't', 't');
  const lanes = (await corelane.drawState()).lanes;
  const { y } = await corelane.box(corelane.lanes);
  const pointer = (await page.evaluate(() => window.corelane.drawState().hovered)) ?? 0;
  const mouse = await corelane.status.locator('.hover-text').innerText();
  const said = Number(/CPU (\d+)/.exec(mouse)?.[1]);
  expect(pointer).toBeGreaterThan(0);
  expect(lanes.find(({ cpu }) => cpu === said)?.top).toBeLessThan(y + 1000);
  expect(said).not.toBe(run.cpu);
});

test('the card of a run is beside a pointer that has rested there since before the trace was open', async ({
  corelane,
}) => {
  await corelane.open('./?trace=');
  const chosen = corelane.choose('long.dat', longTrace('b510-barrier-8cpu', 60));
  await expect(corelane.page.locator('.card-layer.compact')).toBeVisible();
  const lanes = await corelane.box(corelane.lanes);
  const { x, y } = { x: Math.round(lanes.x + lanes.width / 2), y: Math.round(lanes.y + lanes.height / 2) };
  await corelane.page.mouse.move(x, y);
  await chosen;
  const card = corelane.page.locator('.hover-card');
  await expect(card).toBeVisible();
  const box = await corelane.box(card);
  const beside = [Math.max(box.x - x, x - box.x - box.width), Math.max(box.y - y, y - box.y - box.height)];
  expect(Math.min(...beside)).toBeGreaterThan(0);
  expect(Math.max(...beside)).toBeLessThan(25);
});
