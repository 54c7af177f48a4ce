import { deriveOverload } from '../tests/derive/queries.mjs';
import type { CorelanePage } from './corelanePage';
import { expect, test } from './test';
import { type Truth, truthOf } from './truth';

const badplace = truthOf('barrier32-badplace');
const forkpipe = truthOf('forkpipe-8cpu');

/** The costliest waits behind others, from trace-cmd's text; times count from the first event. */
function overloads({ derived, report }: Truth, movable: boolean) {
  const { overload, behind } = deriveOverload(derived, { movable }, 5);
  return {
    count: overload.behind_intervals,
    intervals: behind.map(({ start, end, cost, tasks, idleCpus }) => ({
      start: start - report.first,
      end: end - report.first,
      cost,
      idled: Object.keys(idleCpus)
        .map(Number)
        .sort((a, b) => a - b),
      /** `pid#generation comm` */
      waited: Object.entries(tasks)
        .sort(([, a], [, b]) => b - a)
        .map(([name]) => name),
    })),
  };
}

const rows = (corelane: CorelanePage) => corelane.details.getByRole('list', { name: 'Findings' }).locator('.finding');

const kind = (corelane: CorelanePage, name: RegExp) =>
  corelane.details.getByRole('group', { name: 'Kinds of findings' }).getByRole('button', { name });

test('a trace opens with its findings; each leads to its place', { tag: '@firefox' }, async ({ corelane }) => {
  const { page } = corelane;
  const { count, intervals } = overloads(badplace, false);
  await corelane.open();
  await corelane.choose(badplace.name, badplace.bytes);
  await expect(page.getByRole('tab', { name: 'Findings' })).toHaveAttribute('aria-selected', 'true');
  expect((await corelane.drawState()).curve?.violated).toBeGreaterThan(0);
  // The kinds are one line, which follows the focus.
  const kinds = corelane.details.getByRole('group', { name: 'Kinds of findings' });
  await kinds.getByRole('button').first().focus();
  for (let place = await kinds.getByRole('button').count(); place > 0; place--) {
    await expect(page.locator('.findings-kinds :focus')).toBeInViewport({ ratio: 0.98 });
    await page.keyboard.press('Tab');
  }
  await kind(corelane, /^Overload/).click();
  await corelane.idle();
  await expect(corelane.details).toContainText(`${count} intervals`);
  for (const [index, { start, end }] of intervals.entries()) {
    await rows(corelane).nth(index).click();
    await corelane.idle();
    const { range, selection, tab } = await corelane.view();
    expect({ range, tab }).toEqual({ range: { start, end }, tab: 'findings' });
    const { window } = await corelane.drawState();
    expect((end - start) / (window.end - window.start)).toBeGreaterThan(0.3);
    // The run with which the finding's longest wait ended.
    const run = badplace.intervals.find(({ cpu, start: at }) => cpu === selection?.cpu && at === selection.start);
    const waited = intervals[index]?.waited[0];
    expect(`${run?.pid}#0`).toBe(waited);
    expect(run?.start).toBeGreaterThan(start);
    await expect(
      corelane.details.getByRole('list', { name: 'Waiting tasks' }).getByRole('listitem').first(),
    ).toContainText(`${run?.comm} ${run?.pid}`);
  }
  await page.goBack();
  await corelane.idle();
  expect((await corelane.view()).range).toEqual({ start: intervals[3]?.start, end: intervals[3]?.end });
});

