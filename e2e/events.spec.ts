import type { CorelanePage } from './corelanePage';
import { asRow, eventsOf, plainLines, type TrueEvent } from './eventTruth';
import { expect, test } from './test';
import { longestRuns, truthOf } from './truth';

const trace = truthOf('forkpipe-8cpu');
const lines = plainLines('forkpipe-8cpu');
const all = eventsOf('forkpipe-8cpu', lines);

test.beforeEach(async ({ corelane }) => {
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
});

/** Opens the list, with the fields as `trace-cmd report -R` prints them. */
async function openList(corelane: CorelanePage): Promise<void> {
  await corelane.press('e');
  await corelane.page.getByLabel('How events are printed').selectOption('raw');
  await corelane.idle();
}

/** Checks that every row in sight is the event with that number, and that there are rows. */
async function expectRows(corelane: CorelanePage, events: readonly TrueEvent[]): Promise<readonly number[]> {
  const rows = await corelane.eventRows();
  expect(rows.length).toBeGreaterThan(Math.min(5, events.length - 1));
  for (const { row, text } of rows) {
    const event = events[row];
    expect(text, `row ${row}`).toBe(event && asRow(event));
  }
  return rows.map(({ row }) => row);
}

/** Checks the beginning, the middle and the end of the list: it holds these events and no others. */
async function expectList(corelane: CorelanePage, events: readonly TrueEvent[]): Promise<void> {
  await expect(corelane.eventsPane.locator('.events-count')).toContainText(`${events.length.toLocaleString('en')} `);
  await corelane.scrollEvents(0);
  expect((await expectRows(corelane, events))[0]).toBe(0);
  await corelane.scrollEvents(0.5);
  await expectRows(corelane, events);
  await corelane.scrollEvents(1);
  expect((await expectRows(corelane, events)).at(-1)).toBe(events.length - 1);
}

test('the list shows all events in the order of trace-cmd report', async ({ corelane }) => {
  await corelane.page.getByRole('button', { name: 'Events', exact: true }).click();
  await corelane.page.getByLabel('How events are printed').selectOption('raw');
  await expectList(corelane, all);
  expect(await corelane.events.getAttribute('aria-rowcount')).toBe(`${all.length + 1}`);
});

test('times are from time 0 or absolute, as trace-cmd prints them', async ({ corelane }) => {
  await openList(corelane);
  await corelane.page.getByRole('button', { name: 'Time, s' }).click();
  const first = (await corelane.eventRows())[0]?.text.split(' | ')[0];
  expect(first).toBe(`${trace.base / 1_000_000_000n}.${(trace.base % 1_000_000_000n).toString().padStart(9, '0')}`);
  expect(corelane.page.url()).toContain('events-time=absolute');
});

test('filters leave the events that trace-cmd’s lines have, and are in the URL', { tag: '@firefox' }, async ({
  corelane,
}) => {
  const { page } = corelane;
  await openList(corelane);
  await corelane.write(page.getByLabel('CPUs', { exact: true }), '1,4-6');
  await expectList(
    corelane,
    all.filter(({ cpu }) => [1, 4, 5, 6].includes(cpu)),
  );
  expect(page.url()).toContain('events-cpus=1,4-6');

  const text = page.getByLabel('Text', { exact: true });
  await corelane.write(text, 'Prev_State=1 ');
  const both = all.filter(({ cpu, fields }) => [1, 4, 5, 6].includes(cpu) && fields.includes('prev_state=1 '));
  await expectList(corelane, both);

  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expectList(corelane, all);
  await page.goBack();
  await expectList(corelane, both);
  await page.reload();
  await corelane.choose(trace.name, trace.bytes);
  await expectList(corelane, both);
});

