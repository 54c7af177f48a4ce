/** Who wakes whom, who had the CPU while whom waited, spare CPUs, durations against time; each beside the text of the trace. */
import type { CorelanePage } from './corelanePage';
import { expect, test } from './test';
import { truthOf } from './truth';

const trace = truthOf('forkpipe-8cpu');
const { story } = trace.derived;
const { first } = trace.report;

type Copied = Readonly<Record<string, string>>;

/** The rows of the table that is copied as CSV; its texts have no commas. */
async function copied({ details, page }: CorelanePage, what: string): Promise<Copied[]> {
  await details.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('button', { name: `Copy ${what} as CSV` }).click();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  const [head = [], ...lines] = text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(','));
  return lines.map((line) => Object.fromEntries(head.map((name, place) => [name, line[place] ?? ''])));
}

async function openTab(corelane: CorelanePage, name: string): Promise<void> {
  await corelane.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  await corelane.details.getByRole('tab', { name }).click();
  await corelane.idle();
}

test('wakeups are counted by waker and woken, and a row leads to the longest', { tag: '@firefox' }, async ({ corelane }) => {
  const { details, page } = corelane;
  await openTab(corelane, 'Relations');
  await details.getByText('CPUs', { exact: true }).first().click();
  await corelane.idle();
  const expected = new Map<string, { count: number; longest: number; sum: number }>();
  for (const { wakeup, cpu, ns } of story.latencies) {
    const pair = `CPU ${wakeup.wakerCpu}>CPU ${cpu}`;
    const { count, longest, sum } = expected.get(pair) ?? { count: 0, longest: 0, sum: 0 };
    expected.set(pair, { count: count + 1, longest: Math.max(longest, ns), sum: sum + ns });
  }
  const rows = await copied(corelane, 'wakeups by pair');
  const found = rows.map((row) => [`${row.from}>${row.to}`, row.count, row.longest_ns, row.total_ns].join(' '));
  const texts = [...expected].map(([pair, { count, longest, sum }]) => `${pair} ${count} ${longest} ${sum}`);
  expect(found.sort()).toEqual(texts.sort());
  expect(page.url()).toContain('relations=cpu');

  // A row goes to the run that its longest wakeup led to; the tab stays.
  await details.getByRole('grid', { name: 'Who wakes whom' }).getByRole('row').nth(1).click();
  await corelane.idle();
  const [top] = [...expected].sort(([, a], [, b]) => b.count - a.count || b.sum - a.sum);
  const longest = story.latencies
    .filter(({ wakeup, cpu }) => top?.[0] === `CPU ${wakeup.wakerCpu}>CPU ${cpu}`)
    .filter(({ ns }) => ns === top?.[1].longest);
  const { selection } = await corelane.view();
  const runs = longest.map(({ cpu, since, ns }) => ({ cpu, start: since + ns - first }));
  expect(runs).toContainEqual(selection);
  await expect(details.getByRole('tab', { name: 'Relations' })).toHaveAttribute('aria-selected', 'true');

  // By distance: as many wakeups stayed on the waker's CPU as the text says.
  const near = story.latencies.filter(({ wakeup, cpu }) => (wakeup.chosen ?? cpu) === wakeup.wakerCpu).length;
  const row = details.getByRole('table', { name: 'Wakeups by distance' }).getByRole('row', { name: /^the same CPU/ });
  await expect(row.locator('td').first()).toHaveText(near.toLocaleString('en'));

  // The matrix by keys: Enter on a cell goes to its longest.
  await details.getByRole('application', { name: /^Matrix/ }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(details.getByText(/→/).first()).toBeVisible();

  // By command, both are highlighted.
  await details.getByText('Commands', { exact: true }).first().click();
  await corelane.idle();
  await details.getByRole('grid', { name: 'Who wakes whom' }).getByRole('row').nth(1).click();
  await corelane.idle();
  expect((await corelane.view()).highlighted.length).toBeGreaterThan(0);
});

test('who had the CPU adds up to all waiting, of the trace and of a range', async ({ corelane }) => {
  const { details } = corelane;
  await openTab(corelane, 'Relations');
  await details.getByText('Who had the CPU', { exact: true }).click();
  await corelane.idle();
  const waited = (from: number, to: number): number =>
    trace.spells
      .filter(({ state }) => state === 'runnable')
      .reduce((sum, { start, end }) => sum + Math.max(0, Math.min(end, to) - Math.max(start, from)), 0);
  const total = (rows: readonly Copied[]): number => rows.reduce((sum, row) => sum + Number(row.total_ns), 0);
  expect(total(await copied(corelane, 'waits by pair'))).toBe(waited(0, trace.span));

  const range = { start: Math.round(trace.span / 4), end: Math.round(trace.span / 2) };
  const link = corelane.page.url();
  const at = (time: number): string => {
    const absolute = trace.base + BigInt(time);
    return `${absolute / 1_000_000_000n}.${`${absolute % 1_000_000_000n}`.padStart(9, '0')}`;
  };
  await corelane.page.goto(`${link}&range=${at(range.start)}-${at(range.end)}`);
  await details.getByText('Range', { exact: true }).last().click();
  await corelane.idle();
  expect(total(await copied(corelane, 'waits by pair'))).toBe(waited(range.start, range.end));
});

test('a spare CPU gets a lane of its own', async ({ corelane }) => {
  const { details } = corelane;
  await openTab(corelane, 'Relations');
  await details.getByText('Spare CPUs', { exact: true }).click();
  await corelane.idle();
  const rows = await copied(corelane, 'spare CPUs');
  expect(rows).toHaveLength(trace.cpus);
  // Idle time of each CPU, by the text.
  for (const row of rows) {
    const idle = trace.intervals.filter(({ cpu, kind }) => kind === 'idle' && `${cpu}` === row.cpu);
    expect([row.cpu, row.idle_ns]).toEqual([row.cpu, `${idle.reduce((sum, { start, end }) => sum + end - start, 0)}`]);
  }
  await details.getByRole('grid', { name: 'Spare CPUs' }).getByRole('row').nth(1).click();
  await corelane.idle();
  const { cpus } = await corelane.view();
  expect(cpus).toHaveLength(1);
  expect((await corelane.drawState()).lanes).toHaveLength(1);
});

test('latencies against time lead to their runs', async ({ corelane }) => {
  const { details, page } = corelane;
  await openTab(corelane, 'Latency');
  const scatter = details.getByRole('application', { name: /^Durations against time/ });
  await scatter.focus();
  await page.keyboard.press('ArrowRight');
  const [earliest] = [...story.latencies].sort((a, b) => a.since - b.since);
  await expect(details.locator('.latency-scatter .histogram-text')).toContainText('on CPU');
  await page.keyboard.press('Enter');
  await corelane.idle();
  const { selection } = await corelane.view();
  const starts = story.latencies.map(({ cpu, since, ns }) => ({ cpu, start: since + ns - first }));
  expect(starts).toContainEqual(selection);
  // The first point is in the first column of time.
  expect((selection?.start ?? 0) - ((earliest?.since ?? 0) - first)).toBeLessThan(trace.span / 50);
});

test('the trace is stepped through, event by event', { tag: '@firefox' }, async ({ corelane }) => {
  const { details, page } = corelane;
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  const run = trace.intervals.find(
    ({ kind, start, end }) => kind === 'run' && start > trace.span / 2 && end - start > 0,
  );
  if (!run) throw new Error('the fixture has runs');
  await corelane.clickRun(run.cpu, (run.start + run.end) / 2);
  await corelane.press('Shift+>');
  await expect(details.getByRole('tab', { name: 'Instant' })).toHaveAttribute('aria-selected', 'true');
  await corelane.idle();
  const { selection, timeMarks } = await corelane.view();
  expect(timeMarks.a).toBe(selection?.start);
  // Each CPU runs what the text says.
  const at = timeMarks.a ?? 0;
  const rows = details.getByRole('grid', { name: 'CPUs at this instant' }).getByRole('row');
  for (const { cpu, kind, comm, pid } of trace.intervals.filter(({ start, end }) => start <= at && at < end)) {
    const words = kind === 'run' ? `${comm} ${pid}` : kind === 'idle' ? 'idle' : 'not known';
    await expect(rows.nth(cpu + 1)).toContainText(words);
  }
  await expect(details.getByRole('list', { name: 'What happens at this instant' })).toContainText(
    `CPU ${run.cpu} switches`,
  );
  // Forwards and back again.
  await corelane.press('Shift+>');
  const next = (await corelane.view()).timeMarks.a ?? 0;
  const switches = trace.intervals.map(({ start }) => start).filter((start) => start > at);
  expect(next).toBeGreaterThan(at);
  expect(next).toBeLessThanOrEqual(Math.min(...switches));
  await corelane.press('Shift+<');
  expect((await corelane.view()).timeMarks.a).toBe(at);
  await details.getByRole('button', { name: 'Next ›' }).click();
  await corelane.idle();
  expect((await corelane.view()).timeMarks.a).toBe(next);
  expect(page.url()).toContain('&a=');
});
