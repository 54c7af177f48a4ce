import { colourDistance, contrast } from '../web/timeline/frame/colourDistance';
import { colourAt, difference } from './png';
import { expect, test } from './test';
import { longestRuns, type Run, truthOf } from './truth';
import { cutOff } from './walk';

const small = truthOf('forkpipe-8cpu');
const many = truthOf('barrier128-after-sleep');
const TABS = ['Findings', 'Selection', 'Range', 'Latency', 'Diagnostics', 'Trace'];
const SCREENS = [
  { width: 390, height: 844 },
  { width: 600, height: 900, exhaustive: true },
  { width: 900, height: 700 },
  { width: 1100, height: 700, exhaustive: true },
  { width: 1280, height: 720 },
  { width: 1440, height: 900, exhaustive: true },
  { width: 1920, height: 1080 },
  { width: 3840, height: 2160, exhaustive: true },
  // One size for each layout of the style sheets (up to 700 and up to 900 pixels, wider, panes of more than 1560);
  // `npm run test:all` examines sizes in between.
].filter(({ exhaustive }) => !exhaustive || process.env.CORELANE_TEST_ALL !== undefined);
/** The least size of the lanes on any screen, in CSS pixels. */
const LEAST_LANES = { width: 280, height: 170 };

test('the toolbar is one row on a usual laptop, with the filter in it', async ({ corelane }) => {
  const { page } = corelane;
  await page.setViewportSize({ width: 1366, height: 768 });
  await corelane.open();
  await corelane.choose(small.name, small.bytes);
  const [filter, colours] = await Promise.all([
    corelane.box(page.getByRole('search', { name: 'Filter' })),
    corelane.box(page.getByRole('group', { name: 'Colour by' })),
  ]);
  expect(Math.abs(filter.y + filter.height / 2 - colours.y - colours.height / 2)).toBeLessThan(2);
  expect(filter.x + filter.width).toBeLessThanOrEqual(1366);
});

test('a laptop shows at least five findings, and the commands in a tab', async ({ corelane }) => {
  const { page } = corelane;
  await page.setViewportSize({ width: 1280, height: 720 });
  await corelane.open();
  await corelane.choose(small.name, small.bytes);
  const panel = await corelane.box(corelane.details.getByRole('tabpanel'));
  const rows = await corelane.details
    .locator('.finding')
    .evaluateAll((all) => all.map((row) => row.getBoundingClientRect().bottom));
  expect(rows.filter((bottom) => bottom <= panel.y + panel.height).length).toBeGreaterThanOrEqual(5);
  await expect(corelane.commands).toBeHidden();
  await corelane.openTab('Commands');
  await expect(corelane.commands).toBeVisible();
  await expect(page).toHaveURL(/tab=commands/);
  // A window with room has a pane for them, and the list of findings beside it.
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(corelane.commands).toHaveCount(1);
  await expect(corelane.details.getByRole('tab', { name: 'Findings' })).toHaveAttribute('aria-selected', 'true');
});

for (const screen of [
  { width: 390, height: 844 },
  // 1280x720 at a zoom of 200 %.
  { width: 640, height: 360 },
]) {
  test(`at ${screen.width}x${screen.height} the lanes come first, and stay there`, async ({ corelane }) => {
    const { page } = corelane;
    await page.setViewportSize(screen);
    await corelane.open();
    await corelane.choose(small.name, small.bytes);
    const main = page.getByRole('main');
    const scrolled = () => main.evaluate((element) => element.scrollTop);
    expect(await scrolled()).toBe(0);
    const [lanes, status] = [await corelane.box(corelane.lanes), await corelane.box(corelane.status)];
    // At least three eighths of the window.
    expect(Math.min(lanes.y + lanes.height, status.y) - lanes.y).toBeGreaterThan(0.375 * screen.height);
    // The way through the findings scrolls their list alone.
    await corelane.press('n', 'n', 'n', 'n', 'n', 'n');
    expect(await scrolled()).toBe(0);
    // What has no room is behind two buttons.
    const forked = page.getByRole('checkbox', { name: 'New tasks' });
    await expect(forked).toBeHidden();
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await expect(forked).toBeVisible();
    const help = page.getByRole('button', { name: 'Help' });
    await expect(help).toBeHidden();
    await page.getByRole('button', { name: 'Trace', exact: true }).click();
    await help.click();
    await expect(page.getByRole('dialog')).toContainText('Zoom');
  });
}

