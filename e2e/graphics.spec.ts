import { differingPixels } from './png';
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

test('a lost context comes back with the same pixels', async ({ corelane }) => {
  await corelane.open('./?trace=sample');
  expect((await corelane.drawState()).mode).toBe('webgl2');
  const lanes = await corelane.lanePicture();
  const running = await corelane.picture(corelane.running);
  await corelane.page.evaluate(async () => {
    const contexts = [...document.querySelectorAll('canvas')]
      .map((canvas) => canvas.getContext('webgl2') ?? canvas.getContext('webgl'))
      .filter((context) => context !== null)
      .map((context) => (context as WebGL2RenderingContext).getExtension('WEBGL_lose_context'));
    for (const context of contexts) context?.loseContext();
    await new Promise((resolve) => setTimeout(resolve, 200));
    for (const context of contexts) context?.restoreContext();
    await new Promise((resolve) => setTimeout(resolve, 200));
  });
  await corelane.idle();
  expect(differingPixels(await corelane.lanePicture(), lanes)).toBe(0);
  expect(differingPixels(await corelane.picture(corelane.running), running)).toBe(0);
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
