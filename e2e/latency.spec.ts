import type { Locator } from '@playwright/test';
import { deriveLatency, Places } from '../tests/derive/queries.mjs';
import { expect, test } from './test';
import { truthOf } from './truth';

const trace = truthOf('forkpipe-8cpu');
const { story } = trace.derived;
const { first } = trace.report;

/** A duration with all digits, as the page prints it. */
function exact(ns: number): string {
  if (ns >= 1e9) return `${(ns / 1e9).toFixed(9)} s`;
  if (ns >= 1e6) return `${(ns / 1e6).toFixed(6)} ms`;
  return ns >= 1e3 ? `${(ns / 1e3).toFixed(3)} µs` : `${ns} ns`;
}

/** A number of a table: the exact value is in its tooltip. */
async function numberIn(table: Locator, row: string, column: string): Promise<string> {
  const heads = await table.locator('thead th').allInnerTexts();
  const cell = table.getByRole('row', { name: row }).locator('td').nth(heads.indexOf(column));
  const title = cell.locator('[title]');
  return (await title.count()) > 0 ? ((await title.getAttribute('title')) ?? '') : await cell.innerText();
}

test('the latency pane counts what the text of the trace tells, and leads to the worst', async ({ corelane }) => {
  const { details, page } = corelane;
  const truth = deriveLatency(trace.derived, {});
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  await corelane.openTab('Latency');
  await corelane.idle();
  const latency = details.getByRole('table', { name: 'Wake-up latency' });
  const { count, ns } = truth.numbers.latency;
  expect(await numberIn(latency, 'Count', 'All')).toBe(count.toLocaleString('en'));
  for (const [name, value] of [
    ['p50', ns.p50],
    ['p90', ns.p90],
    ['p99', ns.p99],
    ['p99.9', ns.p999],
    ['max', ns.max],
  ] as const) {
    expect([name, await numberIn(latency, name, 'All')]).toEqual([name, exact(value ?? 0)]);
  }
  for (const event of new Set(story.latencies.map(({ wakeup }) => wakeup.event))) {
    const started = story.latencies.filter(({ wakeup }) => wakeup.event === event).length;
    await expect(details.getByText(`${event} (${started.toLocaleString('en')})`)).toBeVisible();
  }

  await details.getByText('Run length', { exact: true }).click();
  await corelane.idle();
  const runs = details.getByRole('table', { name: 'Run length' });
  for (const [column, part] of [
    ['Still runnable', truth.numbers.preempted],
    ['Blocked', truth.numbers.slept],
    ['Exited', truth.numbers.exited],
  ] as const) {
    expect([column, await numberIn(runs, 'Count', column)]).toEqual([column, part.count.toLocaleString('en')]);
    if (part.count > 0) expect(await numberIn(runs, 'max', column)).toBe(exact(part.ns.max ?? 0));
  }
  await expect(details.getByText('is not the time slice')).toBeVisible();

  // A command is compared with all: its count is shown, and it is in the URL.
  await details.getByText('Wake-up latency', { exact: true }).click();
  await corelane.idle();
  const [comm, group] = [...truth.perCommand].sort(([, a], [, b]) => b.count - a.count)[0] ?? [];
  if (comm === undefined || group === undefined) throw new Error('the fixture has wakeups');
  await details.getByRole('grid', { name: 'Commands by latency' }).getByText(comm, { exact: true }).click();
  await corelane.idle();
  const ofGroup = details.getByRole('table', { name: `Wake-up latency of ${comm}` });
  expect(await numberIn(ofGroup, 'Count', comm)).toBe(group.count.toLocaleString('en'));
  expect(new URL(page.url()).hash).toContain(`latency-group=${comm}`);

  // The longest of all leads to the run with which it ended.
  await details.getByRole('button', { name: 'Only all' }).click();
  const worst = [...story.latencies].sort((a, b) => b.ns - a.ns || a.since - b.since)[0];
  await details.getByRole('grid', { name: 'Longest wake-up latencies' }).getByRole('row').nth(1).click();
  await corelane.idle();
  expect((await corelane.view()).selection).toEqual({
    cpu: worst?.cpu,
    start: (worst?.since ?? 0) + (worst?.ns ?? 0) - first,
  });
});

