/** The filter acts on all that is drawn and listed: runs for which no event stands that passes are dimmed, and left out. */
import { copied } from './copied';
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
  await corelane.showCommands();
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
  await corelane.showCommands();
  await expect(commands).not.toContainText('pass the filter');
});

test('a filter that no run passes finds nothing, and calls nothing good', async ({ corelane }) => {
  const { page } = corelane;
  const headline = page.getByRole('note', { name: 'Headline' });
  await expect(headline).toContainText('while CPUs');
  await page.locator('#filter').fill('sched_switch: next_comm == "none has this"');
  await corelane.idle();
  for (const place of [headline, corelane.details, page.getByRole('region', { name: 'Running and waiting tasks' })]) {
    await expect(place).toContainText('No run passes the filter.');
  }
  await expect(page.locator('body')).not.toContainText(/No task queued|Nothing was found|Of 0 runs/);
  await headline.getByRole('button', { name: 'Clear the filter, which no run passes' }).click();
  await corelane.idle();
  expect((await corelane.view()).filter).toBe('');
  await expect(headline).toContainText('while CPUs');
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

test('relations and durations against time are of the runs that pass; what shows all says why', async ({
  corelane,
}) => {
  const { details, page } = corelane;
  const { story } = trace.derived;
  await corelane.openTab('Relations');
  await details.getByText('CPUs', { exact: true }).first().click();
  await page.locator('#filter').fill('sched_switch: next_pid & 1');
  await corelane.idle();
  // The wakeups that led to a switch to a task with an uneven number, by the text of the trace.
  const ledTo = (cpu: number, at: number): TrueEvent | undefined =>
    all.find((event) => event.event === 'sched_switch' && event.cpu === cpu && event.at === at);
  const expected = new Map<string, number>();
  for (const { wakeup, cpu, since, ns } of story.latencies) {
    const woken = ledTo(cpu, since + ns - trace.report.first);
    if (woken === undefined || (Number(field(woken, 'next_pid')) & 1) === 0) continue;
    const pair = `CPU ${wakeup.wakerCpu} to CPU ${cpu}`;
    expected.set(pair, (expected.get(pair) ?? 0) + 1);
  }
  const count = [...expected.values()].reduce((sum, some) => sum + some, 0);
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThan(story.latencies.length);
  const rows = await copied(corelane, 'wakeups by pair');
  expect(new Map(rows.map((row) => [`${row.from} to ${row.to}`, Number(row.count)]))).toEqual(expected);
  await expect(details).toContainText('runs that pass the filter');

  // Each point of the durations against time leads to a run that passes.
  const points = details.getByRole('slider', { name: 'Durations against time: point' });
  for (let step = 0; step < 3; step++) {
    await corelane.openTab('Latency');
    await corelane.idle();
    await points.focus();
    for (let more = 0; more < step; more++) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await corelane.idle();
    const { selection } = await corelane.view();
    const run = ledTo(selection?.cpu ?? -1, selection?.start ?? -1);
    expect(run && Number(field(run, 'next_pid')) & 1).toBe(1);
  }

  // What the filter cannot mean anything for says so.
  const saidIn = {
    Instant: 'All CPUs, whatever passes the filter',
    Pairs: 'All pairs, whatever passes the filter',
  };
  for (const [name, said] of Object.entries(saidIn)) {
    await corelane.openTab(name);
    await expect(details, name).toContainText(said);
  }
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  await corelane.openTab('Relations');
  await corelane.idle();
  await expect(details).not.toContainText('pass the filter');
  const again = await copied(corelane, 'wakeups by pair');
  expect(again.reduce((sum, row) => sum + Number(row.count), 0)).toBe(story.latencies.length);
});