test('an expression filters by fields, points at what is wrong, and is completed by keys', async ({ corelane }) => {
  await openList(corelane);
  const text = corelane.page.getByLabel('Text', { exact: true });
  const field = (event: TrueEvent, name: string): string =>
    new RegExp(`(?:^| )${name}=(\\S+)`).exec(event.fields)?.[1] ?? '';
  await text.fill('sched_switch: next_pid != 0 && prev_state & 1');
  await corelane.idle();
  await expectList(
    corelane,
    all.filter(
      (event) =>
        event.event === 'sched_switch' &&
        field(event, 'next_pid') !== '0' &&
        Number(field(event, 'prev_state')) % 2 === 1,
    ),
  );
  // It is in the URL.
  await corelane.page.reload();
  await corelane.choose(trace.name, trace.bytes);
  await expect(text).toHaveValue('sched_switch: next_pid != 0 && prev_state & 1');

  await text.fill('next_pro < 100');
  const error = corelane.eventsPane.locator('.filter-error');
  await expect(error).toContainText('no event has a field `next_pro`; the closest are next_prio');
  await expect(error.locator('mark')).toHaveText('next_pro');
  await expect(text).toHaveAttribute('aria-invalid', 'true');

  await text.fill('next_pr');
  await text.press('ArrowDown');
  await expect(corelane.page.getByRole('option').first()).toContainText('next_prio');
  await text.press('Enter');
  await expect(text).toHaveValue('next_prio ');
  await text.pressSequentially('<= 120');
  await corelane.idle();
  await expect(error).toHaveCount(0);
  await expectList(
    corelane,
    all.filter((event) => Number(field(event, 'next_prio') || 'none') <= 120),
  );
});

test('a menu with counts chooses kinds of events', async ({ corelane }) => {
  const { page } = corelane;
  await openList(corelane);
  await page.getByRole('button', { name: 'All events' }).click();
  const menu = page.getByRole('dialog', { name: 'Which kinds of events are listed' });
  for (const [name, count] of trace.report.byName) {
    await expect(menu.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) })).toContainText(
      count.toLocaleString('en'),
    );
  }
  await page.keyboard.type('process_fo');
  await page.keyboard.press('Enter');
  await page.keyboard.type('_exec');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expectList(
    corelane,
    all.filter(({ event }) => /^sched_process_(fork|exec)$/.test(event)),
  );
  expect(page.url()).toContain('events-names=sched_process_fork,sched_process_exec');
});

test('a task is found in its own events and in those about it', async ({ corelane }) => {
  await openList(corelane);
  const { pid } = longestRuns(trace)[0];
  await corelane.page.getByRole('textbox', { name: 'Task' }).fill(`${pid}`);
  const names = new RegExp(`\\b(prev_|next_|parent_|child_)?pid=${pid}( |$)`);
  await expectList(
    corelane,
    all.filter((event) => event.pid === pid || names.test(event.fields)),
  );
  await corelane.page.getByRole('textbox', { name: 'Task' }).fill('nobody');
  await expect(corelane.events).toContainText('No events match the filters.');
});

test('a search goes from hit to hit, and round the ends', async ({ corelane }) => {
  const { page } = corelane;
  await openList(corelane);
  const hits = all.flatMap(({ event }, row) => (event === 'sched_process_exec' ? [row] : []));
  await corelane.press('/');
  await page.keyboard.type('PROCESS_exec');
  for (const row of hits.slice(0, 3)) {
    await corelane.press('Enter');
    expect(await corelane.currentEventRow()).toBe(row);
    await expect(corelane.events.locator('.active mark')).toHaveText('process_exec');
  }
  await corelane.press('Shift+Enter');
  expect(await corelane.currentEventRow()).toBe(hits[1]);
  // Two presses are two steps, even in quick succession.
  await corelane.press('Shift+Enter', 'Shift+Enter');
  expect(await corelane.currentEventRow()).toBe(hits.at(-1));
  await expect(corelane.eventsPane).toContainText('from the bottom again');
  await corelane.press('Enter');
  expect(await corelane.currentEventRow()).toBe(hits[0]);
  await expect(corelane.eventsPane).toContainText('from the top again');
  await page.getByLabel('Search in the list').fill('no such thing');
  await corelane.press('Enter');
  await expect(corelane.eventsPane).toContainText('No line holds “no such thing”');
});

test('a click on a row moves the timeline there and selects the run', async ({ corelane }) => {
  await openList(corelane);
  await corelane.press('w', 'w', 'w', 'w', 'w', 'w', 'w', 'w');
  const before = (await corelane.drawState()).window;
  await corelane.scrollEvents(0.1);
  const rows = (await corelane.eventRows()).slice(2, -2);
  const { row } = rows.find(({ row: index }) => (all[index]?.pid ?? 0) > 0) ?? { row: -1 };
  const event = all[row];
  if (!event) throw new Error('an event of a task is in sight');
  await corelane.events.locator(`[aria-rowindex="${row + 2}"]`).click();
  await corelane.idle();
  const { window, event: shown, plot } = await corelane.drawState();
  expect(window.end - window.start).toBe(before.end - before.start);
  expect(window).not.toEqual(before);
  expect(shown).toMatchObject({ cpu: event.cpu, at: event.at });
  expect(Math.abs((shown?.x ?? 0) - plot.width / 2)).toBeLessThan(2);
  const { selection } = await corelane.view();
  const run = trace.intervals.find(({ cpu, start, end, pid }) => {
    const isIn = start <= event.at && (event.at < end || (event.event === 'sched_switch' && event.at === end));
    return cpu === event.cpu && pid === event.pid && isIn;
  });
  expect(selection).toEqual({ cpu: event.cpu, start: run?.start });
  await expect(corelane.details).toContainText(`on CPU ${event.cpu}`);
});

