/** System calls by another table, net of interrupts, by keys alone, and beside another profiler's text. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rows } from '../tests/derive/callDifferences.mjs';
import { CallReader, deriveCalls, split } from '../tests/derive/calls.mjs';
import { formatDuration } from '../web/base/format';
import { type Copied, copiedBy } from './copied';
import type { CorelanePage } from './corelanePage';
import { expect, test } from './test';
import { storedText, truthOf } from './truth';

const trace = truthOf('sysmix-4cpu');
const read = new CallReader();
for (const line of storedText('sysmix-4cpu.report').split('\n')) read.push(line);
const truth = deriveCalls(trace.derived, read);

async function openTab(corelane: CorelanePage, fields = ''): Promise<void> {
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  await corelane.page.goto(`${corelane.page.url()}&tab=syscalls${fields}`);
  await corelane.page.reload();
  await corelane.choose(trace.name, trace.bytes);
}

async function table(corelane: CorelanePage, by = 'call'): Promise<Copied[]> {
  await corelane.idle();
  await corelane.details
    .getByRole('region', { name: 'System calls' })
    .getByRole('button', { name: 'Copy', exact: true })
    .click();
  return copiedBy(corelane, `Copy system calls by ${by} as CSV`);
}

test('time on CPU is without interrupts where that is asked for', async ({ corelane }) => {
  const { details, page } = corelane;
  await openTab(corelane);
  await details.getByRole('checkbox', { name: 'Net' }).check();
  await corelane.idle();
  expect(page.url()).toContain('calls=net');
  const net = (await table(corelane)).map((row) => `${row.oncpu_ns} ${row.irq_ns}`);
  const expected = [...rows(trace.derived, truth, { args: [] }, 'call').values()].map((row) => {
    const { oncpu_ns: ran } = row as unknown as { oncpu_ns: number };
    return `${ran - (row.irq_ns ?? 0)} ${row.irq_ns}`;
  });
  expect(net.sort()).toEqual(expected.sort());
  expect(expected.some((text) => !text.endsWith(' 0'))).toBe(true);
});

test('a thread of 32 bits is read by its own table, and all calls by that of another machine', async ({ corelane }) => {
  const { details, page } = corelane;
  // `int 0x80` with 20 is getpid, and reads as writev.
  const writes = truth.calls.filter(({ nr, returned }) => nr === 20 && returned);
  const pid = writes.find(({ thread }) => writes.filter((call) => call.thread === thread).length === 25)?.thread.pid;
  expect(pid).toBeDefined();
  await openTab(corelane);
  const count = async (call: string) =>
    (await table(corelane)).filter((row) => row.call === call).map((row) => row.calls);
  const before = await count('getpid');
  await details.getByRole('button', { name: /^Names/ }).click();
  await page.getByRole('textbox', { name: 'Command or thread id of 32 bits' }).fill(`${pid}`);
  await page.getByRole('button', { name: 'Add' }).click();
  await page.keyboard.press('Escape');
  expect((await count('getpid')).sort()).toEqual([...before, '25'].sort());
  expect(page.url()).toContain(`calls-compat=${pid}`);
  await page.reload();
  await corelane.choose(trace.name, trace.bytes);
  expect((await count('getpid')).sort()).toEqual([...before, '25'].sort());

  await details.getByRole('button', { name: /^Names/ }).click();
  await page.getByLabel('Table of').last().selectOption('aarch64');
  await page.keyboard.press('Escape');
  // What x86-64 calls read is 0, which is io_setup on arm64.
  const reads = [...rows(trace.derived, truth, { args: [] }, 'call')].find(([key]) => key === '0')?.[1];
  expect(await count('io_setup')).toEqual([`${reads?.calls}`]);
  expect(page.url()).toContain('calls-arch=aarch64');
});

test('the tab works by keys alone', async ({ corelane }) => {
  const { details, page } = corelane;
  await openTab(corelane);
  const grid = details.getByRole('grid', { name: 'System calls' });
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await corelane.idle();
  const first = (await corelane.view()).calls;
  expect(first.at).not.toBeNull();
  // The second row by total time, and its longest call.
  const sums = new Map<number, { sum: number; calls: number[] }>();
  for (const { nr, returned, at, end } of truth.calls) {
    const of = sums.get(nr) ?? { sum: 0, calls: [] };
    sums.set(nr, of);
    if (!returned) continue;
    of.sum += end - at;
    of.calls.push(end - at);
  }
  const second = [...sums].sort(([, a], [, b]) => b.sum - a.sum)[1]?.[1];
  const longest = truth.calls.find(
    ({ at, thread }) => at - trace.report.first === first.at?.at && thread.pid === first.at?.pid,
  );
  expect(longest && longest.end - longest.at).toBe(Math.max(...(second?.calls ?? [])));

  // From a point of the scatter to its call, and from one bucket to the next.
  const points = details.getByRole('slider', { name: 'Calls against time: point' });
  await points.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await corelane.idle();
  const later = (await corelane.view()).calls.at;
  expect(later?.at).toBeGreaterThanOrEqual(first.at?.at ?? 0);
  const buckets = details.getByRole('slider', { name: 'How long they took: bucket' });
  await buckets.focus();
  await expect(buckets).toHaveAttribute('aria-valuetext', /\d+ \(.+ %\)/);
  await details.getByRole('button', { name: 'Previous', exact: true }).focus();
  await page.keyboard.press('Enter');
  await corelane.idle();
  expect((await corelane.view()).calls.at?.at).toBeLessThan(later?.at ?? 0);
});

test('a call is told with what it was called with, and a finding leads to its call', async ({ corelane }) => {
  const { details } = corelane;
  await openTab(corelane, '&calls-names=openat');
  await details.getByRole('grid', { name: 'System calls' }).getByRole('row').nth(1).click();
  await corelane.idle();
  // The flags of openat, its third argument, and its directory, as sys_enter has them.
  const { at } = (await corelane.view()).calls;
  const line = storedText('sysmix-4cpu.report')
    .split('\n')
    .find((text) => text.includes(' sys_enter:') && instant(text) === at?.at && text.includes(`-${at?.pid} `));
  const bytes = /args=ARRAY\[([0-9a-f, ]+)\]/.exec(line ?? '')?.[1]?.split(/, ?/) ?? [];
  const flags = bytes
    .slice(16, 24)
    .toReversed()
    .join('')
    .replace(/^0+(?=.)/, '');
  await expect(corelane.fact('Called with')).toContainText(
    new RegExp(`\\b(0x)?${flags}\\b|\\b${Number.parseInt(flags, 16)}\\b`),
  );

  await corelane.openTab('Findings');
  await corelane.idle();
  const blocked = details.getByRole('button', { name: /was blocked .* in / }).first();
  const said = await blocked.innerText();
  await blocked.click();
  await corelane.idle();
  await details.getByRole('button', { name: 'Show the call' }).click();
  await corelane.idle();
  // By the text: the call that was blocked longest, a vfork.
  const longest = truth.calls
    .map((call) => ({ ...call, blocked: split(call).blocked }))
    .reduce((a, b) => (b.blocked > a.blocked ? b : a));
  const { pid, generation } = longest.thread;
  expect(said).toContain(`was blocked ${formatDuration({ isNs: true }, longest.blocked)} in vfork, `);
  expect(longest.nr).toBe(58);
  const { calls, tab } = await corelane.view();
  expect(tab).toBe('syscalls');
  expect(calls.at).toEqual({ pid, generation, at: longest.at - trace.report.first });
  expect(calls.row).toBe('vfork');
});

/** The time of a line of the report, from the first event on. */
function instant(line: string): number {
  const [, whole = '', fraction = ''] = /\s(\d+)\.(\d{9}):/.exec(line) ?? [];
  return Number(BigInt(whole + fraction) - trace.base);
}

