import type { Locator } from '@playwright/test';
import { MARGIN, QUICK_MS } from '../web/gl/choice';
import type { CorelanePage } from './corelanePage';
import { decodePng, differingPixels, farPixels, type Picture } from './png';
import { expect, test } from './test';

test('without WebGL 2 the lanes are drawn all the same', async ({ corelane }) => {
  await corelane.page.addInitScript(() => {
    const original = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
      return kind.startsWith('webgl') ? null : Reflect.apply(original, this, [kind, ...rest]);
    } as typeof original;
  });
  await corelane.open('./?trace=sample');
  const { mode, curve, lanes } = await corelane.drawState();
  expect(mode).toBe('2d');
  expect(curve?.mode).toBe('2d');
  expect(lanes.every(({ busy }) => busy > 0)).toBe(true);
  const { data } = await corelane.lanePicture();
  const colours = new Set<number>();
  for (let at = 0; at < data.length; at += 4) colours.add((data[at] << 16) | (data[at + 1] << 8) | data[at + 2]);
  expect(colours.size).toBeGreaterThan(20);
});

/** Makes panes lose their WebGL contexts, or restores them. */
async function contexts(
  { page, lanes, running }: CorelanePage,
  what: 'lose' | 'restore',
  panes: readonly Locator[] = [lanes, running],
): Promise<void> {
  for (const pane of panes) {
    await pane
      .locator('canvas')
      .first()
      .evaluate((canvas: HTMLCanvasElement & { kept?: WEBGL_lose_context | null }, act) => {
        // A lost context no longer gives the extension.
        canvas.kept ??= canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context') ?? null;
        if (act === 'lose') canvas.kept?.loseContext();
        else canvas.kept?.restoreContext();
      }, what);
  }
  await page.evaluate(() => new Promise(requestAnimationFrame));
}

const LOST = 'lost its graphics context';
const modes = async (corelane: CorelanePage) => {
  const { mode, curve } = await corelane.drawState();
  return [mode, curve?.mode];
};

/** The share of the plot's pixels that are white, as idle time is. */
async function white(region: Locator): Promise<number> {
  const { data, width, height } = decodePng(await region.screenshot());
  let count = 0;
  for (let y = 40; y < height - 20; y++) {
    for (let x = 80; x < width - 10; x++) {
      const at = 4 * (y * width + x);
      if (data[at] === 255 && data[at + 1] === 255 && data[at + 2] === 255) count++;
    }
  }
  return count / ((height - 60) * (width - 90));
}

test('a lost context is told at once, and comes back with the same pixels, as often as that happens', async ({
  corelane,
}) => {
  await corelane.open('./?trace=sample&graphics=webgl');
  expect(await modes(corelane)).toEqual(['webgl2', 'webgl2']);
  const lanes = await corelane.lanePicture();
  const running = await corelane.picture(corelane.running);
  for (let time = 0; time < 2; time++) {
    await contexts(corelane, 'lose');
    for (const region of [corelane.lanes, corelane.running]) {
      await expect(region.getByRole('status')).toContainText(LOST);
    }
    expect(await modes(corelane)).toEqual(['lost', 'lost']);
    await contexts(corelane, 'restore');
    await expect(corelane.page.getByText(LOST)).toHaveCount(0);
    await corelane.idle();
    expect(await modes(corelane)).toEqual(['webgl2', 'webgl2']);
    expect(differingPixels(await corelane.lanePicture(), lanes)).toBe(0);
    expect(differingPixels(await corelane.picture(corelane.running), running)).toBe(0);
  }
});

test('a context that stays lost is never drawn as idle time, and 2D takes its place', async ({ corelane }) => {
  await corelane.open('./?trace=sample&graphics=webgl');
  const lanes = await corelane.lanePicture();
  await contexts(corelane, 'lose');
  await expect(corelane.lanes.getByRole('status')).toContainText('does not mean idle');
  expect(await modes(corelane)).toEqual(['lost', 'lost']);
  for (const region of [corelane.lanes, corelane.running]) expect(await white(region)).toBeLessThan(0.75);
  // The view can change while nothing can be drawn.
  await corelane.press('w', 'w');
  await corelane.press('0');
  await expect.poll(() => modes(corelane), { timeout: 10_000 }).toEqual(['2d', '2d']);
  await expect(corelane.page.getByText(LOST)).toHaveCount(0);
  await corelane.idle();
  expect(farPixels(await corelane.lanePicture(), lanes)).toBe(0);
});