test('tabs without room are in a menu, with their badges', async ({ corelane }) => {
  const { page } = corelane;
  const lost = truthOf('lost-s390x');
  await page.setViewportSize({ width: 1280, height: 720 });
  await corelane.open();
  await corelane.choose(lost.name, lost.bytes);
  const { details } = corelane;
  const more = details.getByRole('button', { name: /^More/ });
  const bar = await corelane.box(details.getByRole('tablist'));
  await expect(details.getByRole('tab', { name: /Diagnostics/ })).toBeHidden();
  const noted = /\d[\d,]*/.exec(await more.innerText())?.[0];
  expect(noted).toBeDefined();
  await more.click();
  const menu = details.getByRole('dialog', { name: 'More tabs' });
  await expect(menu.getByRole('button')).toHaveCount(
    (await corelane.tabNames()).length - (await details.getByRole('tab').count()),
  );
  await menu.getByRole('button', { name: `Diagnostics ${noted}` }).click();
  // The chosen one takes the place of others, has the focus, and the row stays one row.
  await expect(details.getByRole('tab', { name: /Diagnostics/ })).toBeFocused();
  await expect(more).not.toContainText(`${noted}`);
  expect((await corelane.box(details.getByRole('tablist'))).height).toBe(bar.height);
  await page.keyboard.press('ArrowRight');
  await expect(details.getByRole('tab', { name: 'Trace' })).toBeFocused();
});

test.describe('on screens of every size', () => {
  test.setTimeout(240_000);

  for (const truth of [small, many]) {
    const { name, bytes } = truth;
    test(`nothing of ${name} is cut off, and lanes are left`, async ({ corelane }) => {
      const { page } = corelane;
      await corelane.open();
      await corelane.choose(name, bytes);
      // There is a current finding, a selected run, and a highlighted command.
      await corelane.press('n');
      const run = longestRuns(truth)[0] as Run;
      await corelane.press('0');
      await corelane.clickRun(run.cpu, (run.start + run.end) / 2);
      await corelane.showCommands();
      await corelane.commands.getByRole('row').nth(3).click();
      await corelane.idle();
      for (const screen of SCREENS) {
        await page.setViewportSize(screen);
        for (const one of TABS) {
          await corelane.openTab(one);
          await corelane.idle();
          expect.soft(await cutOff(page), `${one} at ${screen.width}`).toEqual([]);
          const cells = page.locator('.table-head button, .table .row .numeric');
          const elided = await cells.evaluateAll((all) =>
            all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent),
          );
          expect.soft(elided, `heads and numbers of ${one} at ${screen.width}`).toEqual([]);
        }
        const { plot } = await corelane.drawState();
        expect.soft(plot.width, `lanes at ${screen.width}`).toBeGreaterThan(LEAST_LANES.width);
        const lanes = await corelane.box(corelane.lanes);
        expect.soft(lanes.height, `lanes at ${screen.width}`).toBeGreaterThan(LEAST_LANES.height);
        // Between the lanes and the tables there is only the line that can be dragged.
        const room = (await corelane.box(corelane.details)).x - lanes.x - lanes.width;
        if (screen.width > 700) expect.soft(room, `beside the lanes at ${screen.width}`).toBeLessThan(8);
        for (const label of await corelane.details.getByRole('tab').all()) {
          const whole = await label.evaluate((element) => element.scrollWidth <= element.clientWidth);
          expect.soft(whole, `tab ${await label.innerText()} at ${screen.width}`).toBe(true);
        }
        await corelane.showCommands();
        // At least fourteen letters of each command are visible, or all that it has.
        const short = await corelane.commands.locator('.comm').evaluateAll((names) => {
          const context = document.createElement('canvas').getContext('2d');
          return names.flatMap((element) => {
            const text = element.textContent ?? '';
            if (context === null) return [text];
            context.font = getComputedStyle(element).font;
            const room = context.measureText(text.length > 14 ? `${text.slice(0, 14)}…` : text).width;
            return element.clientWidth + 1 < room ? [text] : [];
          });
        });
        expect.soft(short, `commands at ${screen.width}`).toEqual([]);
      }
    });
  }

  test('the list of events keeps its close button on the first line', async ({ corelane }) => {
    const { page } = corelane;
    await corelane.open();
    await corelane.choose(small.name, small.bytes);
    await corelane.press('e');
    for (const screen of SCREENS) {
      await page.setViewportSize(screen);
      await corelane.idle();
      expect.soft(await cutOff(page), `events at ${screen.width}`).toEqual([]);
      const close = await corelane.box(page.getByRole('button', { name: 'Close the events' }));
      const title = await corelane.box(corelane.eventsPane.getByRole('heading', { name: 'Events' }));
      expect.soft(Math.abs(close.y + close.height / 2 - title.y - title.height / 2), `${screen.width}`).toBeLessThan(6);
      const bar = await corelane.box(page.locator('.events-bar'));
      if (screen.width >= 1280) expect.soft(bar.height, `events bar at ${screen.width}`).toBeLessThan(40);
    }
  });

  test('dialogs are within the window, with all that is in them', async ({ corelane }) => {
    const { page } = corelane;
    await corelane.open();
    await corelane.choose(small.name, small.bytes);
    const dialogs = [
      { name: 'Topology of the machine', open: () => page.getByRole('button', { name: /^Topology/ }).click() },
      { name: 'Keys and gestures', open: () => page.getByRole('button', { name: 'Help' }).click() },
      { name: /Export/, open: () => page.getByRole('button', { name: 'Export…' }).click() },
    ];
    for (const { name, open } of dialogs) {
      await open();
      const dialog = page.getByRole('dialog', { name });
      for (const screen of SCREENS) {
        await page.setViewportSize(screen);
        await corelane.idle();
        const box = await corelane.box(dialog);
        expect.soft(Math.min(box.x, box.y), `${name} at ${screen.width}`).toBeGreaterThanOrEqual(0);
        expect.soft(box.x + box.width, `${name} at ${screen.width}`).toBeLessThanOrEqual(screen.width);
        expect.soft(box.y + box.height, `${name} at ${screen.width}`).toBeLessThanOrEqual(screen.height);
        expect.soft(await cutOff(page, 'dialog[open]'), `${name} at ${screen.width}`).toEqual([]);
        const sideways = await dialog.evaluate((element) => element.scrollWidth - element.clientWidth);
        expect.soft(sideways, `${name} at ${screen.width}`).toBe(0);
      }
      await page.keyboard.press('Escape');
    }
  });

  test('on a high screen eight CPUs fill the pane, and tables leave the width to the lanes', async ({ corelane }) => {
    await corelane.page.setViewportSize({ width: 3840, height: 2160 });
    await corelane.open();
    await corelane.choose(small.name, small.bytes);
    const { lanes } = await corelane.drawState();
    const pane = await corelane.box(corelane.lanes);
    const drawn = lanes.reduce((sum, { height }) => sum + height, 0);
    expect(drawn / pane.height).toBeGreaterThan(0.85);
    expect((await corelane.box(corelane.details)).width).toBeLessThanOrEqual(560);
  });
});

