import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from '../tests/lib/build.mjs';
import type { CorelanePage } from './corelanePage';
import { decodePng } from './png';
import { expect, test } from './test';
import { longestRuns, truthOf } from './truth';

const trace = truthOf('barrier32-badplace');
const FILE = `${trace.name}.dat`;

const dialog = (corelane: CorelanePage) => corelane.page.getByRole('dialog', { name: 'Export figure' });
const choose = (corelane: CorelanePage, name: string) => dialog(corelane).getByText(name, { exact: true }).click();

interface Exported {
  readonly name: string;
  readonly bytes: Buffer;
  readonly command: string;
}

/** Downloads the figure with the present choices, and copies the command that makes it. */
async function exported(corelane: CorelanePage): Promise<Exported> {
  const { page } = corelane;
  await corelane.idle();
  const download = page.waitForEvent('download');
  await dialog(corelane)
    .getByRole('button', { name: /^Download/ })
    .click();
  const file = await download;
  await dialog(corelane).getByRole('button', { name: 'Copy the command' }).click();
  await expect(dialog(corelane).getByText('Copied.')).toBeVisible();
  const command = await corelane.clipboard();
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()), command };
}

/** Runs in the page: what an image shows, as a PNG in base64. The page's policy lets nobody fetch the image's address. */
function bytesOfImage(element: Element): string {
  const image = element as HTMLImageElement;
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  return canvas.toDataURL('image/png').replace(/^data:.*?,/, '');
}

/** The path of the program for the command line. */
let bin = '';
test.beforeAll(() => {
  // The program may have to be compiled first.
  test.setTimeout(600_000);
  bin = path.dirname(build('tracecore-cli', 'corelane'));
});

