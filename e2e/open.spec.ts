import type { Route } from '@playwright/test';
import { servePage } from '../scripts/lib/pageServer.mjs';
import { longTrace } from './longTrace';
import { decodePng, pixels } from './png';
import { expect, test } from './test';
import { longestRuns, truthOf } from './truth';

const forkpipe = truthOf('forkpipe-8cpu');

/** Serves the page, whose scan workers do not begin before they are released, but for the first `free` ones. */
async function serveHeld(free: number) {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let scanWorkers = 0;
  const { url, close } = await servePage({
    change: async (path, body) => {
      if (path.includes('scanWorker') && free < ++scanWorkers) await released;
      return body;
    },
  });
  return { url, close, release };
}

test('the sample opens by itself, with all lanes on the screen', async ({ corelane }) => {
  await corelane.open('./');
  expect(await corelane.title()).toContain('sample.dat');
  const { lanes, plot, curve } = await corelane.drawState();
  expect(lanes.length).toBeGreaterThanOrEqual(32);
  for (const lane of lanes) {
    expect(lane.top).toBeGreaterThanOrEqual(plot.top - 0.5);
    expect(lane.top + lane.height).toBeLessThanOrEqual(plot.top + plot.height + 0.5);
  }
  expect(lanes.filter(({ busy }) => busy > 0).length).toBeGreaterThanOrEqual(32);
  expect(curve?.mostRunnable).toBeGreaterThan(32);
  expect(corelane.page.url()).toContain('?trace=sample#v=1');
});

test('a dropped file opens, and shows what trace-cmd says', { tag: '@firefox' }, async ({ corelane }) => {
  await corelane.open();
  await corelane.drop(forkpipe.name, forkpipe.bytes);
  expect(await corelane.title()).toContain(forkpipe.name);
  const { lanes, window } = await corelane.drawState();
  expect(window).toEqual({ start: 0, end: forkpipe.span });
  for (const lane of lanes) {
    const busy = forkpipe.numbers.stats.busy_ns_per_cpu[lane.cpu] ?? 0;
    // The fill of a column is one of 31 steps, rounded up.
    expect(lane.fill).toBeGreaterThanOrEqual(busy / forkpipe.span - 0.002);
    expect(lane.fill).toBeLessThanOrEqual(busy / forkpipe.span + 0.04);
  }
});

test('the commands table holds the numbers of trace-cmd’s text', async ({ corelane }) => {
  await corelane.open();
  await corelane.choose(forkpipe.name, forkpipe.bytes);
  await corelane.showCommands();
  await expect(corelane.commands).toHaveAttribute('aria-rowcount', `${forkpipe.numbers.commands.size + 1}`);
  const longest = [...forkpipe.numbers.commands].sort(([, a], [, b]) => b.execution - a.execution).slice(0, 8);
  for (const [comm, { switchesTo, pids }] of longest) {
    const cells = corelane.command(comm).getByRole('gridcell');
    await expect(cells.nth(3)).toHaveText(switchesTo.toLocaleString('en-GB'));
    await expect(cells.nth(4)).toHaveText(`${pids.size}`);
  }
});

test('a second trace replaces the first; going back opens the first again', async ({ corelane }) => {
  const other = truthOf('barrier-i686');
  await corelane.open();
  await corelane.choose(forkpipe.name, forkpipe.bytes);
  await corelane.press('w', 'w');
  await corelane.choose(other.name, other.bytes);
  expect(await corelane.title()).toContain(other.name);
  expect((await corelane.drawState()).lanes).toHaveLength(other.cpus);
  expect((await corelane.drawState()).window.end).toBe(other.span);
  expect(corelane.page.workers().filter((worker) => worker.url().includes('worker'))).not.toHaveLength(0);
  await corelane.page.goBack();
  await corelane.idle();
  expect(await corelane.title()).toContain(forkpipe.name);
  const { start, end } = (await corelane.drawState()).window;
  expect(end - start).toBeLessThan(forkpipe.span);
});

