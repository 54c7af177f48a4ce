import { readFileSync } from 'node:fs';
import type { CorelanePage } from './corelanePage';
import { expect, test } from './test';
import { truthOf } from './truth';

const trace = truthOf('forkpipe-8cpu');
/** Two sockets of two cores with two threads; the second threads have the greater numbers. */
const LSCPU = `# The following is the parsable format, which can be fed to other
# CPU,Core,Socket,Node,,L1d,L1i,L2,L3
${[0, 1, 2, 3, 4, 5, 6, 7].map((cpu) => `${cpu},${cpu % 4},${Math.floor((cpu % 4) / 2)},0,,0,0,0,${Math.floor((cpu % 4) / 2)}`).join('\n')}
`;
const ORDER = [0, 4, 1, 5, 2, 6, 3, 7];
const socketOf = (cpu: number): number => Math.floor((cpu % 4) / 2);

/** Runs that begin on another CPU than their task's last run, and how many of them on another socket. */
function movesIn(window: { readonly start: number; readonly end: number }): { moves: number; far: number } {
  const runs = trace.intervals.filter(({ kind }) => kind === 'run').sort((a, b) => a.start - b.start);
  const last = new Map<number, number>();
  let [moves, far] = [0, 0];
  for (const { pid, cpu, start } of runs) {
    const from = last.get(pid) ?? cpu;
    last.set(pid, cpu);
    if (from === cpu || start < Math.floor(window.start) || start >= Math.ceil(window.end)) continue;
    moves++;
    if (socketOf(from) !== socketOf(cpu)) far++;
  }
  return { moves, far };
}

const dialog = (corelane: CorelanePage) => corelane.page.getByRole('dialog', { name: 'Topology of the machine' });
const control = (corelane: CorelanePage) => corelane.page.getByRole('button', { name: /^Topology/ });
const lanes = async (corelane: CorelanePage) => (await corelane.drawState()).lanes.map(({ cpu }) => cpu);

test('lscpu -p orders the lanes, brackets the sockets, marks far moves, and is kept', async ({ corelane }) => {
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  await control(corelane).click();
  await dialog(corelane).getByRole('textbox').fill(LSCPU);
  await expect(dialog(corelane)).toContainText('2 sockets × 1 LLC × 2 cores × 2 threads = 8 CPUs');
  await dialog(corelane).getByRole('button', { name: 'Use this topology' }).click();
  await corelane.idle();
  expect(await lanes(corelane)).toEqual(ORDER);
  const { brackets } = await corelane.drawState();
  expect(brackets.map(({ level, number }) => `${level} ${number}`)).toEqual(['socket 0', 'socket 1']);
  expect(corelane.page.url()).toContain('topology=2x2x2');

  // A click on a lane selects what that CPU ran.
  const run = trace.intervals.find(({ kind, cpu, start, end }) => kind === 'run' && cpu === 4 && end - start > 5e6);
  if (!run) throw new Error('the fixture has long runs on CPU 4');
  await corelane.clickRun(4, (run.start + run.end) / 2);
  expect((await corelane.view()).selection).toEqual({ cpu: 4, start: run.start });

  // The moves in sight are counted from the derived runs alone.
  await corelane.press('0');
  const { moves, far } = movesIn((await corelane.drawState()).window);
  expect(far).toBeGreaterThan(0);
  const [inAll, between] = [moves, far].map((count) => count.toLocaleString('en-US'));
  await expect(corelane.page.getByText(`${between} of ${inAll} moves crossed sockets`)).toBeVisible();
  // All of them are shown, or none if they would hide the lanes.
  expect((await corelane.drawState()).moves).toBe(moves > 1000 ? 0 : moves);
  await corelane.page.getByRole('checkbox', { name: 'Mark moves' }).uncheck();
  await corelane.idle();
  expect((await corelane.drawState()).moves).toBe(0);

  // The same file is opened again without a link: the browser has kept the topology.
  await corelane.open('./?trace=&again');
  await corelane.choose(trace.name, trace.bytes);
  expect(await lanes(corelane)).toEqual(ORDER);
});

test('a link’s topology wins; a tar is read; what does not fit is said', async ({ corelane }) => {
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  await control(corelane).click();
  await dialog(corelane).getByRole('textbox').fill('2x4');
  await expect(dialog(corelane)).toContainText('Not understood: 2x4; expected SOCKETSxCORESxTHREADS');
  // What the user typed is set as code, without backticks.
  await expect(dialog(corelane)).not.toContainText('`');
  await expect(dialog(corelane).getByRole('button', { name: 'Use this topology' })).toBeDisabled();
  const tar = readFileSync('tests/fixtures/topology/sockets2x4x2.tar.gz');
  await dialog(corelane)
    .locator('input[type=file]')
    .setInputFiles({ name: 'topology.tgz', mimeType: 'application/gzip', buffer: tar });
  await expect(dialog(corelane)).toContainText('2 sockets × 1 LLC × 4 cores × 2 threads = 16 CPUs, 1 NUMA node');
  await expect(dialog(corelane)).toContainText('8 CPUs of this machine: 8-15');
  await dialog(corelane).getByRole('button', { name: 'Use this topology' }).click();
  await corelane.idle();
  expect((await corelane.view()).topology.text).toBe('2x4x2,siblings,nodes:1');

  const { hash } = new URL(corelane.page.url());
  const other = hash.replace(/topology=[^&]*/, 'topology=2x2x1,alternate&order=topology');
  await corelane.open(`./?trace=${other}`);
  await corelane.choose(trace.name, trace.bytes);
  expect(await lanes(corelane)).toEqual([0, 2, 1, 3, 4, 5, 6, 7]);
  await corelane.page.getByRole('checkbox', { name: 'Order CPUs' }).uncheck();
  await corelane.idle();
  expect(await lanes(corelane)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(corelane.page.url()).toContain('order=number');

  await corelane.open(`./?trace=&bad${hash.replace(/topology=[^&]*/, 'topology=2x')}`);
  await corelane.choose(trace.name, trace.bytes);
  await expect(
    corelane.page.getByRole('paragraph').filter({ hasText: '“topology” in the URL was ignored' }),
  ).toBeVisible();
});
