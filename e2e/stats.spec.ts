import { deriveNumbers, deriveTrace } from '../tests/derive/numbers.mjs';
import type { CorelanePage } from './corelanePage';
import { expect, test } from './test';
import { printFmtOf, truthOf } from './truth';

const trace = truthOf('forkpipe-8cpu');
const { report } = trace;
const derived = deriveTrace(report, printFmtOf('forkpipe-8cpu'));

const copied = (corelane: CorelanePage): Promise<string> => corelane.clipboard();

/** The visible table as its CSV button copies it: a record for each row. */
async function csv(corelane: CorelanePage, what: 'commands' | 'tasks' | 'CPUs'): Promise<Record<string, string>[]> {
  const { details, page } = corelane;
  await details
    .getByRole('tabpanel')
    .getByText({ commands: 'Commands', tasks: 'Tasks', CPUs: 'CPUs' }[what], { exact: true })
    .click();
  await corelane.idle();
  await expect(details.getByRole('grid', { name: new RegExp(`^${what} of`, 'i') })).toHaveAttribute(
    'aria-busy',
    'false',
  );
  await details.getByRole('button', { name: 'Copy', exact: true }).click();
  await details.getByRole('button', { name: `Copy ${what} as CSV` }).click();
  await expect(page.getByText(/rows? copied/)).toBeVisible();
  const [head = '', ...lines] = (await copied(corelane)).trimEnd().split('\n');
  const names = head.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((value, i) => [names[i] ?? '', value])));
}

test('the tables of a range say what the text of the trace says, and are copied', { tag: '@firefox' }, async ({
  corelane,
}) => {
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  const from = await corelane.place(2, trace.span * 0.41);
  const to = await corelane.place(2, trace.span * 0.62);
  await corelane.page.keyboard.down('Shift');
  await corelane.page.mouse.move(from.x, from.y);
  await corelane.page.mouse.down();
  await corelane.page.mouse.move(to.x, to.y, { steps: 3 });
  await corelane.page.mouse.up();
  await corelane.page.keyboard.up('Shift');
  const { range } = await corelane.view();
  if (!range) throw new Error('no range is selected');
  const window = { from: report.first + range.start, to: report.first + range.end };
  const { commands, tasks, stats } = deriveNumbers(derived, window);

  const expected = [...commands].map(([comm, row]) => ({
    comm,
    execution_ns: `${row.execution}`,
    waiting_ns: `${row.waiting}`,
    switches_to: `${row.switchesTo}`,
    pids: `${row.pids.size}`,
  }));
  const byName = (a: { comm?: string }, b: { comm?: string }): number => ((a.comm ?? '') < (b.comm ?? '') ? -1 : 1);
  expect((await csv(corelane, 'commands')).sort(byName)).toEqual(expected.sort(byName));

  const rows = await csv(corelane, 'tasks');
  const active = tasks.filter((task) => task.execution + task.waiting + task.switchesTo + task.migrations > 0);
  expect(active.length).toBeGreaterThan(20);
  for (const task of active) {
    const sums = (row: Record<string, string>) =>
      ['placement', 'load_balance', 'numa', 'other'].reduce((sum, kind) => sum + Number(row[kind]), 0);
    const found = rows
      .filter(({ pid }) => pid === `${task.pid}`)
      .map((row) => [row.execution_ns, row.waiting_ns, row.switches_to, `${sums(row)}`]);
    expect(found).toContainEqual([task.execution, task.waiting, task.switchesTo, task.migrations].map(String));
  }

  const cpus = await csv(corelane, 'CPUs');
  expect(cpus.map(({ busy_ns }) => Number(busy_ns))).toEqual(stats.busy_ns_per_cpu);
  expect(cpus.map(({ idle_ns }) => Number(idle_ns))).toEqual(stats.idle_ns_per_cpu);
  expect(cpus.map(({ waiting_ns }) => Number(waiting_ns))).toEqual(stats.waiting_ns_per_cpu);
  expect(cpus.map(({ max_waiting }) => Number(max_waiting))).toEqual(stats.max_waiting_per_cpu);

  await corelane.details.getByRole('button', { name: 'Copy', exact: true }).click();
  await corelane.details.getByRole('button', { name: 'Copy CPUs as text' }).click();
  await expect.poll(() => copied(corelane)).toContain('# ');
  const text = await copied(corelane);
  const [title = '', head = '', first = ''] = text.split('\n');
  expect(title).toContain(`# ${trace.name}, `);
  expect(title).toContain(`${(range.start / 1e9).toFixed(9)} s to ${(range.end / 1e9).toFixed(9)} s`);
  expect(head).toMatch(/^CPU +Utilisation +Busy/);
  expect(first).toMatch(/^ +0 +\d/);
});

test('tables are sorted by any column, and keep in step with the window', async ({ corelane }) => {
  const { details, page } = corelane;
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  await corelane.openTab('Range');
  await details.getByText('Tasks', { exact: true }).click();
  await corelane.idle();
  const grid = details.getByRole('grid', { name: 'Tasks of the window' });
  await grid.getByRole('columnheader', { name: 'Waiting' }).getByRole('button').click();
  const { tasks } = deriveNumbers(derived);
  const longest = [...tasks].sort((a, b) => b.waiting - a.waiting)[0];
  await expect(grid.getByRole('row').nth(1).getByRole('gridcell').nth(1)).toHaveText(`${longest?.pid}`);
  expect((await corelane.view()).table).toBe('tasks');
  expect(page.url()).toContain('table=tasks');
  // Zooming leaves fewer tasks, and the table is never empty in between.
  const all = Number(await grid.getAttribute('aria-rowcount'));
  const { x, y } = await corelane.place(2, trace.span / 2);
  await page.mouse.move(x, y);
  for (let step = 0; step < 12; step++) {
    await page.mouse.wheel(0, -300);
    expect(Number(await grid.getAttribute('aria-rowcount'))).toBeGreaterThan(1);
  }
  await corelane.idle();
  await expect.poll(async () => Number(await grid.getAttribute('aria-rowcount'))).toBeLessThan(all);
  // Enter gives the row's task a lane.
  await grid.focus();
  await page.keyboard.press('Home');
  const pid = Number(await grid.getByRole('row').nth(1).getByRole('gridcell').nth(1).innerText());
  await page.keyboard.press('Enter');
  expect((await corelane.view()).tasks.tasks).toEqual([{ pid, generation: 0 }]);
});

test('Q shows how many tasks wait on each CPU’s runqueue', async ({ corelane }) => {
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  expect((await corelane.drawState()).depth).toEqual([]);
  await corelane.press('q');
  const { stats } = deriveNumbers(derived);
  const { depth } = await corelane.drawState();
  expect(depth.map(({ most }) => most)).toEqual(stats.max_waiting_per_cpu);
  expect(depth.filter(({ columns }) => columns > 0).length).toBeGreaterThan(4);
  expect(corelane.page.url()).toContain('depth=1');
  // Over a lane, the status bar shows the number.
  const cpu = stats.max_waiting_per_cpu.indexOf(Math.max(...stats.max_waiting_per_cpu));
  await corelane.hover(cpu, trace.span / 2);
  await expect(corelane.status).toContainText(/(none|\d+) waiting on this CPU/);
  const shown = (await corelane.lanePicture()).data;
  await corelane.press('q');
  expect(Buffer.compare((await corelane.lanePicture()).data, shown)).not.toBe(0);
  expect(corelane.page.url()).not.toContain('depth');
});
