import type { CorelanePage } from './corelanePage';
import { expect, test } from './test';
import { type Spell, truthOf } from './truth';

const trace = truthOf('forkpipe-8cpu');

/** How long a task was in a state within a window. */
function timeIn(spells: readonly Spell[], state: Spell['state'], from: number, to: number): number {
  return spells
    .filter((spell) => spell.state === state)
    .reduce((sum, { start, end }) => sum + Math.max(0, Math.min(end, to) - Math.max(start, from)), 0);
}

const spellsOf = (pid: number, generation: number): Spell[] =>
  trace.spells.filter((spell) => spell.pid === pid && spell.generation === generation);

test('the tasks of a command have lanes, whose states are those of the text, at any zoom and from a link', async ({
  corelane,
}) => {
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  await corelane.page.getByRole('button', { name: 'Task lanes' }).click();
  const menu = corelane.page.getByRole('dialog', { name: 'Which tasks have lanes' });
  await menu.getByRole('textbox').fill('wc');
  await menu.getByRole('checkbox').first().check();
  await corelane.press('Escape');
  const expected = [...new Set(trace.spells.filter(({ comms }) => comms.has('wc')).map(({ pid }) => pid))];
  expect(expected.length).toBeGreaterThan(1);
  const check = async (): Promise<void> => {
    const { tasks, window, nsPerDevicePixel } = await corelane.drawState();
    expect(tasks?.lanes.map(({ pid }) => pid)).toEqual(expected.sort((a, b) => a - b));
    for (const { pid, generation, shares, columns } of tasks?.lanes ?? []) {
      const spells = spellsOf(pid, generation);
      for (const state of ['running', 'runnable'] as const) {
        const time = timeIn(spells, state, window.start, window.end);
        const drawn = shares[state] * (window.end - window.start);
        // Shares of buckets are rounded up by less than a 255th; a bucket is at most as wide as a column.
        expect(drawn).toBeGreaterThanOrEqual(time * 0.999 - 1);
        expect(drawn).toBeLessThanOrEqual(time * 1.001 + (columns[state] * 2 * nsPerDevicePixel) / 255 + 1);
        expect(columns[state] > 0).toBe(time > 0);
      }
    }
  };
  await check();
  const wait = trace.spells.find(({ state, pid, start, end }) => {
    return state === 'runnable' && expected.includes(pid) && end - start > 10_000 && start > trace.span * 0.1;
  }) as Spell;
  const { x, y } = await corelane.taskPlace(wait.pid, (wait.start + wait.end) / 2);
  await corelane.page.mouse.move(x, y);
  for (let turn = 0; turn < 3; turn++) await corelane.page.mouse.wheel(0, -1200);
  await corelane.idle();
  await check();
  const view = await corelane.view();
  const lanes = (await corelane.drawState()).tasks?.lanes;
  expect(corelane.page.url()).toContain('tasks=comm:wc');
  await corelane.page.reload();
  await corelane.choose(trace.name, trace.bytes);
  expect(await corelane.view()).toEqual(view);
  expect((await corelane.drawState()).tasks?.lanes).toEqual(lanes);
});

test('a filter fades the runs that it leaves out, and takes away the waits for them', async ({ corelane }) => {
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  // A task that ran on several CPUs; what it does on one of them passes.
  const ran = trace.spells.filter(({ state, cpu }) => state === 'running' && cpu !== undefined);
  const cpusOf = (of: number): Set<number | undefined> =>
    new Set(ran.flatMap(({ pid, cpu }) => (pid === of ? [cpu] : [])));
  const { pid, generation, cpu } = ran.find((run) => cpusOf(run.pid).size > 1) as Spell;
  const spells = spellsOf(pid, generation);
  // No switch is known to have begun what ran when the trace began.
  const begun = new Set(
    spells.flatMap((run) => (run.cpu === cpu && run.state === 'running' && run.start > 0 ? [run.start] : [])),
  );
  const passes = ({ state, start, end }: Spell): boolean => begun.has(state === 'running' ? start : end);
  await corelane.page.evaluate((field) => {
    location.hash += field;
  }, `&tasks=${pid}`);
  await corelane.page.locator('#filter').fill(`sched_switch: next_pid == ${pid} && cpu == ${cpu}`);
  await corelane.idle();
  const { tasks, window, nsPerDevicePixel } = await corelane.drawState();
  const lane = tasks?.lanes.find((one) => one.pid === pid && one.generation === generation);
  if (lane === undefined) throw new Error('the task has a lane');
  const time = (state: Spell['state'], are: boolean): number =>
    timeIn(
      spells.filter((one) => passes(one) === are),
      state,
      window.start,
      window.end,
    );
  for (const [share, expected] of [
    ['running', time('running', true)],
    ['others', time('running', false)],
    ['runnable', time('runnable', true)],
  ] as const) {
    const drawn = lane.shares[share] * (window.end - window.start);
    expect(drawn, share).toBeGreaterThanOrEqual(expected * 0.999 - 1);
    expect(drawn, share).toBeLessThanOrEqual(expected * 1.001 + (lane.columns[share] * 2 * nsPerDevicePixel) / 255 + 1);
  }
  expect(time('running', true)).toBeGreaterThan(0);
  expect(lane.columns.others).toBeGreaterThan(0);
});