test('the command that records a trace can be read and copied whole, on a phone too', async ({ corelane }) => {
  const { page } = corelane;
  await page.setViewportSize({ width: 390, height: 844 });
  await corelane.open();
  await expect(page.locator('pre')).toContainText("sh -c 'sleep 1; ./mycommand; true'");
  expect(await cutOff(page)).toEqual([]);
});

test('percentiles are words apart', async ({ corelane }) => {
  const { page } = corelane;
  await corelane.open();
  await corelane.choose(small.name, small.bytes);
  await corelane.openTab('Latency');
  for (const measure of ['Wake-up latency', 'Wait time', 'Run length']) {
    await corelane.details.getByText(measure, { exact: true }).click();
    await corelane.idle();
    const boxes = await page.locator('.percentile text').evaluateAll((labels) =>
      labels.map((label) => {
        const { left, right, top } = label.getBoundingClientRect();
        return { left, right, top };
      }),
    );
    expect(boxes.length).toBeGreaterThan(3);
    for (const [i, one] of boxes.entries()) {
      for (const other of boxes.slice(i + 1).filter(({ top }) => Math.abs(top - one.top) < 4)) {
        expect(Math.max(one.left - other.right, other.left - one.right)).toBeGreaterThan(3);
      }
    }
  }
});

test('links of one digit are as large as a finger needs', async ({ corelane }) => {
  await corelane.open();
  await corelane.choose(small.name, small.bytes);
  const links = corelane.details.locator('button').filter({ hasText: /^\d$/ });
  for (const { cpu, start, end } of longestRuns(small).slice(0, 30)) {
    await corelane.clickRun(cpu, (start + end) / 2);
    if ((await links.count()) > 1) break;
  }
  expect(await links.count()).toBeGreaterThan(1);
  for (const link of await links.all()) {
    const { width, height } = await corelane.box(link);
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(24);
  }
});

test('what scrolls is scrolled by its keys, and the lanes stay where they are', async ({ corelane }) => {
  const { page } = corelane;
  await page.setViewportSize({ width: 1280, height: 400 });
  await corelane.open();
  await corelane.choose(small.name, small.bytes);
  await corelane.press('n');
  const { window } = await corelane.view();
  await corelane.openTab('Trace');
  // After the tab, the menu of those without room, then the panel.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  const panel = corelane.details.getByRole('tabpanel');
  await expect(panel).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => panel.evaluate((element) => element.scrollTop)).toBeGreaterThan(0);
  await corelane.openTab('Range');
  await corelane.details.getByText('Tasks', { exact: true }).click();
  const table = corelane.details.getByRole('grid');
  await table.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => table.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0);
  expect((await corelane.view()).window).toEqual(window);
});