test('the text of another profiler stands beside the trace, and what is damaged is told', async ({ corelane }) => {
  const { details, page } = corelane;
  await openTab(corelane);
  const sums = new Map<number, number>();
  for (const { nr, returned, at, end, thread } of truth.calls) {
    if (nr === 1 && returned) sums.set(thread.pid, (sums.get(thread.pid) ?? 0) + end - at);
  }
  expect(sums.size).toBeGreaterThan(1);
  const tables = [...sums].map(
    ([pid, ns]) =>
      `----- TID ${pid} -----\ncall   | time\n----------\nSTaKTAU application | ${ns}\nwrite  | ${ns + 1000}\n`,
  );
  const text = `${tables.join('\n')}not a row\n`;
  await page
    .locator('#trace-file')
    .setInputFiles({ name: 'pi.txt', mimeType: 'text/plain', buffer: Buffer.from(text) });
  await corelane.idle();
  const beside = details.getByRole('region', { name: 'STaKTAU: pi.txt' });
  const lines = text.split('\n').length - 1;
  await expect(beside.getByRole('list', { name: 'Lines that could not be read' })).toContainText(
    `line ${lines}: not a row`,
  );
  await beside.getByRole('button', { name: 'Copy', exact: true }).click();
  const found = await copiedBy(corelane, 'Copy threads in calls beside pi.txt as CSV');
  for (const [pid, ns] of sums) {
    const row = found.find((one) => one.pid === `${pid}` && one.call === 'write');
    expect(row).toMatchObject({ trace_ns: `${ns}`, text_ns: `${ns + 1000}`, difference_ns: '1000' });
  }
  const all = [...sums.values()].reduce((sum, ns) => sum + ns, 0);
  const [write] = (await table(corelane)).filter((row) => row.call === 'write');
  expect(write).toMatchObject({
    staktau_ns: `${all + 1000 * sums.size}`,
    staktau_difference_ns: `${1000 * sums.size}`,
  });
  await beside.getByRole('button', { name: 'Close' }).click();
  await expect(beside).toHaveCount(0);
});

