/** A trace of another format: a scenario's text, which a separate wasm module reads. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './test';
import { truthOf } from './truth';

const MS = 1e6;
const handoff = readFileSync(join(import.meta.dirname, '../tests/scenarios/handoff.scenario'));

test('a scenario shows in all panes', async ({ corelane }) => {
  const { page } = corelane;
  const recorded = truthOf('forkpipe-8cpu');
  await corelane.open();
  await corelane.choose(recorded.name, recorded.bytes);

  await corelane.drop('handoff.scenario', handoff);
  await expect(page.getByRole('alert')).toHaveCount(0);

  // CPU 0 is never idle, CPU 1 runs the helper from 7 to 9 ms of 10.
  const { lanes, plot, curve } = await corelane.drawState();
  const shares = lanes.map(({ busy, unknown }) => ({ busy: busy / plot.width, unknown }));
  expect(shares).toHaveLength(2);
  expect(shares[0]).toEqual({ busy: 1, unknown: 0 });
  expect(shares[1]?.busy).toBeCloseTo(0.2, 2);
  expect(shares[1]?.unknown).toBe(0);
  // From 6 to 7 ms the worker runs while cc1 and the helper wait; then two tasks run.
  expect(curve).toMatchObject({ mostRunning: 2, mostRunnable: 3, untold: 0 });
  for (const [comm, execution] of [
    ['cc1', '4.000'],
    ['bash', '3.000'],
    ['worker', '3.000'],
    ['helper', '2.000'],
  ] as const) {
    await corelane.showCommands();
    await expect(corelane.command(comm)).toContainText(execution);
  }

  await corelane.clickRun(1, 8 * MS);
  expect((await corelane.view()).selection).toEqual({ cpu: 1, start: 7 * MS });
  await expect(corelane.details.getByRole('heading').first()).toContainText('helper 102');
  await expect(corelane.fact('At')).toContainText('0.006000000 s sched_waking');
  const chain = corelane.details.getByRole('region', { name: 'Wakeup chain' });
  await expect(chain).toContainText('worker');
  await expect(chain).toContainText('bash');
  expect((await corelane.drawState()).arrows).toBeGreaterThan(0);

  await corelane.openTab('Findings');
  await expect(corelane.details.getByRole('list', { name: 'Findings' })).toContainText('worker');
  await expect(corelane.eventsPane).toBeHidden();
  await corelane.press('e');
  // The page makes records of the steps: those of the file's twelve lines.
  await expect(corelane.eventsPane.locator('.events-count')).toHaveText('12 events');
  await expect(corelane.eventsPane).toContainText('as a kernel would write them');
  await expect(corelane.eventsPane).toContainText('bash:100 [120] S ==> cc1:200 [120]');
});

test('a mistake in a scenario is named with its line', async ({ corelane }) => {
  await corelane.open();
  await corelane.choose('wrong.scenario', Buffer.from('# corelane scenario 1\n1s cpu0 a:1 swich S -> b:2\n'));
  const alert = corelane.page.getByRole('alert');
  await expect(alert).toContainText('swich is no event: expected switch, waking');
  await expect(alert).toContainText('Line 2');
});

test('a file of no format is refused as before', async ({ corelane }) => {
  await corelane.open();
  await corelane.choose('notes.txt', Buffer.from('# not a scenario\n'));
  await expect(corelane.page.getByRole('alert')).toContainText('This is not a trace that Corelane can read');
});