test('a lane for the selected run’s task: what it waits for is said, and leads to its run', async ({ corelane }) => {
  const wait = trace.spells.find(({ state, cpu, start, end }) => {
    return state === 'runnable' && cpu !== undefined && end - start > 50_000 && start > trace.span * 0.3;
  }) as Spell;
  const run = trace.spells.find((spell) => {
    return spell.state === 'running' && spell.pid === wait.pid && spell.start === wait.end;
  }) as Spell;
  const { start, end } = wait;
  await openAt(corelane, start - 2 * (end - start), end + 3 * (end - start));
  await corelane.clickRun(run.cpu ?? 0, run.start + Math.min(run.end - run.start, end - start) / 2);
  expect((await corelane.view()).selection).toEqual({ cpu: run.cpu, start: run.start });
  await corelane.press('l');
  expect((await corelane.view()).tasks.tasks).toEqual([{ pid: wait.pid, generation: wait.generation }]);
  await corelane.press('Escape');
  const { x, y } = await corelane.taskPlace(wait.pid, (start + end) / 2);
  await corelane.page.mouse.move(x, y);
  await corelane.idle();
  await expect(corelane.status).toContainText(`${wait.pid} · runnable, waiting for`);
  await expect(corelane.status).toContainText(`${(start / 1e9).toFixed(9)} s, then on CPU ${run.cpu}`);
  await corelane.page.mouse.click(x, y);
  await corelane.idle();
  expect((await corelane.view()).selection).toEqual({ cpu: run.cpu, start: run.start });
  // Keys step through the states: from the run to the next state, and back.
  await corelane.press('.');
  await expect(corelane.status).toContainText(`running on CPU ${run.cpu}`);
  expect((await corelane.view()).selection).toEqual({ cpu: run.cpu, start: run.start });
  await corelane.press(',');
  await expect(corelane.status).toContainText('runnable, waiting for');
  await corelane.press('Delete');
  expect((await corelane.view()).tasks.tasks).toEqual([]);
  await expect(corelane.taskLanes).toHaveCount(0);
});

test('the tasks of a wakeup chain have lanes, and arrows from waker to wakee', async ({ corelane }) => {
  const { events, first } = trace.report;
  const found = trace.spells.flatMap((run) => {
    if (run.state !== 'running' || run.end - run.start < 200_000 || run.start < trace.span * 0.2) return [];
    const waking = events.findLast(({ kind, pid, t }) => {
      return kind === 'sched_waking' && pid === run.pid && t - first <= run.start;
    });
    const wait = trace.spells.find((spell) => {
      return spell.state === 'runnable' && spell.pid === run.pid && spell.end === run.start;
    });
    const slept = waking && wait && waking.t - first <= wait.start && waking.by !== 0 && waking.by !== run.pid;
    const waker = trace.spells.find((spell) => {
      return (
        spell.state === 'running' && spell.pid === waking?.by && spell.start <= run.start && spell.cpu === waking.cpu
      );
    });
    return slept && waker && wait.start - (waking.t - first) < 100_000
      ? [{ run, waker: waking.by, at: waking.t - first }]
      : [];
  })[0];
  if (!found) throw new Error('the fixture has tasks that wake tasks');
  await openAt(corelane, found.at - 500_000, found.run.end);
  await corelane.clickRun(found.run.cpu ?? 0, (found.run.start + found.run.end) / 2);
  await corelane.press('c');
  const pids = (await corelane.view()).tasks.tasks.map(({ pid }) => pid);
  expect(pids).toContain(found.run.pid);
  expect(pids).toContain(found.waker);
  expect((await corelane.drawState()).tasks?.arrows).toBeGreaterThan(0);
});

/** Opens the trace with a time window, by a link. */
async function openAt(corelane: CorelanePage, start: number, end: number): Promise<void> {
  const absolute = (time: number): string => {
    const at = trace.base + BigInt(Math.round(time));
    return `${at / 1_000_000_000n}.${`${at % 1_000_000_000n}`.padStart(9, '0')}`;
  };
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  const window = `&window=${absolute(start)}-${absolute(end)}`;
  await corelane.page.evaluate((field) => {
    location.hash += field;
  }, window);
  await corelane.idle();
}
