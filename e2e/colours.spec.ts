import { commandColours, pidColour } from '../web/timeline/frame/colours';
import { sceneThemes } from '../web/timeline/frame/theme';
import type { CorelanePage } from './corelanePage';
import { colourAt, difference, parseColour } from './png';
import { expect, test } from './test';
import { longestRuns, type Run, truthOf } from './truth';

const trace = truthOf('barrier32-badplace');
/** A run in the middle of the barrier that is at least a pixel wide at any zoom. */
const barrier = longestRuns(trace).find(({ comm }) => comm === 'barrier') as Run;

test.beforeEach(async ({ corelane }) => {
  await corelane.open('./?trace=&graphics=webgl');
  await corelane.choose(trace.name, trace.bytes);
});

async function colourOf(corelane: CorelanePage, { cpu, start, end }: Run) {
  const { x, y } = await corelane.place(cpu, (start + end) / 2);
  const box = await corelane.box(corelane.lanes);
  return colourAt(await corelane.lanePicture(), x - box.x, y - box.y);
}

test('by PID: equal PIDs have equal colours, in light and dark', { tag: '@firefox' }, async ({ corelane }) => {
  expect(difference(await colourOf(corelane, barrier), parseColour(pidColour(barrier.pid, 'light')))).toBeLessThan(6);
  await corelane.page.getByRole('button', { name: 'Dark theme' }).click();
  await corelane.idle();
  expect(difference(await colourOf(corelane, barrier), parseColour(pidColour(barrier.pid, 'dark')))).toBeLessThan(6);
  const idle = trace.intervals.find(({ kind, end, start }) => kind === 'idle' && end - start > trace.span / 10) as Run;
  expect(await colourOf(corelane, idle)).toEqual(parseColour(sceneThemes.dark.background));
});

test('by command: all PIDs of a command have its colour, which is that of the table', async ({ corelane }) => {
  await corelane.page.getByText('Command', { exact: true }).first().click();
  await corelane.idle();
  const others = longestRuns(trace).filter(({ comm, pid }) => comm === 'barrier' && pid !== barrier.pid);
  const colour = await colourOf(corelane, barrier);
  expect(await colourOf(corelane, others[0])).toEqual(colour);
  await corelane.showCommands();
  const swatch = await corelane.command('barrier').locator('.swatch').getAttribute('style');
  const [r, g, b] = (swatch?.match(/\d+/g) ?? []).map(Number);
  expect(difference(colour, [r, g, b])).toBeLessThan(6);
  expect(commandColours(['barrier'], 'light')).toHaveLength(1);
});

test('by target: a double click makes a command the target; all others are black', async ({ corelane }) => {
  await corelane.showCommands();
  await corelane.command('barrier').dblclick();
  await corelane.idle();
  expect(await corelane.view()).toMatchObject({ colour: 'target', target: 'barrier', highlighted: [] });
  expect(difference(await colourOf(corelane, barrier), parseColour(pidColour(barrier.pid, 'light')))).toBeLessThan(6);
  await corelane.page.getByLabel('Target: beginning of a command name').fill('trace');
  await corelane.idle();
  const stranger = await colourOf(corelane, barrier);
  expect(difference(stranger, parseColour(sceneThemes.light.other))).toBeLessThan(24);
});

test('a highlighted command never vanishes, however far the trace is zoomed out', async ({ corelane }) => {
  // The command that ran for the shortest time.
  const [comm] = [...trace.numbers.commands].sort(([, a], [, b]) => a.execution - b.execution)[0];
  const runs = trace.intervals.filter((run) => run.comm === comm && run.kind === 'run');
  expect(Math.max(...runs.map(({ start, end }) => end - start))).toBeLessThan(trace.span / 5000);
  await corelane.showCommands();
  await corelane.commands.getByRole('columnheader', { name: 'Execution' }).getByRole('button').click();
  await corelane.command(comm).click();
  await corelane.idle();
  const { lanes, nsPerDevicePixel } = await corelane.drawState();
  for (const { cpu, highlighted } of lanes) {
    const columns = new Set(
      runs.filter((run) => run.cpu === cpu).map(({ start }) => Math.floor(start / nsPerDevicePixel)),
    );
    expect(highlighted > 0).toBe(columns.size > 0);
  }
  const run = runs[0];
  const picture = await corelane.lanePicture();
  const box = await corelane.box(corelane.lanes);
  const { x, y } = await corelane.place(run.cpu, run.start);
  const wanted = parseColour(pidColour(run.pid, 'light'));
  const nearest = Math.min(...[-1, 0, 1].map((dx) => difference(colourAt(picture, x - box.x + dx, y - box.y), wanted)));
  expect(nearest).toBeLessThan(6);
});

test('forked only leaves what was there before the trace began out', async ({ corelane }) => {
  const { events } = trace.report;
  const children = new Set(events.filter(({ kind }) => kind === 'sched_process_fork').map(({ next }) => next));
  await corelane.page.getByLabel('New tasks').check();
  await corelane.idle();
  const { lanes } = await corelane.drawState();
  for (const lane of lanes) {
    const ran = trace.intervals.some(({ cpu, pid, kind }) => cpu === lane.cpu && kind === 'run' && children.has(pid));
    expect(lane.busy > 0).toBe(ran);
  }
});

test('after the sleep, time 0 is its exit', async ({ corelane }) => {
  const { events, first } = trace.report;
  const exit = events.find(({ kind, comm }) => kind === 'sched_process_exit' && comm === 'sleep');
  if (!exit) throw new Error('the fixture begins with a sleep');
  await corelane.page.getByLabel('Skip sleep').check();
  await corelane.idle();
  expect((await corelane.drawState()).window).toEqual({ start: exit.t - first, end: trace.span });
  await corelane.clickRun(barrier.cpu, (barrier.start + barrier.end) / 2);
  const from = (barrier.start - (exit.t - first)) / 1e9;
  await expect(corelane.fact('From')).toContainText(`${from.toFixed(9)} s`);
});
