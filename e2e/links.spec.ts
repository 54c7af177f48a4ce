import { CorelanePage } from './corelanePage';
import { differingPixels } from './png';
import { expect, test } from './test';
import { longestRuns, truthOf } from './truth';

const trace = truthOf('forkpipe-8cpu');

test('a reload shows the same pixels', { tag: '@firefox' }, async ({ corelane }) => {
  // WebGL and 2D draw curves with slightly different pixels, and which of them is faster may differ from load to load.
  await corelane.open('./?trace=sample&graphics=webgl');
  const { x, y } = await corelane.place(3, (await corelane.drawState()).window.end * 0.6);
  await corelane.page.mouse.move(x, y);
  for (let step = 0; step < 6; step++) await corelane.page.mouse.wheel(0, -240);
  await corelane.page.getByText('Command', { exact: true }).first().click();
  await corelane.press('.');
  const view = await corelane.view();
  const lanes = await corelane.lanePicture();
  const running = await corelane.picture(corelane.running);
  const url = corelane.page.url();
  expect(new URL(url).hash.length).toBeLessThan(2000);
  await corelane.page.reload();
  await corelane.idle();
  expect(await corelane.view()).toEqual(view);
  expect(corelane.page.url()).toBe(url);
  expect(differingPixels(await corelane.lanePicture(), lanes)).toBe(0);
  expect(differingPixels(await corelane.picture(corelane.running), running)).toBe(0);
});

test('the URL holds absolute trace times, as trace-cmd prints them', async ({ corelane }) => {
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  const run = longestRuns(trace)[0];
  await corelane.clickRun(run.cpu, (run.start + run.end) / 2);
  const start = trace.base + BigInt(run.start);
  const text = `${start / 1_000_000_000n}.${(start % 1_000_000_000n).toString().padStart(9, '0')}`;
  expect(corelane.page.url()).toContain(`select=${run.cpu}@${text}`);
});

test('back and forward go through views, and are undone and redone as other changes are', async ({ corelane }) => {
  await corelane.open('./?trace=sample');
  const start = await corelane.view();
  await corelane.page.getByText('Command', { exact: true }).first().click();
  await corelane.press('.');
  const selected = await corelane.view();
  expect(selected.selection).not.toBeNull();
  await corelane.page.goBack();
  await corelane.idle();
  expect(await corelane.view()).toMatchObject({ colour: 'command', selection: null });
  await corelane.press('Control+z');
  expect(await corelane.view()).toEqual(selected);
  await corelane.press('Control+y');
  await corelane.page.goBack();
  await corelane.idle();
  expect(await corelane.view()).toEqual(start);
  await corelane.page.goForward();
  await corelane.page.goForward();
  await corelane.idle();
  expect(await corelane.view()).toEqual(selected);
});

test('a link to a file asks for that file, by name, and then shows the view', async ({ corelane, context }) => {
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  await corelane.press('w', 'w');
  await corelane.page.getByText('Command', { exact: true }).first().click();
  await corelane.idle();
  const view = await corelane.view();
  const other = await context.newPage();
  const elsewhere = new CorelanePage(other);
  await elsewhere.open(corelane.page.url());
  await expect(other.getByRole('region', { name: 'Trace wanted' })).toContainText(trace.name);
  await elsewhere.choose('renamed.dat', trace.bytes);
  expect(await elsewhere.view()).toEqual(view);
  await expect(other.locator('.notice')).toHaveCount(0);
});

test('a wrong file is named as such, and the view applies where it fits', async ({ corelane }) => {
  const wrong = truthOf('barrier-i686');
  await corelane.open('./#v=1&trace=mine.dat&fp=0123456789abcdef&colour=command&select=77@1.5');
  await corelane.choose(wrong.name, wrong.bytes);
  const notices = corelane.page.locator('.notices');
  await expect(notices).toContainText('This is another trace');
  await expect(notices).toContainText('mine.dat');
  await expect(notices).toContainText('CPU 77');
  await expect(notices.locator('.notice')).toHaveCount(1);
  expect(await corelane.view()).toMatchObject({ colour: 'command', selection: null });
});

test('a bad field is reported and ignored, the others apply', async ({ corelane }) => {
  await corelane.open('./?trace=sample#v=1&colour=command&window=banana&lanes=2,1');
  await expect(corelane.page.locator('.notices')).toContainText('“window” in the URL was ignored');
  expect(await corelane.view()).toMatchObject({ colour: 'command', window: null, laneScale: 2, laneScroll: 1 });
});

test('a field that no view has is reported', async ({ corelane }) => {
  await corelane.open('./?trace=sample#v=1&colour=command&windo=1-2&select=banana');
  const notices = corelane.page.locator('.notice');
  await expect(notices).toHaveCount(1);
  await expect(notices).toContainText('“windo” in the URL was ignored');
  await expect(notices).toContainText('“select” in the URL was ignored');
  expect(await corelane.view()).toMatchObject({ colour: 'command' });
});

test('a view of another version is reported', async ({ corelane }) => {
  await corelane.open('./?trace=sample#v=99&colour=command');
  await expect(corelane.page.locator('.notices')).toContainText('version 99');
  expect(await corelane.view()).toMatchObject({ colour: 'pid' });
});

test('a trace opens from a URL', async ({ corelane }) => {
  await corelane.page.route('**/elsewhere/mine.dat', (route) => route.fulfill({ body: trace.bytes }));
  await corelane.open('./?trace=elsewhere/mine.dat');
  expect(await corelane.title()).toContain('mine.dat');
  expect((await corelane.drawState()).window.end).toBe(trace.span);
  expect(corelane.page.url()).toContain('?trace=elsewhere/mine.dat#v=1');
});

test.describe('a URL without a trace', () => {
  test.use({ allowErrors: true });

  test('is told so', async ({ corelane }) => {
    await corelane.open('./?trace=missing.dat');
    await expect(corelane.page.getByRole('alert')).toContainText('missing.dat');
    await corelane.page.getByRole('button', { name: 'Open the sample' }).click();
    await corelane.idle();
    expect(await corelane.title()).toContain('sample.dat');
  });
});