test('a finding about overload tells which CPUs idled, and all tasks that waited when asked', async ({ corelane }) => {
  const { intervals } = overloads(badplace, false);
  // With more tasks than are listed at first.
  const index = intervals.findIndex(({ waited }) => waited.length > 8);
  const { idled, waited } = intervals[index] ?? { idled: [], waited: [] };
  expect(waited.length).toBeGreaterThan(8);
  await corelane.open();
  await corelane.choose(badplace.name, badplace.bytes);
  await kind(corelane, /^Overload/).click();
  await rows(corelane).nth(index).click();
  await corelane.idle();
  const told = await corelane.details.getByText('CPUs that were idle for some of it:').innerText();
  const ranges = /some of it: (.*)\.$/.exec(told)?.[1]?.split(/, ?/) ?? [];
  const cpus = ranges.flatMap((range) => {
    const [first = Number.NaN, last = first] = range.split(/[-–]/).map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
  expect(cpus).toEqual(idled);
  const tasks = corelane.details.getByRole('list', { name: 'Waiting tasks' }).getByRole('listitem');
  await expect(tasks).toHaveCount(8 + 1);
  await tasks.getByRole('button', { name: new RegExp(`^and ${waited.length - 8} tasks? more$`) }).click();
  await expect(tasks).toHaveCount(waited.length);
  // The derivation names tasks by pid and generation.
  const pids = (await tasks.allInnerTexts()).map((text) => `${/ (\d+) waited/.exec(text)?.[1]}#0`);
  expect(pids.sort()).toEqual([...waited].sort());
  // Another answer with the same finding leaves the list as it is.
  const listed = await rows(corelane).count();
  await corelane.details.getByRole('button', { name: /^Show more/ }).click();
  await corelane.idle();
  expect(await rows(corelane).count()).toBeGreaterThan(listed);
  await expect(tasks).toHaveCount(waited.length);
});

test('keys lead from finding to finding, along a cascade, and back', async ({ corelane }) => {
  await corelane.open();
  await corelane.choose(badplace.name, badplace.bytes);
  await corelane.press('n', 'n', 'n');
  const current = corelane.details.locator('.finding[aria-current="true"]');
  await expect(rows(corelane).nth(2)).toHaveAttribute('aria-current', 'true');
  await corelane.press('p');
  await expect(rows(corelane).nth(1)).toHaveAttribute('aria-current', 'true');
  await current.focus();
  await corelane.press('ArrowDown', 'ArrowDown', 'Enter');
  await expect(rows(corelane).nth(3)).toHaveAttribute('aria-current', 'true');
  await expect(rows(corelane).nth(3)).toBeFocused();
  await corelane.page.goBack();
  await corelane.idle();
  await expect(rows(corelane).nth(1)).toHaveAttribute('aria-current', 'true');

  await kind(corelane, /^Cascade/).press('Space');
  await corelane.press('n');
  const moves = corelane.details.getByRole('region', { name: 'Moves of the cascade' });
  const count = await moves.getByRole('listitem').count();
  expect(count).toBeGreaterThan(1);
  expect((await corelane.drawState()).arrows).toBeGreaterThan(1);
  const first = (await corelane.view()).selection;
  await moves.getByRole('button').nth(1).press('Enter');
  await corelane.idle();
  expect(await corelane.view()).toMatchObject({ tab: 'findings', arrows: 'cascade' });
  expect((await corelane.view()).selection).not.toEqual(first);
  await expect(moves.getByRole('listitem')).toHaveCount(count);
});

test('pinned tasks can be left out', async ({ corelane }) => {
  await corelane.open();
  await corelane.choose(forkpipe.name, forkpipe.bytes);
  await kind(corelane, /^Overload/).click();
  await corelane.idle();
  await expect(corelane.details).toContainText(`${overloads(forkpipe, false).count} intervals`);
  const before = (await corelane.drawState()).curve?.violated ?? 0;
  await corelane.details.getByLabel('Hide tasks that may be pinned').check();
  await corelane.idle();
  const { count, intervals } = overloads(forkpipe, true);
  await expect(corelane.details).toContainText(`${count} intervals`);
  expect((await corelane.drawState()).curve?.violated).toBeLessThan(before);
  await corelane.press('n');
  expect((await corelane.view()).range).toEqual({ start: intervals[0]?.start, end: intervals[0]?.end });
});
