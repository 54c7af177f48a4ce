/** Who wakes whom, who had the CPU while whom waited, spare CPUs, durations against time; each beside the text of the trace. */
import { common, deriveStanding, union } from '../tests/derive/behind.mjs';
import { formatDuration } from '../web/base/format';
import { type Copied, copied } from './copied';
import type { CorelanePage } from './corelanePage';
import { expect, test } from './test';
import { truthOf } from './truth';

const trace = truthOf('forkpipe-8cpu');
const { story } = trace.derived;
const { first } = trace.report;

async function openTab(corelane: CorelanePage, name: string): Promise<void> {
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  await corelane.openTab(name);
  await corelane.idle();
}

test('wakeups are counted by waker and woken, and a row leads to the longest', async ({ corelane }) => {
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
  await details.getByRole('grid', { name: 'Wakers and wakees' }).getByRole('row').nth(1).click();
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

  // The matrix by keys, from its first cell to the last pair in the order of CPUs: Enter on it goes to its longest.
  const inOrder = (numbers: readonly number[]): number[] => [...new Set(numbers)].sort((a, b) => a - b);
  const wakers = inOrder(story.latencies.map(({ wakeup }) => wakeup.wakerCpu));
  const ran = inOrder(story.latencies.map(({ cpu }) => cpu));
  const waker = wakers.at(-1);
  const woken = Math.max(...story.latencies.filter(({ wakeup }) => wakeup.wakerCpu === waker).map(({ cpu }) => cpu));
  const pair = story.latencies.filter(({ wakeup, cpu }) => wakeup.wakerCpu === waker && cpu === woken);
  await details.getByRole('application', { name: /^Matrix/ }).focus();
  await page.keyboard.press('ArrowRight');
  for (let column = 0; column < ran.indexOf(woken); column++) await page.keyboard.press('ArrowRight');
  for (let line = 1; line < wakers.length; line++) await page.keyboard.press('ArrowDown');
  await expect(details.getByText(`CPU ${waker} → CPU ${woken}: ${pair.length} times, `)).toBeVisible();
  await page.keyboard.press('Enter');
  await corelane.idle();
  const most = Math.max(...pair.map(({ ns }) => ns));
  const led = pair.filter(({ ns }) => ns === most).map(({ cpu, since, ns }) => ({ cpu, start: since + ns - first }));
  expect(led).not.toContainEqual(selection);
  expect(led).toContainEqual((await corelane.view()).selection);

  // By command, the matrix names all rows and columns in full, within the pane.
  await details.getByRole('tabpanel').getByText('Commands', { exact: true }).first().click();
  await corelane.idle();
  const pane = await corelane.box(details.locator('.matrix-map'));
  const names = await details.locator('.matrix-name').all();
  const comms = new Set(story.latencies.map(({ comm }) => comm));
  expect(names.length).toBeGreaterThan(comms.size);
  for (const name of names) {
    const box = await corelane.box(name);
    const text = (await name.getAttribute('title')) ?? '';
    expect(box.x, text).toBeGreaterThanOrEqual(pane.x - 1);
    expect(box.x + box.width, text).toBeLessThanOrEqual(pane.x + pane.width + 1);
    await expect(name).toHaveText(text);
    expect(await name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth), text).toBe(true);
  }

  // Both are highlighted: of the pair of two commands that is the most frequent.
  const wakes = new Map<string, number>();
  for (const { wakeup, comm } of story.latencies) {
    const by = wakeup.context === 'task' ? (wakeup.wakerRun?.comm ?? wakeup.waker?.comm) : undefined;
    if (by !== undefined && by !== comm) wakes.set(`${by},${comm}`, (wakes.get(`${by},${comm}`) ?? 0) + 1);
  }
  const [both = '', times] = [...wakes].sort(([, a], [, b]) => b - a)[0] ?? [];
  const [by = '', whom = ''] = both.split(',');
  const byCommand = details.getByRole('grid', { name: 'Wakers and wakees' }).getByRole('row');
  await byCommand.filter({ hasText: new RegExp(`^${by}${whom}${times}\\D?`) }).click();
  await corelane.idle();
  expect((await corelane.view()).highlighted).toEqual([by, whom]);
});