const sample = join(import.meta.dirname, '..', 'crates', 'staktau', 'tests', 'sample.txt');

test('the text of another profiler is shown in place of an error, and over a link that goes on waiting', async ({
  corelane,
}) => {
  const { page } = corelane;
  const card = page.getByRole('region', { name: 'Text of STaKTAU: pi.txt' });
  await corelane.open();
  await corelane.choose('notes.txt', Buffer.from('no trace'));
  await expect(page.getByRole('alert')).toBeVisible();
  await corelane.choose('pi.txt', readFileSync(sample));
  await expect(card).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);

  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  await page.goto(`${page.url()}&colour=command`);
  await page.reload();
  await expect(page.getByRole('region', { name: 'Trace wanted' })).toBeVisible();
  await corelane.choose('pi.txt', readFileSync(sample));
  await expect(card).toContainText(`The link is a view of “${trace.name}”`);
  await corelane.choose(trace.name, trace.bytes);
  await expect(card).toHaveCount(0);
  expect((await corelane.view()).colour).toBe('command');
});

test('the text of another profiler alone has its own table', async ({ corelane }) => {
  const { page } = corelane;
  await corelane.open();
  await corelane.choose('pi.txt', readFileSync(sample));
  await expect(page.getByText('1 exit without an enter')).toBeVisible();
  const found = (await copiedBy(corelane, 'Copy as CSV')).map(({ pid, call, text_ns }) => `${pid} ${call} ${text_ns}`);
  // As the facts of the sample have it.
  expect(found.sort()).toEqual(
    [
      '2899 (first to last record) 1393988',
      '2899 execve 417912',
      '2899 openat 37108',
      '2899 mmap2 11862',
      '2899 futex 9000',
      '2899 write 40250',
      '2900 (first to last record) 450500',
      '2900 set_robust_list 4760',
      '2900 futex 350500',
    ].sort(),
  );
});