/** The file that a command writes when it is run beside the trace. */
function made(command: string, name: string, of = trace): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), 'corelane-figure-'));
  writeFileSync(path.join(folder, `${of.name}.dat`), of.bytes);
  const env = { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}` };
  execFileSync('sh', ['-c', command], { cwd: folder, env });
  return readFileSync(path.join(folder, name));
}

test('calls and interrupts are drawn as the command draws them, or left out', async ({ corelane }) => {
  const sysmix = truthOf('sysmix-4cpu');
  const { page } = corelane;
  await corelane.open();
  await corelane.choose(`${sysmix.name}.dat`, sysmix.bytes);
  const run = longestRuns(sysmix).find(({ comm }) => comm === 'sysmix');
  if (!run) throw new Error('the fixture has runs of the program that calls');
  await corelane.clickRun(run.cpu, (run.start + run.end) / 2);
  await corelane.press('l', 'Escape', 'x');
  await expect(dialog(corelane).getByRole('img')).toBeVisible();
  const whole = await exported(corelane);
  expect(whole.command).toContain('--calls --interrupts');
  const classes = (svg: Buffer) => [...svg.toString().matchAll(/class="(call-|interrupts)/g)].length;
  expect(classes(whole.bytes)).toBeGreaterThan(0);
  expect(made(whole.command, whole.name, sysmix).equals(whole.bytes), whole.command).toBe(true);

  await choose(corelane, 'Interrupts');
  const calls = await exported(corelane);
  expect(calls.command).toContain('--calls');
  expect(calls.command).not.toContain('--interrupts');
  expect(made(calls.command, calls.name, sysmix).equals(calls.bytes), calls.command).toBe(true);

  await choose(corelane, 'System calls');
  const neither = await exported(corelane);
  expect(neither.command).not.toContain('--calls');
  expect(classes(neither.bytes)).toBe(0);
  expect(made(neither.command, neither.name, sysmix).equals(neither.bytes), neither.command).toBe(true);

  // What is hidden on the lanes is not offered.
  await page.keyboard.press('Escape');
  await page.goto(`${page.url()}&hide=irqs`);
  await page.reload();
  await corelane.choose(`${sysmix.name}.dat`, sysmix.bytes);
  await corelane.press('x');
  await expect(dialog(corelane).getByText('System calls', { exact: true })).toBeVisible();
  await expect(dialog(corelane).getByText('Interrupts', { exact: true })).toBeHidden();
});

test('what the page shows is what the command draws, byte by byte', { tag: '@firefox' }, async ({ corelane }) => {
  const { page } = corelane;
  await corelane.open();
  await corelane.choose(FILE, trace.bytes);
  // The view has a window around a run, its arrows, marks, a target, and taller lanes, some of which are out of sight.
  const run = longestRuns(trace).find(({ cpu }) => cpu < 8);
  if (!run) throw new Error('the fixture has runs on its first CPUs');
  await corelane.clickRun(run.cpu, (run.start + run.end) / 2);
  await corelane.press('f', 's', 's', 't', 't');
  await page.getByText('Target', { exact: true }).click();
  await corelane.write(page.getByRole('textbox', { name: /^Target/ }), run.comm.slice(0, 3));
  await page.getByRole('textbox', { name: /^Target/ }).blur();
  await corelane.hover(run.cpu, run.start);
  await corelane.press('Shift+A');
  await corelane.hover(run.cpu, run.end);
  await corelane.press('Shift+B', 'x');
  const view = await corelane.view();
  await expect(dialog(corelane).getByRole('img')).toBeVisible();

  const svg = await exported(corelane);
  expect(svg.name).toBe(`${trace.name}-timeline.svg`);
  expect(made(svg.command, svg.name).equals(svg.bytes), svg.command).toBe(true);

  // The preview is a picture of the file at the resolution that it states.
  const shown = dialog(corelane).getByText('the file differs from it in sharpness only');
  const [, dpi] = /Preview at (\d+) dpi/.exec(await shown.innerText()) ?? [];
  const preview = decodePng(Buffer.from(await dialog(corelane).getByRole('img').evaluate(bytesOfImage), 'base64'));
  const picture = decodePng(made(`${svg.command.replace(svg.name, 'preview.png')} --dpi ${dpi}`, 'preview.png'));
  expect([preview.width, preview.height]).toEqual([picture.width, picture.height]);
  expect(Buffer.from(preview.data).equals(Buffer.from(picture.data))).toBe(true);
  // The preview is no larger than its box in the dialog.
  expect(preview.width <= 900 && preview.height <= 560).toBe(true);
  expect(preview.width > 880 || preview.height > 540).toBe(true);

  await choose(corelane, 'PDF');
  const pdf = await exported(corelane);
  expect(pdf.bytes.toString('latin1', 0, 5)).toBe('%PDF-');
  expect(made(pdf.command, pdf.name).equals(pdf.bytes), pdf.command).toBe(true);

  // The file contains the view from which it was made.
  const fragment = /#v=1&[^<"\s]*/.exec(svg.bytes.toString())?.[0].replaceAll('&amp;', '&') ?? '';
  await page.keyboard.press('Escape');
  await corelane.press('0', 'Escape');
  await page.goto(`./?trace=${fragment}`);
  await corelane.choose(FILE, trace.bytes);
  const { window, colour, target, timeMarks, selection } = view;
  expect(await corelane.view()).toMatchObject({ window, colour, target, timeMarks, selection });
});

test('the wasm that makes figures is fetched for the first one', async ({ corelane }) => {
  const { page } = corelane;
  const modules = corelane.watchModules();
  const preview = page.getByRole('img', { name: /^The figure/ });
  await corelane.open('./?trace=sample');
  expect(modules).toContain('engine');
  expect(modules).not.toContain('figures');
  await corelane.press('x');
  await expect(preview).toBeVisible();
  expect(modules.filter((name) => name === 'figures')).toHaveLength(1);
  await page.keyboard.press('Escape');
  await expect(dialog(corelane)).toBeHidden();
  await corelane.press('x');
  await expect(preview).toBeVisible();
  expect(modules.filter((name) => name === 'figures')).toHaveLength(1);
});

test('the dialog works by keyboard alone; a PNG is as wide as asked for', async ({ corelane }) => {
  const { page } = corelane;
  await page.setViewportSize({ width: 900, height: 560 });
  await corelane.open('./?trace=sample');
  await corelane.press('Control+s');
  await expect(dialog(corelane)).toBeVisible();
  await expect(dialog(corelane).getByRole('img')).toBeVisible();
  const tabTo = async (name: string | RegExp, role: 'radio' | 'textbox' | 'button' = 'radio'): Promise<void> => {
    const wanted = dialog(corelane).getByRole(role, { name });
    for (let step = 0; step < 30; step++) {
      if (await wanted.evaluate((element) => element === document.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach ${name}`);
  };
  await tabTo('SVG');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(dialog(corelane).getByRole('radio', { name: 'PNG' })).toBeChecked();
  await tabTo('Resolution in dpi', 'textbox');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('254');
  await tabTo('Text');
  await page.keyboard.press('ArrowLeft');
  await expect(dialog(corelane).getByRole('textbox', { name: 'Width in mm' })).toHaveValue('85');
  await corelane.idle();
  await tabTo(/^Download PNG/, 'button');
  const download = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  const file = await download;
  expect(file.suggestedFilename()).toBe('sample-timeline.png');
  const picture = decodePng(readFileSync(await file.path()));
  // There are ten dots per millimetre.
  expect(picture.width).toBe(850);
  const colours = new Set<number>();
  for (let at = 0; at < picture.data.length; at += 4) {
    colours.add(((picture.data[at] ?? 0) << 16) | ((picture.data[at + 1] ?? 0) << 8) | (picture.data[at + 2] ?? 0));
  }
  expect(colours.size).toBeGreaterThan(8);
  await page.keyboard.press('Escape');
  await expect(dialog(corelane)).toBeHidden();
  await corelane.idle();
  // The choices are kept for the next figure, which shows what is then on the screen.
  await corelane.press('w', 'x');
  await expect(dialog(corelane).getByRole('radio', { name: 'PNG' })).toBeChecked();
  await expect(dialog(corelane).getByRole('textbox', { name: /command line/ })).toHaveValue(
    /^corelane figure timeline sample\.dat (?=.*-o sample-timeline\.png)(?=.*--min )(?=.*--width 85)(?=.*--dpi 254)/,
  );
});