test('128 CPUs fit on one screen, each with what it did', { tag: '@firefox' }, async ({ corelane }) => {
  const big = truthOf('barrier128-after-sleep');
  await corelane.page.setViewportSize({ width: 1600, height: 900 });
  await corelane.open();
  await corelane.choose(big.name, big.bytes);
  const { lanes, plot } = await corelane.drawState();
  expect(lanes).toHaveLength(128);
  expect((lanes.at(-1)?.top ?? 0) + (lanes.at(-1)?.height ?? 0)).toBeLessThanOrEqual(plot.top + plot.height + 0.5);
  for (const lane of lanes) {
    const ran = big.intervals.some(({ cpu, kind }) => cpu === lane.cpu && kind === 'run');
    expect(lane.busy > 0).toBe(ran);
  }
});

test('loading can be cancelled, and the page goes on', async ({ corelane }) => {
  await corelane.page.route('**/never.dat', () => {});
  await corelane.page.goto('./?trace=never.dat');
  await expect(corelane.page.getByRole('region', { name: 'Loading' })).toContainText('never.dat');
  await corelane.page.getByRole('button', { name: 'Cancel' }).click();
  await expect(corelane.page.getByRole('region', { name: 'No trace' })).toBeVisible();
  await expect.poll(() => corelane.page.workers().length).toBe(0);
  await corelane.choose(forkpipe.name, forkpipe.bytes);
  expect(await corelane.title()).toContain(forkpipe.name);
});

test('the lanes of a link are drawn before the parts of the page that come later', async ({ corelane }) => {
  const { page } = corelane;
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/assets/laterParts-*', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto('./?trace=sample');
  await expect
    .poll(async () => {
      const { plot, lanes } = await corelane.drawState();
      return plot.width > 400 && lanes.filter(({ busy }) => busy > 0).length >= 32;
    })
    .toBe(true);
  // The panes have their shape already.
  const shape = async () => {
    const { plot } = await corelane.drawState();
    const { height } = await corelane.box(page.locator('.pane-head').first());
    return { top: plot.top, width: plot.width, head: height };
  };
  const before = await shape();
  release();
  await corelane.idle();
  expect(await shape()).toEqual(before);
});

test('an opening that fails or is cancelled leaves the open trace within reach, with its view', async ({
  corelane,
}) => {
  const { page } = corelane;
  await corelane.open();
  await corelane.choose(forkpipe.name, forkpipe.bytes);
  const [run] = longestRuns(forkpipe);
  await corelane.clickRun(run.cpu, (run.start + run.end) / 2);
  await corelane.press('f');
  const view = await corelane.view();
  expect(view.selection).not.toBeNull();
  await corelane.choose('notes.txt', Buffer.from('no trace at all'));
  await expect(page.getByRole('alert')).toContainText('not a trace');
  await page.getByRole('button', { name: `Back to ${forkpipe.name}` }).click();
  await corelane.idle();
  expect(await corelane.view()).toEqual(view);
  // Nothing is scanned until the opening was cancelled.
  const held: Route[] = [];
  await page.route('**/assets/scanWorker-*.js', (route) => void held.push(route));
  await page.locator('#trace-file').setInputFiles({
    name: 'long.dat',
    mimeType: '',
    buffer: longTrace('b510-barrier-8cpu', 60),
  });
  await expect(page.getByRole('region', { name: 'Loading' })).toContainText('long.dat');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.unroute('**/assets/scanWorker-*.js');
  // The workers of the cancelled opening have ended.
  await Promise.all(held.map((route) => route.continue().catch(() => undefined)));
  await expect.poll(() => corelane.title()).toContain(forkpipe.name);
  await corelane.idle();
  expect(await corelane.view()).toEqual(view);
});

test('a worker that ends by itself is told of, with a way on', async ({ corelane }) => {
  const { page } = corelane;
  await corelane.open('./?trace=sample');
  // The engine's worker is the one that was started first.
  const engine = page.workers()[0];
  await engine?.evaluate(() => self.close()).catch(() => undefined);
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('The engine stopped');
  await expect(alert.getByText('What to do')).toBeVisible();
});