/** `rgb(1, 2, 3)` and `color(srgb …)` as `#rrggbb`; null if the colour is not opaque. */
const hex = (colour: string): string | null => {
  const numbers = colour.match(/[\d.]+/g)?.map(Number) ?? [];
  const [r = 0, g = 0, b = 0, alpha = 1] = colour.startsWith('color') ? numbers.map((value) => 255 * value) : numbers;
  return alpha < 1 ? null : `#${[r, g, b].map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;
};

for (const theme of ['light', 'dark'] as const) {
  test(`edges of buttons and fields can be seen (${theme})`, async ({ corelane }) => {
    const { page } = corelane;
    await page.emulateMedia({ colorScheme: theme });
    await corelane.open();
    await corelane.choose(small.name, small.bytes);
    await corelane.press('e');
    const edges = await page.locator('.button, .field, .segmented').evaluateAll((controls) =>
      controls.flatMap((control) => {
        const style = getComputedStyle(control);
        if (!control.checkVisibility() || control.matches(':disabled, .quiet')) return [];
        let around = control.parentElement;
        while (around && /^(rgba\(.*, 0\)|transparent)$/.test(getComputedStyle(around).backgroundColor)) {
          around = around.parentElement;
        }
        const beside = around ? getComputedStyle(around).backgroundColor : 'rgb(255, 255, 255)';
        return [{ name: control.className, edge: style.borderTopColor, beside }];
      }),
    );
    expect(edges.length).toBeGreaterThan(15);
    for (const { name, edge, beside } of edges) {
      const [line, ground] = [hex(edge), hex(beside)];
      expect(line && ground && contrast(line, ground), `${name}: ${edge} on ${beside}`).toBeGreaterThanOrEqual(3);
    }
  });

  test(`a range leaves what is inside as it is (${theme})`, async ({ corelane }) => {
    const { page } = corelane;
    await page.emulateMedia({ colorScheme: theme });
    await corelane.open();
    await corelane.choose(small.name, small.bytes);
    await corelane.idle();
    const before = await corelane.picture(page.locator('.split-first').first());
    const [from, to] = [await corelane.place(0, small.span * 0.4), await corelane.place(0, small.span * 0.6)];
    await page.keyboard.down('Shift');
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 3 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    const after = await corelane.picture(page.locator('.split-first').first());
    const box = await corelane.box(page.locator('.split-first').first());
    for (const region of [corelane.lanes, corelane.running]) {
      const { y, height } = await corelane.box(region);
      let [inside, outside] = [0, 0];
      for (let row = y + 40 - box.y; row < y + height - 12 - box.y; row++) {
        for (let x = from.x + 3; x < to.x - 3; x += 5) {
          inside = Math.max(inside, difference(colourAt(before, x - box.x, row), colourAt(after, x - box.x, row)));
        }
        for (let x = to.x + 3; x < to.x + 150; x += 5) {
          outside = Math.max(outside, difference(colourAt(before, x - box.x, row), colourAt(after, x - box.x, row)));
        }
      }
      expect(inside).toBeLessThanOrEqual(2);
      expect(outside).toBeGreaterThan(60);
    }
  });
}

test('Windows’ contrast themes leave colours that say something, and what is chosen', async ({ corelane }) => {
  const { page } = corelane;
  await page.emulateMedia({ forcedColors: 'active' });
  await corelane.open();
  await corelane.choose(small.name, small.bytes);
  await page.getByText('Command', { exact: true }).first().click();
  await corelane.details.getByRole('button', { name: /^Overload/ }).click();
  await corelane.idle();
  const ground = (selector: string) =>
    page.locator(selector).evaluateAll((all) => all.map((element) => getComputedStyle(element).backgroundColor));
  const differ = async (chosen: string, other: string): Promise<void> => {
    // Colours change gradually.
    await expect.poll(async () => (await ground(chosen))[0] === (await ground(other))[0], chosen).toBe(false);
  };
  await differ('.findings-kinds [aria-pressed=true]', '.findings-kinds [aria-pressed=false]');
  await corelane.showCommands();
  const swatches = await ground('.table .swatch');
  expect(new Set(swatches).size).toBeGreaterThan(5);
  const keys = (await ground('.key-mark')).map(hex);
  expect(colourDistance(keys[0] ?? '#000000', keys[1] ?? '#000000')).toBeGreaterThan(10);
  await differ('.tab[aria-selected=true]', '.tab[aria-selected=false]');
  await differ('.segment input:checked + span', '.segment input:not(:checked) + span');
  await corelane.commands.getByRole('row').nth(1).click();
  await differ('.table .row[aria-selected=true]', '.table .row[aria-selected=false]');
});