test('a matrix of more CPUs than have room is an overview of all of them', async ({ corelane }) => {
  const { details, page } = corelane;
  // Each of 512 CPUs wakes a task on the next one, which is late by 100 µs and as many more as the CPU's number.
  const cpus = 512;
  const late = (cpu: number): number => 100 + cpu;
  const lines = Array.from({ length: cpus }, (_, cpu) => {
    const [to, at] = [(cpu + 1) % cpus, 1000 * (cpu + 1)];
    return [
      `${at}us cpu${cpu} a:${1000 + cpu} waking b:${5000 + cpu} on cpu${to}`,
      `+0s cpu${cpu} a:${1000 + cpu} wakeup b:${5000 + cpu} on cpu${to}`,
      `${at + late(cpu)}us cpu${to} ${to === 0 ? 'a:1000 switch S' : 'idle switch R'} -> b:${5000 + cpu}`,
      `${at + 900}us cpu${to} b:${5000 + cpu} switch S -> a:${1000 + to}`,
    ];
  });
  await corelane.open();
  await corelane.choose('many.scenario', Buffer.from(['# corelane scenario 1', ...lines.flat()].join('\n')));
  await corelane.openTab('Relations');
  await details.getByText('CPUs', { exact: true }).first().click();
  await corelane.idle();
  const text = details.getByText(/Up to \d+ CPUs are one line/);
  const block = Number(/Up to (\d+)/.exec(await text.innerText())?.[1]);
  expect(block).toBeGreaterThan(1);

  // By keys to the last column, and there to the line before it, which wakes it once.
  const matrix = details.getByRole('application', { name: /^Matrix/ });
  await matrix.focus();
  const last = Math.ceil(cpus / block) - 1;
  for (let column = 0; column <= last; column++) await page.keyboard.press('ArrowRight');
  const [box, frame] = [await corelane.box(matrix), await corelane.box(matrix.locator('.matrix-frame'))];
  expect(frame.x + frame.width).toBeLessThanOrEqual(box.x + box.width);
  for (let row = 1; row < last; row++) await page.keyboard.press('ArrowDown');
  const name = (line: number): string => {
    const [from, to] = [line * block, Math.min(cpus, (line + 1) * block) - 1];
    return from === to ? `CPU ${from}` : `CPUs ${from}-${to}`;
  };
  await expect(details.getByText(`${name(last - 1)} → ${name(last)}: 1 times, `)).toBeVisible();
  // Within a line, all but its last CPU wake another of it.
  await page.keyboard.press('ArrowLeft');
  const within = Array.from({ length: block - 1 }, (_, place) => (last - 1) * block + place);
  const sum = formatDuration({ isNs: true }, 1000 * within.reduce((all, cpu) => all + late(cpu), 0));
  await expect(
    details.getByText(`${name(last - 1)} → ${name(last - 1)}: ${block - 1} times, ${sum} in all`),
  ).toBeVisible();
  await page.keyboard.press('Enter');
  await corelane.idle();
  const latest = within.at(-1) ?? 0;
  const start = 1000 * (1000 * latest + late(latest));
  expect((await corelane.view()).selection).toEqual({ cpu: latest + 1, start });
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
  // By the text: when each CPU was spare or had somebody wait behind another on it, and when both were somewhere.
  const all = (): boolean => true;
  const { behind, spare } = deriveStanding(trace.derived.lanes, trace.derived.queued, all, all);
  const [anyBehind, anySpare] = [union(behind), union(spare)];
  const length = (periods: readonly { start: number; end: number }[]): number =>
    periods.reduce((sum, { start, end }) => sum + end - start, 0);
  const expected = trace.derived.lanes.map((lane, cpu) => {
    const of = <P extends { cpu: number | undefined }>(periods: P[]): P[] => periods.filter((one) => one.cpu === cpu);
    return {
      cpu: `${cpu}`,
      spare_ns: `${length(of(spare).flatMap((period) => common(period, anyBehind)))}`,
      behind_ns: `${length(union(of(behind)).flatMap((period) => common(period, anySpare)))}`,
      idle_ns: `${length(lane.filter(({ kind }) => kind === 'idle'))}`,
    };
  });
  for (const row of expected) expect(rows).toContainEqual(expect.objectContaining(row));
  expect(expected.filter((row) => row.spare_ns !== '0' && row.behind_ns !== '0').length).toBeGreaterThan(3);

  // The first row is that of the CPU that could have helped most.
  const most = expected.reduce((a, b) => (Number(b.spare_ns) > Number(a.spare_ns) ? b : a));
  const top = details.getByRole('grid', { name: 'Spare CPUs' }).getByRole('row').nth(1);
  await top.click();
  await corelane.idle();
  expect((await corelane.view()).cpus).toEqual([Number(most.cpu)]);
  expect((await corelane.drawState()).lanes.map(({ cpu }) => cpu)).toEqual([Number(most.cpu)]);
  await expect(corelane.status).toContainText(`1 lane of ${trace.cpus} CPUs.`);
  // Without any, all have lanes again.
  await top.click();
  await corelane.idle();
  expect((await corelane.view()).cpus).toEqual([]);
  await expect(corelane.status).toContainText(`${trace.cpus} lanes of ${trace.cpus} CPUs.`);
});

test('latencies against time lead to their runs', async ({ corelane }) => {
  const { details, page } = corelane;
  await openTab(corelane, 'Latency');
  const scatter = details.getByRole('slider', { name: 'Durations against time: point' });
  await scatter.focus();
  const [earliest] = [...story.latencies].sort((a, b) => a.since - b.since);
  await expect(details.locator('.latency-scatter .histogram-text')).toContainText('on CPU');
  await expect(scatter).toHaveAttribute('aria-valuetext', /on CPU/);
  await page.keyboard.press('Enter');
  await corelane.idle();
  const { selection } = await corelane.view();
  const starts = story.latencies.map(({ cpu, since, ns }) => ({ cpu, start: since + ns - first }));
  expect(starts).toContainEqual(selection);
  // The first point is in the first column of time.
  expect((selection?.start ?? 0) - ((earliest?.since ?? 0) - first)).toBeLessThan(trace.span / 50);
});

test('the trace is stepped through, event by event', async ({ corelane }) => {
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