test('a selected run says who had its CPU while it waited, and what its placement left', async ({ corelane }) => {
  const { details } = corelane;
  const places = new Places(trace.derived);
  const migrated = new Set(story.migrations.map(({ task }) => task));
  // Waits that were spent on one runqueue, behind other tasks only.
  const waited = story.runs
    .filter((run) => run.wait && run.latency && !migrated.has(run.task) && run.end > run.start)
    .map((run) => ({ run, since: run.wait?.since ?? 0, took: tookCpu(run.cpu, run.wait?.since ?? 0, run.start) }))
    .filter(({ took }) => took.length > 0)
    .sort((a, b) => b.run.start - b.since - (a.run.start - a.since))[0];
  if (!waited) throw new Error('the fixture has waits');
  const { run, took } = waited;
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  const at = trace.base + BigInt(run.start - first);
  const hash = `#v=1&select=${run.cpu}@${at / 1_000_000_000n}.${String(at % 1_000_000_000n).padStart(9, '0')}`;
  await corelane.page.evaluate(
    (to) => {
      location.hash = to;
    },
    `${hash}&fp=${await fingerprint(corelane.page.url())}`,
  );
  await corelane.idle();
  const list = details.getByRole('region', { name: 'Tasks that had its CPU' }).getByRole('listitem');
  await expect(list.first()).toContainText(`${took[0]?.comm} ${took[0]?.task.pid}`);
  await expect(list.first().locator('[title]').last()).toHaveAttribute('title', exact(took[0]?.ns ?? 0));

  const { at: woken, previous, chosen } = run.latency?.wakeup ?? {};
  const placement = details.getByRole('region', { name: 'Wakeup', exact: true });
  await expect(placement).toContainText(previous === chosen ? 'Stayed on its last CPU' : 'Moved from CPU');
  const leftIdle =
    previous !== undefined &&
    chosen !== undefined &&
    previous !== chosen &&
    places.free.isFree(previous, woken ?? 0) === true;
  await expect(placement.getByText('was free and yet not chosen')).toHaveCount(leftIdle ? 1 : 0);

  // Sections that were closed stay closed for the next run.
  await details.getByRole('heading', { name: 'Tasks that had its CPU' }).click();
  await corelane.press('.');
  await expect(details.getByRole('region', { name: 'Tasks that had its CPU' }).getByRole('listitem')).toHaveCount(0);

  function tookCpu(cpu: number, from: number, to: number) {
    const runs = story.runs.filter((other) => other.cpu === cpu && other.start < to && from < other.end);
    const byTask = new Map<string, { task: (typeof runs)[number]['task']; comm: string; ns: number }>();
    for (const { task, comm, start, end } of runs) {
      const key = `${task.pid}.${task.generation}.${comm}`;
      const ns = (byTask.get(key)?.ns ?? 0) + Math.min(end, to) - Math.max(start, from);
      byTask.set(key, { task, comm, ns });
    }
    return [...byTask.values()].sort((a, b) => b.ns - a.ns);
  }
});

test('A and B are where the pointer is, exactly, and their distance goes with the URL', async ({ corelane }) => {
  const { page, status } = corelane;
  const runs = trace.intervals.filter(({ kind, start, end }) => kind === 'run' && end - start > trace.span / 100);
  const [one, two] = [runs[0], runs.at(-1)];
  if (!one || !two || one.start === two.start) throw new Error('the fixture has long runs');
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  // Two pixels after the begin of a run, that begin is meant.
  const near = 2 * (await corelane.drawState()).nsPerDevicePixel;
  await corelane.hover(one.cpu, one.start + near);
  await corelane.press('Shift+A');
  await corelane.hover(two.cpu, two.start + near);
  await corelane.press('Shift+B');
  expect((await corelane.view()).timeMarks).toEqual({ a: one.start, b: two.start });
  const distance = exact(Math.abs(two.start - one.start));
  await expect(status).toContainText(`B − A ${two.start < one.start ? '-' : ''}${distance}`);
  expect((await corelane.drawState()).timeMarks.distance?.text).toBe(distance);

  // The letter of a mark can be dragged.
  const placed = (await corelane.drawState()).timeMarks.marks.find(({ name }) => name === 'a');
  const tag = page.getByTitle('Mark A: drag it');
  const box = await corelane.box(tag);
  await page.mouse.move(box.x + 5, box.y + 5);
  await page.mouse.down();
  await page.mouse.move(box.x + 45, box.y + 5, { steps: 4 });
  await page.mouse.up();
  await corelane.idle();
  const moved = (await corelane.drawState()).timeMarks.marks.find(({ name }) => name === 'a');
  expect((moved?.x ?? 0) - (placed?.x ?? 0)).toBeCloseTo(40, 0);

  // Without the pointer, the mark goes to the selected run, and a second press removes it.
  await page.mouse.move(1, 1);
  await corelane.press('.');
  await corelane.press('Shift+A');
  const { selection, timeMarks } = await corelane.view();
  expect(timeMarks.a).toBe(selection?.start);
  const url = page.url();
  await corelane.press('Shift+A');
  expect((await corelane.view()).timeMarks).toEqual({ a: null, b: two.start });
  await page.goBack();
  await corelane.idle();
  expect(page.url()).toBe(url);
  expect((await corelane.view()).timeMarks).toEqual(timeMarks);
  await page.getByRole('button', { name: 'Remove mark B' }).click();
  await corelane.idle();
  expect((await corelane.view()).timeMarks.b).toBeNull();
});

const fingerprint = async (url: string): Promise<string> => /fp=([0-9a-f]+)/.exec(url)?.[1] ?? '';