test('with a filter, other runs are pale, as the command draws them', async ({ corelane }) => {
  const fork = truthOf('forkpipe-8cpu');
  const { page } = corelane;
  await corelane.open();
  await corelane.choose(`${fork.name}.dat`, fork.bytes);
  await page.goto(`${page.url()}&tasks=comm:wc`);
  await page.reload();
  await corelane.choose(`${fork.name}.dat`, fork.bytes);
  await page.locator('#filter').fill('sched_switch: next_pid & 1 && cpu == 2');
  await page.locator('#filter').blur();
  await corelane.idle();
  await corelane.press('x');
  await expect(dialog(corelane).getByRole('img')).toBeVisible();
  const svg = await exported(corelane);
  expect(svg.command).toContain("--filter 'sched_switch: next_pid & 1 && cpu == 2'");
  expect(svg.bytes.toString()).toContain('data-passes="no"');
  expect(made(svg.command, svg.name, fork).equals(svg.bytes), svg.command).toBe(true);
});

test('the counter is drawn as the command draws it, on the lanes of CPUs and tasks', async ({ corelane }) => {
  const fork = truthOf('forkpipe-8cpu');
  const { page } = corelane;
  await corelane.open();
  await corelane.choose(`${fork.name}.dat`, fork.bytes);
  await page.goto(`${page.url()}&counter=sched:sched_switch:next_prio&tasks=comm:wc`);
  await page.reload();
  await corelane.choose(`${fork.name}.dat`, fork.bytes);
  await corelane.press('x');
  await expect(dialog(corelane).getByRole('img')).toBeVisible();
  const lines = (svg: Buffer) => [...svg.toString().matchAll(/class="counter-line"/g)].length;
  const svg = await exported(corelane);
  expect(svg.command).toContain('--counter sched:sched_switch.next_prio');
  // One for the lanes of CPUs, and one for each task.
  expect(lines(svg.bytes)).toBeGreaterThan(2);
  expect(made(svg.command, svg.name, fork).equals(svg.bytes), svg.command).toBe(true);
  expect(svg.bytes.toString()).toContain('counter=sched:sched_switch:next_prio');

  await choose(corelane, 'Counter');
  const without = await exported(corelane);
  expect(without.command).not.toContain('--counter');
  expect(lines(without.bytes)).toBe(0);
});