test('a worker whose lock is granted late is not taken for dead', async ({ corelane }) => {
  // The browser's main process grants locks; it may be busy while the worker already sends its first message.
  const late = `{
    const request = navigator.locks.request.bind(navigator.locks);
    navigator.locks.request = (...args) => new Promise((resolve) => setTimeout(resolve, 1000)).then(() => request(...args));
  }`;
  await corelane.page.route('**/assets/worker-*.js', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${late}\n${await response.text()}` });
  });
  await corelane.open('./?trace=sample');
  await expect(corelane.page.getByRole('alert')).toHaveCount(0);
  expect((await corelane.drawState()).lanes.length).toBeGreaterThan(0);
});

test('before a trace is scanned, the whole time range has a picture that says what is not exact', async ({
  corelane,
}) => {
  const { page } = corelane;
  const server = await serveHeld(0);
  await corelane.open(`${server.url}?trace=`);
  const bytes = longTrace('b510-barrier-8cpu', 60);
  await page.locator('#trace-file').setInputFiles({ name: 'long.dat', mimeType: '', buffer: bytes });
  const inferred = async () => (await corelane.drawState()).lanes.filter((lane) => lane.inferred > 0).length;
  await expect.poll(inferred).toBe(8);
  // How many tasks run is known for all CPUs together only: a line on the ground would say that none does.
  const running = async () => pixels(decodePng(await corelane.running.screenshot()), '#00785a');
  expect(await running()).toBeLessThan(200);
  const whole = (await corelane.drawState()).window;
  // The picture can be moved and zoomed meanwhile.
  await page.keyboard.press('w');
  await page.keyboard.press('w');
  await expect
    .poll(async () => {
      const { start, end } = (await corelane.drawState()).window;
      return (end - start) / (whole.end - whole.start);
    })
    .toBeLessThan(0.6);
  await expect(page.getByRole('region', { name: 'Loading' })).toBeVisible();
  const { window } = await corelane.view();
  server.release();
  await corelane.idle();
  const after = (await corelane.view()).window;
  expect(after?.start).toBeCloseTo(window?.start ?? 0, -1);
  expect(after?.end).toBeCloseTo(window?.end ?? 0, -1);
  await corelane.press('0');
  const { window: opened, lanes } = await corelane.drawState();
  expect(opened).toEqual(whole);
  expect(lanes.every((lane) => lane.inferred < lane.busy)).toBe(true);
  expect(await running()).toBeGreaterThan(1000);
  server.close();
});

test('while a trace loads, a run that was read can be hovered, clicked and stepped from; the rest comes when it is open', async ({
  corelane,
}) => {
  const { page, details, status } = corelane;
  // One reads all but what the others were given.
  const server = await serveHeld(1);
  await corelane.open(`${server.url}?trace=`);
  const name = 'b510-barrier-8cpu';
  const [times, truth] = [60, truthOf(name)];
  await page.locator('#trace-file').setInputFiles({ name: 'long.dat', mimeType: '', buffer: longTrace(name, times) });
  const read = async () => (await corelane.drawState()).lanes.filter(({ inferred, busy }) => inferred < busy);
  await expect.poll(async () => (await read()).length).toBeGreaterThan(3);
  const cpus = (await read()).map(({ cpu }) => cpu);
  const run = longestRuns(truth).find(({ cpu, start }) => cpus.includes(cpu) && 0 < start);
  if (run === undefined) throw new Error('no run on the CPUs that were read');
  // In one of the middle repetitions.
  const later = (times / 2) * (truth.span + 1000);
  const middle = later + (run.start + run.end) / 2;
  const whole = await corelane.place(run.cpu, middle);
  await page.mouse.move(whole.x, whole.y);
  for (let turn = 0; turn < 6; turn++) await page.mouse.wheel(0, -400);
  const width = async () => {
    const { window } = await corelane.drawState();
    return (window.end - window.start) / truth.span;
  };
  await expect.poll(width).toBeLessThan(0.2);
  await expect.poll(async () => (await corelane.drawState()).runLabels).toBeGreaterThan(0);
  const place = await corelane.place(run.cpu, middle);
  await page.mouse.move(place.x, place.y);
  const task = `${run.comm} ${run.pid}`;
  await expect(status).toContainText(`CPU ${run.cpu} · ${task} for`);
  await expect(page.locator('.hover-card')).toContainText(task);
  await page.mouse.click(place.x, place.y);
  await expect(details).toContainText(`${task}on CPU ${run.cpu}`);
  await expect(details).toContainText('are known once the trace is open');
  const digits = (ns: number) => new Intl.NumberFormat('en', { minimumFractionDigits: 9 }).format(ns / 1e9);
  await expect(details).toContainText(digits(later + run.start));
  await expect(details).toContainText(digits(later + run.end));
  await page.keyboard.press('.');
  const next = truth.intervals.find(({ cpu, start, kind }) => cpu === run.cpu && kind === 'run' && run.end <= start);
  await expect(details).toContainText(next ? `${next.comm} ${next.pid}on CPU ${run.cpu}` : '?');
  await page.keyboard.press(',');
  await expect(details).toContainText(`${task}on CPU ${run.cpu}`);
  await expect(page.getByRole('region', { name: 'Loading' })).toBeVisible();
  server.release();
  await corelane.idle();
  await expect(details).toContainText(`${task}on CPU ${run.cpu}`);
  await expect(details).toContainText('Stopped');
  expect((await corelane.view()).selection).toEqual({ cpu: run.cpu, start: later + run.start });
  server.close();
});

test('of many CPUs lanes have the colours of commands while the trace loads, which stay', async ({ corelane }) => {
  const { page } = corelane;
  await page.setViewportSize({ width: 1600, height: 900 });
  // One reads all but what the others were given.
  const server = await serveHeld(1);
  await corelane.open(`${server.url}?trace=`);
  const { name, bytes } = truthOf('barrier128-after-sleep');
  await page.locator('#trace-file').setInputFiles({ name, mimeType: '', buffer: bytes });
  const read = async () => (await corelane.drawState()).lanes.filter(({ inferred, busy }) => inferred < busy);
  await expect.poll(async () => (await read()).length).toBeGreaterThan(100);
  await page.getByText('Command', { exact: true }).first().click();
  await page.evaluate(() => new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown))));
  expect((await corelane.view()).colour).toBe('command');
  const lanes = await read();
  const early = decodePng(await corelane.lanes.screenshot());
  server.release();
  await corelane.idle();
  expect((await corelane.view()).colour).toBe('command');
  const opened = await corelane.lanePicture();
  const { plot } = await corelane.drawState();
  const colours = new Set<string>();
  let [same, all] = [0, 0];
  for (const lane of lanes) {
    const row = Math.floor(lane.top + lane.height / 2) * opened.width;
    for (let x = Math.ceil(plot.left); x < plot.left + plot.width; x++) {
      const at = 4 * (row + x);
      const [before, after] = [early, opened].map(({ data }) => data.subarray(at, at + 3).join());
      // Where nothing runs, there is no colour to be compared.
      if (after === '255,255,255') continue;
      all++;
      if (before === after) same++;
      colours.add(after ?? '');
    }
  }
  expect(colours.size).toBeGreaterThan(3);
  expect(all).toBeGreaterThan(5000);
  expect(same / all).toBeGreaterThan(0.95);
  server.close();
});

test('the list of events comes later, and nothing is drawn again for it', async ({ corelane }) => {
  let list = (): void => {};
  const listed = new Promise<void>((resolve) => {
    list = resolve;
  });
  const server = await servePage({
    change: async (path, body) => {
      if (path.includes('eventsWorker')) await listed;
      return body;
    },
  });
  await corelane.open(`${server.url}?trace=sample#v=1&tab=sched_ext`);
  // The tab says whether the list is there.
  const { details } = corelane;
  await expect(details).toContainText('once the list of events is there');
  const { drawn } = await corelane.drawState();
  list();
  await expect(details).toContainText('The trace has no events of sched_ext');
  await corelane.idle();
  expect((await corelane.drawState()).drawn).toEqual(drawn);
  server.close();
});