test('one pane may lose its context without the other, while a trace loads', async ({ corelane }) => {
  const { page } = corelane;
  await corelane.open('./?trace=sample&graphics=2d');
  const picture = await corelane.lanePicture();
  let serve = (): void => {};
  const served = new Promise<void>((resolve) => {
    serve = resolve;
  });
  await page.route('**/sample.dat', async (route) => {
    await served;
    await route.continue();
  });
  await page.goto('./?trace=sample&graphics=webgl');
  await expect(page.getByRole('region', { name: 'Loading' })).toBeVisible();
  await contexts(corelane, 'lose', [corelane.lanes]);
  await expect(corelane.lanes.getByRole('status')).toContainText(LOST);
  await expect(corelane.running.getByRole('status')).toBeEmpty();
  serve();
  await corelane.idle();
  await expect.poll(() => modes(corelane), { timeout: 10_000 }).toEqual(['2d', 'webgl2']);
  await corelane.idle();
  expect(farPixels(await corelane.lanePicture(), picture)).toBe(0);
});

test('the faster of WebGL and 2D draws, unless the URL says which', async ({ corelane }) => {
  await corelane.open('./?trace=sample');
  const { mode, curve, graphics } = await corelane.drawState();
  const { webglMs, flatMs } = graphics;
  expect(graphics.by).toBe('measure');
  expect(webglMs).toBeGreaterThan(0);
  const is2d = webglMs !== null && flatMs !== null && webglMs >= QUICK_MS && flatMs * MARGIN < webglMs;
  expect([mode, curve?.mode]).toEqual(is2d ? ['2d', '2d'] : ['webgl2', 'webgl2']);
  // The choice is made once.
  await corelane.press('w', '0', 't');
  expect((await corelane.drawState()).graphics).toEqual(graphics);
  for (const [asked, drawn] of [
    ['2d', '2d'],
    ['webgl', 'webgl2'],
  ]) {
    await corelane.open(`./?trace=sample&graphics=${asked}`);
    expect(await modes(corelane)).toEqual([drawn, drawn]);
    expect((await corelane.drawState()).graphics.by).toBe('url');
    expect(corelane.page.url()).toContain(`graphics=${asked}`);
  }
});

test('WebGL and 2D draw the same', async ({ corelane }) => {
  test.slow();
  const pictures = new Map<string, Picture[]>();
  for (const graphics of ['webgl', '2d']) {
    const shots: Picture[] = [];
    const shoot = async (): Promise<void> => {
      shots.push(await corelane.lanePicture());
    };
    await corelane.open(`./?trace=sample&graphics=${graphics}`);
    await shoot();
    await corelane.page.getByText('Command', { exact: true }).first().click();
    await corelane.press('w', 'w', 'w', 'd');
    await shoot();
    await corelane.showCommands();
    await corelane.commands.getByRole('row').nth(2).click();
    await shoot();
    await corelane.press('t', 't', 't', 't', 't');
    await shoot();
    await corelane.page.getByRole('button', { name: 'Dark theme' }).click();
    await shoot();
    await corelane.page.getByRole('button', { name: 'Light theme' }).click();
    pictures.set(graphics, shots);
  }
  const [webgl, flat] = [...pictures.values()];
  webgl?.forEach((picture, i) => {
    expect(farPixels(picture, flat?.[i] as Picture), `view ${i}`).toBe(0);
  });
});

test('a narrow window has everything in reach', async ({ corelane }) => {
  await corelane.page.setViewportSize({ width: 1000, height: 600 });
  await corelane.open('./?trace=sample');
  const { lanes, plot } = await corelane.drawState();
  const last = lanes.at(-1);
  expect((last?.top ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(plot.top + plot.height + 0.5);
  for (const name of ['Copy link', 'Help', 'Fit']) {
    await expect(corelane.page.getByRole('button', { name })).toBeInViewport();
  }
  expect(await corelane.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1000);
});
