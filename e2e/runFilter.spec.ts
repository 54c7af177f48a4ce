/** The filter acts on all that is drawn and listed: runs for which no event stands that passes are dimmed, and left out. */
import { eventsOf, type TrueEvent } from './eventTruth';
import { expect, test } from './test';
import { type Run, truthOf } from './truth';

const trace = truthOf('forkpipe-8cpu');
const all = eventsOf('forkpipe-8cpu');

const field = ({ fields }: TrueEvent, name: string): string =>
  new RegExp(`(?:^| )${name}=(.*?)(?= [a-z_]+=|$)`).exec(fields)?.[1] ?? '';
const begins = (run: Run): TrueEvent | undefined =>
  all.find(
    (event) =>
      event.event === 'sched_switch' &&
      event.cpu === run.cpu &&
      event.at === run.start &&
      Number(field(event, 'next_pid')) === run.pid,
  );

/** The most of some runs that there are at one time. */
function mostAtOnce(runs: readonly Run[]): number {
  const changes = runs.flatMap(({ start, end }) => [
    { at: start, by: 1 },
    { at: end, by: -1 },
  ]);
  let [now, most] = [0, 0];
  for (const { by } of changes.sort((a, b) => a.at - b.at || a.by - b.by)) {
    now += by;
    most = Math.max(most, now);
  }
  return most;
}

test.beforeEach(async ({ corelane }) => {
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
});

test('lanes, curve, tables and findings are of the runs that pass, and it is said so', async ({ corelane }) => {
  const { page } = corelane;
  // Tasks with uneven numbers: some of each command.
  const isUneven = (event: TrueEvent | undefined): boolean =>
    event !== undefined && (Number(field(event, 'next_pid')) & 1) === 1;
  const passing = trace.intervals.filter((run) => run.kind === 'run' && isUneven(begins(run)));
  // A run goes on under another name where its task executes a program.
  const goesOn = (run: Run): boolean =>
    run.kind === 'run' &&
    begins(run) === undefined &&
    trace.intervals.some(({ cpu, pid, end }) => cpu === run.cpu && pid === run.pid && end === run.start);
  const parts = trace.intervals.filter((run) => passing.includes(run) || (goesOn(run) && run.pid % 2 === 1));
  expect(passing.length).toBeGreaterThan(100);
  const before = await corelane.drawState();
  await page.locator('#filter').fill('sched_switch: next_pid & 1');
  await corelane.idle();
  const box = page.getByRole('search', { name: 'Filter' });
  // Each such switch begins a run, though it may last for no time.
  const count = all.filter((event) => event.event === 'sched_switch' && isUneven(event)).length.toLocaleString('en');
  await expect(box).toContainText(`${count} events in ${count} runs`);

  // A lane stands out where runs pass, and only there; the rest is drawn as before, but dimmed.
  const after = await corelane.drawState();
  for (const { cpu, highlighted, busy } of after.lanes) {
    const there = passing.some((run) => run.cpu === cpu);
    expect(highlighted > 0, `CPU ${cpu}`).toBe(there);
    expect(highlighted).toBeLessThanOrEqual(busy);
    // A highlighted run has a pixel at any zoom, also where it was hidden before.
    expect(busy).toBeGreaterThanOrEqual(before.lanes.find((lane) => lane.cpu === cpu)?.busy ?? 0);
  }
  expect(after.curve?.mostRunning).toBe(mostAtOnce(parts));
  expect(after.curve?.mostRunning).toBeLessThan(before.curve?.mostRunning ?? 0);

  // The commands, from the text of the trace.
  const commands = page.getByRole('region', { name: 'Commands' });
  const expected = new Set(parts.map(({ comm }) => comm));
  // Of a run that lasts for no time there is a row, too.
  for (const event of all)
    if (event.event === 'sched_switch' && isUneven(event)) expected.add(field(event, 'next_comm'));
  await expect(corelane.commands).toHaveAttribute('aria-rowcount', `${expected.size + 1}`);
  await expect(commands).toContainText('runs that pass the filter');
  await expect(corelane.details).toContainText('runs that pass the filter');
  await expect(page.getByRole('region', { name: 'Running and waiting tasks' })).toContainText('pass the filter');

  // The link holds it; without the filter, all is as before.
  await page.reload();
  await corelane.choose(trace.name, trace.bytes);
  await expect(box).toContainText(`in ${count} runs`);
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  await corelane.idle();
  const cleared = await corelane.drawState();
  expect(cleared.curve?.mostRunning).toBe(before.curve?.mostRunning);
  expect(cleared.lanes.every(({ highlighted }) => highlighted === 0)).toBe(true);
  await expect(commands).not.toContainText('pass the filter');
});

test('wakeups that left their socket are one line', async ({ corelane }) => {
  const { page } = corelane;
  await page.getByRole('button', { name: /^Topology/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Topology of the machine' });
  await dialog.getByRole('textbox').fill('2x4x1');
  await dialog.getByRole('button', { name: 'Use this topology' }).click();
  await corelane.idle();
  const socketOf = (cpu: number): number => Math.floor(cpu / 4);
  // Where each task ran last before the event, from the derived runs alone.
  const runs = trace.intervals.filter(({ kind }) => kind === 'run').sort((a, b) => a.start - b.start);
  const last = (pid: number, before: number): number | undefined =>
    runs.findLast((run) => run.pid === pid && run.start < before)?.cpu;
  const far = (woken: TrueEvent): boolean => {
    const from = last(Number(field(woken, 'pid')), woken.at);
    return from !== undefined && socketOf(from) !== socketOf(Number(field(woken, 'target_cpu')));
  };
  const found = all.filter((event) => event.event === 'sched_wakeup' && far(event));
  expect(found.length).toBeGreaterThan(0);
  await page.locator('#filter').fill('sched_wakeup: distance == machine');
  await corelane.idle();
  const box = page.getByRole('search', { name: 'Filter' });
  await expect(box).toContainText(`${found.length.toLocaleString('en')} event`);
  // By number: the same place of the field.
  await page
    .locator('#filter')
    .fill('sched_wakeup: orig_cpu < 4 && target_cpu >= 4 || orig_cpu >= 4 && target_cpu < 4');
  await corelane.idle();
  await expect(box).toContainText(`${found.length.toLocaleString('en')} event`);
});
