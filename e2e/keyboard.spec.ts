import { expect, test } from './test';
import { truthOf } from './truth';

const small = truthOf('forkpipe-8cpu');

test('everything works by keyboard alone', { tag: '@firefox' }, async ({ corelane }) => {
  const { page } = corelane;
  await corelane.open('./?trace=sample');

  await corelane.press('?');
  await expect(page.getByRole('dialog')).toContainText('Back along the wakeup chain');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  // A dialog that is still closing takes the keys.
  await corelane.idle();

  const whole = (await corelane.drawState()).window;
  await corelane.press('w', 'w', 'w', 'd');
  const zoomed = (await corelane.drawState()).window;
  expect(zoomed.end - zoomed.start).toBeLessThan((whole.end - whole.start) / 2);
  await corelane.press('0');
  expect((await corelane.drawState()).window).toEqual(whole);

  await corelane.press('.');
  const first = (await corelane.view()).selection;
  expect(first).not.toBeNull();
  await corelane.press('.');
  const second = (await corelane.view()).selection;
  expect(second?.start).toBeGreaterThan(first?.start ?? 0);
  await corelane.press(',');
  expect((await corelane.view()).selection).toEqual(first);
  await corelane.press('f');
  const focused = (await corelane.drawState()).window;
  expect(focused.end - focused.start).toBeLessThan(whole.end - whole.start);

  await corelane.press('t');
  expect((await corelane.view()).laneScale).toBeGreaterThan(1);
  await corelane.press('r');
  await expect(page.getByRole('tab', { name: 'Range' })).toHaveAttribute('aria-selected', 'true');
  await corelane.press('Escape');
  expect(await corelane.view()).toMatchObject({ selection: null, range: null });
});

test('the commands table and the controls are reached with Tab and have a visible focus', async ({ corelane }) => {
  const { page } = corelane;
  await corelane.open('./?trace=sample');
  await corelane.showCommands();
  await corelane.commands.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await corelane.idle();
  expect((await corelane.view()).highlighted).toHaveLength(1);
  await page.keyboard.press('Enter');
  await corelane.idle();
  expect((await corelane.view()).colour).toBe('target');

  await page.locator('body').click({ position: { x: 1, y: 1 } });
  const reached: string[] = [];
  for (let step = 0; step < 40; step++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      if (!(element instanceof HTMLElement) || element === document.body) return null;
      // A hidden radio button shows its focus on its neighbour, a table on its active row.
      const shown = element.matches('.segment input')
        ? element.nextElementSibling
        : element.matches('.table')
          ? element.querySelector('.row.active')
          : element;
      const outline = shown ? getComputedStyle(shown).outlineStyle : 'none';
      return { name: element.getAttribute('aria-label') ?? element.textContent ?? '', outline };
    });
    if (!focused) continue;
    reached.push(focused.name);
    expect(focused.outline, focused.name).not.toBe('none');
  }
  for (const name of ['Open trace…', 'Copy link', 'Help', 'Width of the lanes', 'Commands of the whole trace']) {
    expect(reached).toContain(name);
  }
});

test('what happens is also said in text', async ({ corelane }) => {
  await corelane.open('./?trace=sample');
  await expect(corelane.status.getByRole('status')).toContainText('sample.dat is open');
  const said = corelane.status.getByRole('status');
  // However a run is selected; a step down is always to another CPU's.
  const isSaid = async (): Promise<void> => {
    await corelane.idle();
    const { selection } = await corelane.view();
    await expect(said).toHaveText(new RegExp(`^\\S.* \\d+ on CPU ${selection?.cpu} is selected\\.$`));
  };
  await corelane.press('.');
  await isSaid();
  await corelane.press('Shift+ArrowDown');
  await isSaid();
  const { selection } = await corelane.view();
  const { lanes } = await corelane.drawState();
  const above = lanes[Math.max(0, lanes.findIndex(({ cpu }) => cpu === selection?.cpu) - 1)];
  await corelane.clickRun(above?.cpu ?? 0, selection?.start ?? 0);
  await isSaid();
  await corelane.press('Escape');
  await expect(said).toHaveText('No run is selected.');
});

