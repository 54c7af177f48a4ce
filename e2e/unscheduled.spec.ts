/** Traces without scheduling events: all that they contain is in the list. */
import { lineAsRow, plainLines, reportedBytes } from './eventTruth';
import { expect, test } from './test';
import { truthOf } from './truth';

const lines = plainLines('block-2cpu');

test.beforeEach(async ({ corelane }) => {
  await corelane.open();
  await corelane.choose('block-2cpu.dat', reportedBytes('block-2cpu'));
});

test('a trace without scheduling events opens with its list of events', async ({ corelane }) => {
  const { page } = corelane;
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.locator('.notices')).toContainText('no scheduling events');
  await expect(page.locator('.notices')).toContainText('trace-cmd record -e sched');
  await expect(corelane.status).toContainText(`${lines.length} events, none of the scheduler`);
  await expect(corelane.eventsPane.locator('.events-count')).toContainText(`${lines.length} `);
  for (const share of [0, 0.5, 1]) {
    await corelane.scrollEvents(share);
    const rows = await corelane.eventRows();
    expect(rows.length).toBeGreaterThan(5);
    for (const { row, text } of rows) {
      expect(text.replace(/^[^|]* \| /, ''), `row ${row}`).toBe(lineAsRow(lines[row] ?? ''));
    }
  }
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page.locator('.notices')).not.toContainText('no scheduling events');
});

test('where nothing is known of the tasks, the lanes are hatched from end to end', async ({ corelane }) => {
  const { lanes, plot, curve } = await corelane.drawState();
  expect(lanes).toHaveLength(2);
  for (const { busy, unknown } of lanes) expect({ busy, unknown }).toEqual({ busy: 0, unknown: plot.width });
  // It is not known what runs: the curve is absent instead of 0.
  expect(curve).toMatchObject({ mostRunning: 0, mostRunnable: 0, untold: plot.width });
  expect(curve?.cpus).toEqual([{ x0: 0, x1: plot.width, cpus: 0 }]);
  await corelane.hover(1, 1e6);
  await expect(corelane.running).toContainText('not known');
  await corelane.clickRun(1, 1e6);
  expect((await corelane.view()).selection).toBeNull();
});

test('its events are filtered, searched and marked as any others', async ({ corelane }) => {
  const { page } = corelane;
  const text = page.getByLabel('Text', { exact: true });
  const hits = lines.flatMap((line, row) => (line.includes('mm_filemap_fault') ? [row] : []));
  await page.getByLabel('Search in the list').fill('filemap_fault');
  await page.keyboard.press('Enter');
  expect(await corelane.currentEventRow()).toBe(hits[0]);
  await corelane.events.focus();
  await corelane.press('m');
  await page.keyboard.type('first fault');
  await corelane.press('Enter');
  const { marks } = await corelane.drawState();
  expect(marks).toMatchObject([
    { cpu: Number(/\[(\d+)\]/.exec(lines[hits[0] ?? -1] ?? '')?.[1]), flag: { text: 'first fault' } },
  ]);
  await text.fill('filemap_fault');
  await expect(corelane.eventsPane.locator('.events-count')).toContainText(`${hits.length} of`);
});

test('the list of a trace that has scheduling events stays closed, and a link has the last word', async ({
  corelane,
}) => {
  const { page } = corelane;
  await corelane.press('e');
  await expect(corelane.eventsPane).toBeHidden();
  await page.reload();
  await corelane.choose('block-2cpu.dat', reportedBytes('block-2cpu'));
  await expect(corelane.eventsPane).toBeHidden();
  const other = truthOf('forkpipe-8cpu');
  await corelane.choose(other.name, other.bytes);
  await expect(corelane.eventsPane).toBeHidden();
  await expect(page.locator('.notices')).not.toContainText('no scheduling events');
});
