/** Counters: a number in an event's fields over time, as a line on the lanes. */
import { eventsOf } from './eventTruth';
import { expect, test } from './test';
import { truthOf } from './truth';

const trace = truthOf('forkpipe-8cpu');
const prios = eventsOf('forkpipe-8cpu')
  .filter(({ event }) => event === 'sched_switch')
  .map(({ cpu, at, fields }) => ({ cpu, at, prio: Number(/next_prio=(-?\d+)/.exec(fields)?.[1]) }));

test('a number of an event is a line on each lane with the extremes of all values, and in the URL', async ({
  corelane,
}) => {
  const { page } = corelane;
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  await page.getByRole('button', { name: /^Counter/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Which counter the lanes show' });
  await dialog.getByRole('textbox').fill('switch next_prio');
  await corelane.idle();
  await page.keyboard.press('Enter');
  await corelane.idle();
  const [least, greatest] = [Math.min(0, ...prios.map(({ prio }) => prio)), Math.max(...prios.map(({ prio }) => prio))];
  await expect(page.getByRole('note', { name: 'Counter' })).toContainText(
    `sched_switch next_prio: ${least} to ${greatest} on each lane`,
  );
  expect(page.url()).toContain('&counter=sched:sched_switch:next_prio');

  // At any zoom the greatest value of a lane is in sight, though it held for microseconds among hundreds of others.
  const { counter } = await corelane.drawState();
  expect(counter).toHaveLength(8);
  for (const { cpu, columns, most } of counter) {
    const here = prios.filter((prio) => prio.cpu === cpu);
    expect(columns > 0, `CPU ${cpu}`).toBe(here.length > 0);
    expect(most, `CPU ${cpu}`).toBe(Math.max(...here.map(({ prio }) => prio)));
  }
  // From the first value on the line goes to the end.
  const { plot, nsPerDevicePixel } = await corelane.drawState();
  const first = Math.min(...prios.filter(({ cpu }) => cpu === 5).map(({ at }) => at));
  const known = counter.find(({ cpu }) => cpu === 5)?.columns ?? 0;
  expect(Math.abs(known - (plot.width - first / nsPerDevicePixel))).toBeLessThan(3);

  await page.getByRole('button', { name: /^Counter/ }).click();
  await dialog.getByRole('button', { name: 'None' }).click();
  await corelane.idle();
  expect((await corelane.drawState()).counter).toEqual([]);
  expect(page.url()).not.toContain('counter=');
});

/** The greatest value of a counter for each task, by the text. */
function mostByTask(name: string, event: string, pid: (fields: string, writer: number) => number, value: RegExp) {
  const most = new Map<number, number>();
  for (const found of eventsOf(name)) {
    if (found.event !== event) continue;
    const who = pid(found.fields, found.pid);
    most.set(who, Math.max(most.get(who) ?? Number.NEGATIVE_INFINITY, Number(value.exec(found.fields)?.[1])));
  }
  return most;
}

const fieldOf = (pattern: RegExp) => (fields: string) => Number(pattern.exec(fields)?.[1]);

for (const { name, comm, counter, most } of [
  // Of the task that is switched to, of the one that is woken, and of the one that wrote the event.
  {
    name: 'forkpipe-8cpu',
    comm: 'wc',
    counter: 'sched:sched_switch:next_prio',
    most: mostByTask('forkpipe-8cpu', 'sched_switch', fieldOf(/next_pid=(\d+)/), /next_prio=(-?\d+)/),
  },
  {
    name: 'forkpipe-8cpu',
    comm: 'wc',
    counter: 'sched:sched_waking:target_cpu',
    most: mostByTask('forkpipe-8cpu', 'sched_waking', fieldOf(/ pid=(\d+)/), /target_cpu=(\d+)/),
  },
]) {
  test(`the lanes of tasks show the values of each task: ${counter}`, async ({ corelane }) => {
    const { bytes } = truthOf(name);
    await corelane.open();
    await corelane.choose(name, bytes);
    const { page } = corelane;
    await page.getByRole('button', { name: 'Task lanes' }).click();
    const tasks = page.getByRole('dialog', { name: 'Which tasks have lanes' });
    await tasks.getByRole('textbox').fill(comm);
    await tasks.getByRole('checkbox').first().check();
    await corelane.press('Escape');
    await page.getByRole('button', { name: /^Counter/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Which counter the lanes show' });
    await dialog.getByRole('textbox').fill(counter.split(':').slice(1).join(' '));
    await corelane.idle();
    await page.keyboard.press('Enter');
    await corelane.idle();
    const lanes = (await corelane.drawState()).tasks?.lanes ?? [];
    expect(lanes.length).toBeGreaterThan(1);
    for (const { pid, counter: line } of lanes) {
      expect(line.columns > 0, `PID ${pid}`).toBe(most.has(pid));
      expect(line.most, `PID ${pid}`).toBe(most.get(pid) ?? 0);
    }
    expect(lanes.some(({ counter: line }) => line.most > 0)).toBe(true);
  });
}