test('a key right after Esc opens a dialog again, before the browser has moved the focus out of it', async ({
  corelane,
}) => {
  const { page } = corelane;
  const dialog = page.getByRole('dialog', { name: 'Export figure' });
  await corelane.open('./?trace=sample');
  await corelane.press('x');
  await expect(dialog).toBeVisible();
  // What Esc does, and then a key, in one turn: two presses leave it to chance whether a frame comes between them.
  const wasClosed = await page.evaluate(async () => {
    const focused = document.activeElement;
    const open = focused?.closest('dialog');
    open?.dispatchEvent(new Event('cancel'));
    await Promise.resolve();
    const isClosed = open?.open === false;
    focused?.dispatchEvent(new KeyboardEvent('keydown', { key: 'x', bubbles: true }));
    return isClosed;
  });
  expect(wasClosed).toBe(true);
  await corelane.idle();
  await expect(dialog).toBeVisible();
});

test('without a trace, the key of the filter waits for nothing', async ({ corelane }) => {
  await corelane.open();
  await corelane.press('Control+Shift+F');
  const { name, bytes } = truthOf('forkpipe-8cpu');
  await corelane.choose(name, bytes);
  await expect(corelane.page.locator('#filter')).toBeVisible();
  // What would wait looks in every frame.
  await corelane.page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  await expect(corelane.page.locator('#filter')).not.toBeFocused();
  await corelane.press('Control+Shift+F');
  await expect(corelane.page.locator('#filter')).toBeFocused();
});

test('the lanes are a stop of the Tab key, which says where they are', async ({ corelane }) => {
  const { page } = corelane;
  await corelane.open();
  await corelane.choose(small.name, small.bytes);
  await page.locator('body').click({ position: { x: 1, y: 1 } });
  const isThere = () => corelane.lanes.evaluate((lanes) => document.activeElement === lanes);
  for (let step = 0; step < 40 && !(await isThere()); step++) await page.keyboard.press('Tab');
  expect(await isThere()).toBe(true);
  await expect(corelane.lanes).toHaveCSS('outline-style', 'solid');
  await expect(corelane.lanes).toHaveAccessibleDescription(/^0\.000.* on 8 CPUs\. No run is selected\./);
  await corelane.press('.');
  const { selection } = await corelane.view();
  const run = small.intervals.find(({ cpu, start }) => cpu === selection?.cpu && start === selection.start);
  await expect(corelane.lanes).toHaveAccessibleDescription(
    new RegExp(`Selected: .* ${run?.pid} on CPU ${selection?.cpu}, at `),
  );
  // The menu key is about the selected run, not about the middle of the lanes.
  await page.keyboard.press('ContextMenu');
  await expect(page.getByRole('menu')).toContainText(`${run?.pid}`);
});

test('a key that can do nothing says why', async ({ corelane }) => {
  const { page } = corelane;
  const said = corelane.status.getByRole('status');
  await corelane.open();
  await corelane.choose(small.name, small.bytes);
  await corelane.press('v');
  await expect(said).toContainText('as high as those of the lens');
  await corelane.press('v', 'Enter');
  await expect(said).toHaveText('Select a run or a range first.');
  await corelane.press('Delete');
  await expect(said).toContainText('No event is current');
  const last = small.intervals.filter(({ cpu, kind }) => cpu === 3 && kind === 'run').at(-1);
  await corelane.clickRun(3, ((last?.start ?? 0) + (last?.end ?? 0)) / 2);
  for (let step = 0; step < 5; step++) await corelane.press('.');
  await expect(said).toHaveText('No later run on CPU 3.');
  await corelane.press(...Array.from({ length: 9 }, () => 'Shift+ArrowDown'));
  await expect(said).toHaveText('CPU 7 has the last lane.');
  await page.goto('./?trace=sample');
  await corelane.idle();
  await corelane.press('v');
  await expect(said).toContainText('Point at a lane');
});