test('selecting a run brings the list to its start', async ({ corelane }) => {
  await openList(corelane);
  const run = longestRuns(trace)[0];
  await corelane.clickRun(run.cpu, (run.start + run.end) / 2);
  const row = all.findIndex(({ cpu, at, event }) => cpu === run.cpu && at === run.start && event === 'sched_switch');
  expect(await corelane.currentEventRow()).toBe(row);
  await expectRows(corelane, all);
});

test('the hovered instant is shown in the list', async ({ corelane }) => {
  await openList(corelane);
  const line = corelane.events.locator('.events-hover');
  await corelane.page.mouse.move(5, 5);
  await expect(line).toBeHidden();
  const last = (await corelane.eventRows()).at(-1)?.row ?? 0;
  await corelane.hover(0, (all[last]?.at ?? 0) / 2);
  await expect(line).toBeVisible();
});

test('marks with notes are on the lanes at every zoom, and survive a reload', async ({ corelane }) => {
  const { page } = corelane;
  await openList(corelane);
  await corelane.events.focus();
  await corelane.press('Home', 'ArrowDown', 'ArrowDown');
  await corelane.press('m');
  await page.keyboard.type('late here');
  await corelane.press('Enter');
  const event = all[2];
  const mark = { cpu: event?.cpu, at: event?.at };
  const shown = async () => (await corelane.drawState()).marks;
  expect(await shown()).toMatchObject([{ ...mark, flag: { text: 'late here' } }]);
  expect(new URL(page.url()).hash).toMatch(/mark=\d+@[\d.]+:late%20here/);
  await corelane.press('w', 'w', '0', 'e');
  expect(await shown()).toMatchObject([{ ...mark, flag: { text: 'late here' } }]);
  await page.reload();
  await corelane.choose(trace.name, trace.bytes);
  expect(await shown()).toMatchObject([{ ...mark, flag: { text: 'late here' } }]);

  await corelane.press('e');
  await page.getByRole('button', { name: /^Marks/ }).click();
  await page.getByRole('button', { name: 'Remove the mark' }).click();
  await corelane.idle();
  expect(await shown()).toEqual([]);
  await corelane.press('Escape');
});

test('a click on a mark’s flag makes it the current event, and Delete removes it', async ({ corelane }) => {
  const { page } = corelane;
  await openList(corelane);
  await corelane.events.focus();
  await corelane.press('Home', 'ArrowDown', 'ArrowDown', 'm');
  await page.keyboard.type('late here');
  await corelane.press('Enter');
  await corelane.events.focus();
  await corelane.press('End');
  expect(await corelane.currentEventRow()).toBe(all.length - 1);

  const { plot, marks } = await corelane.drawState();
  const flag = marks[0]?.flag ?? { left: 0, top: 0, width: 0 };
  const box = await corelane.box(corelane.lanes);
  const [x, y] = [box.x + plot.left + flag.left + flag.width / 2, box.y + plot.top + flag.top + 8];
  await page.mouse.move(x, y);
  await expect(corelane.lanes).toHaveCSS('cursor', 'pointer');
  await expect(corelane.lanes).toHaveAttribute('title', /^late here \(CPU \d+\)/);
  expect((await corelane.drawState()).hovered).toBe(all[2]?.at);
  await page.mouse.click(x, y);
  await corelane.idle();
  expect((await corelane.view()).event).toEqual({ cpu: all[2]?.cpu, at: all[2]?.at });
  expect(await corelane.currentEventRow()).toBe(2);
  await corelane.press('Escape');
  expect(await corelane.currentEventRow()).toBeNull();
  await page.mouse.click(x, y);
  expect(await corelane.currentEventRow()).toBe(2);

  await corelane.press('Delete');
  expect((await corelane.view()).marks).toEqual([]);
  await expect(corelane.status).toContainText('The mark “late here” is removed');
  expect(page.url()).not.toContain('mark=');
  await page.mouse.move(x, y + 60);
  await expect(corelane.lanes).toHaveAttribute('title', '');
  await corelane.press('Delete');
  await corelane.press('Control+z');
  expect((await corelane.view()).marks).toMatchObject([{ note: 'late here' }]);
});

test('the list follows the task of the selected run', async ({ corelane }) => {
  const { page } = corelane;
  await openList(corelane);
  await page.getByLabel('Of the selected run').selectOption('task');
  await expectList(corelane, all);
  const [first, ...others] = longestRuns(trace);
  const second = others.find(({ pid }) => pid !== first?.pid);
  for (const run of [first, second]) {
    if (!run) throw new Error('the fixture has runs of two tasks');
    await corelane.clickRun(run.cpu, (run.start + run.end) / 2);
    expect((await corelane.view()).selection).toEqual({ cpu: run.cpu, start: run.start });
    const names = new RegExp(`\\b(prev_|next_|parent_|child_)?pid=${run.pid}( |$)`);
    await expectList(
      corelane,
      all.filter((event) => event.pid === run.pid || names.test(event.fields)),
    );
  }
  expect(page.url()).toContain('events-follow=task');
  await page.getByLabel('Of the selected run').selectOption('off');
  await expectList(corelane, all);
});

test('copied rows are the lines of trace-cmd report', async ({ corelane }) => {
  await corelane.press('e');
  await corelane.events.focus();
  await corelane.press('Home', 'ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowDown');
  await expect(corelane.events.locator('[aria-selected="true"]')).toHaveCount(3);
  await corelane.press('Control+c');
  await expect(corelane.status).toContainText('3 events are copied');
  const [head, ...copied] = (await corelane.clipboard()).trimEnd().split('\n');
  expect(head).toMatch(/^# forkpipe-8cpu\.dat, clock local, Linux .*, trace-cmd report, 3 events$/);
  expect(copied).toEqual(lines.slice(1, 4));
});

test('the list follows the window and the selection when told to', async ({ corelane }) => {
  const { page } = corelane;
  await openList(corelane);
  await page.getByLabel('In window').check();
  await corelane.press('w', 'w', 'w', 'd');
  const inWindow = async (): Promise<TrueEvent[]> => {
    const { start, end } = (await corelane.drawState()).window;
    return all.filter(({ at }) => at >= start && at < end);
  };
  await expectList(corelane, await inWindow());
  await corelane.press('a', 'a', 'w');
  await expectList(corelane, await inWindow());
  await page.getByLabel('In window').uncheck();

  await page.getByLabel('Of the selected run').selectOption('cpu');
  const run = longestRuns(trace)[0];
  await corelane.press('0');
  await corelane.clickRun(run.cpu, (run.start + run.end) / 2);
  await expectList(
    corelane,
    all.filter(({ cpu }) => cpu === run.cpu),
  );
});

test('everything in the list works by keyboard alone', async ({ corelane }) => {
  const { page } = corelane;
  await corelane.press('Control+f');
  await page.keyboard.type('sched_process_exec');
  await corelane.press('Enter');
  const row = all.findIndex(({ event }) => event === 'sched_process_exec');
  expect(await corelane.currentEventRow()).toBe(row);
  await corelane.press('Escape', 'Escape');
  await expect(corelane.events).toBeFocused();
  await corelane.press('ArrowDown', 'PageDown', 'PageUp', 'Enter');
  const current = (await corelane.currentEventRow()) ?? -1;
  expect((await corelane.view()).event).toEqual({ cpu: all[current]?.cpu, at: all[current]?.at });
  await corelane.press('End');
  expect(await corelane.currentEventRow()).toBe(all.length - 1);
  await corelane.press('e');
  await expect(corelane.eventsPane).toBeHidden();
});

test('rows after lost events say so', async ({ corelane }) => {
  const lost = truthOf('lost-s390x');
  const events = eventsOf('lost-s390x');
  await corelane.choose(lost.name, lost.bytes);
  await openList(corelane);
  const gap = events.find((event) => typeof event.lost === 'number');
  const row = gap ? events.indexOf(gap) : -1;
  await corelane.events.focus();
  await corelane.scrollEvents((row - 5) / events.length);
  const cell = corelane.events.locator(`[aria-rowindex="${row + 2}"] .badge`);
  await expect(cell).toHaveText(`${Number(gap?.lost).toLocaleString('en')} lost before`);
});
