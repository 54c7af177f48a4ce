import { rows } from '../tests/derive/callDifferences.mjs';
import { CallReader, deriveCalls } from '../tests/derive/calls.mjs';
import { eventsOf } from './eventTruth';
import { expect, test } from './test';
import { storedText, truthOf } from './truth';

const trace = truthOf('sysmix-4cpu');
const read = new CallReader();
for (const line of storedText('sysmix-4cpu.report').split('\n')) read.push(line);
const truth = deriveCalls(trace.derived, read);
const { first } = trace.report;

interface Copied {
  readonly [column: string]: string;
}

/** Comma-separated values whose texts have no commas. */
function csv(text: string): Copied[] {
  const [head = [], ...lines] = text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(','));
  return lines.map((line) => Object.fromEntries(head.map((name, i) => [name, line[i] ?? ''])));
}

test('the tab of system calls counts what the text tells; a row leads to its longest call and to who ended it', {
  tag: '@firefox',
}, async ({ corelane }) => {
  const { details, page } = corelane;
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  await corelane.openTab('Syscalls');
  await corelane.idle();
  await details.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('button', { name: 'Copy system calls by call as CSV' }).click();
  const copied = csv(await corelane.clipboard());
  const expected = rows(trace.derived, truth, { args: [] }, 'call');
  expect(copied.length).toBe(expected.size);
  const facts = [...expected.values()].map((row) => {
    const { calls, errors, interrupted, unfinished, unfinished_ns, duration_ns, irq_ns } = row;
    const { sum, min, p50, p90, p99, p999, max } = duration_ns;
    const split = row as unknown as Record<string, number>;
    const states = ['oncpu', 'runnable', 'sleeping', 'blocked', 'stopped', 'unknown'].map(
      (name) => split[`${name}_ns`],
    );
    return [
      calls,
      errors,
      interrupted,
      unfinished,
      unfinished_ns,
      sum,
      min,
      p50,
      p90,
      p99,
      p999,
      max,
      ...states,
      irq_ns,
    ];
  });
  const columns =
    'calls errors interrupted unfinished unfinished_ns sum_ns min_ns p50_ns p90_ns p99_ns p999_ns max_ns oncpu_ns runnable_ns sleeping_ns blocked_ns stopped_ns unknown_ns irq_ns';
  const shown = copied.map((row) => columns.split(' ').map((name) => row[name] ?? ''));
  const texts = (facts as readonly (readonly unknown[])[]).map((row) => row.map((value) => `${value ?? ''}`).join(' '));
  expect(shown.map((row) => row.join(' ')).sort()).toEqual(texts.sort());

  // Of the calls in which threads slept, those that are not as long as the trace.
  const top = copied.find((row) => Number(row.max_ns) < trace.span / 4 && Number(row.sleeping_ns) > 0);
  const table = details.getByRole('grid', { name: 'System calls' });
  await table
    .getByRole('row')
    .filter({ has: page.getByText(top?.call ?? '', { exact: true }) })
    .click();
  await corelane.idle();
  const named = truth.calls.filter(({ returned, end, at }) => returned && `${end - at}` === top?.max_ns);
  const [longest] = named;
  if (!longest) throw new Error('the derivation has no call of that length');
  const view = await corelane.view();
  expect(view.calls.at).toMatchObject({ pid: longest.thread.pid, at: longest.at - first });
  expect(view.tab).toBe('syscalls');
  expect(view.window).not.toBeNull();
  expect(view.window?.start).toBeLessThan(longest.at - first);
  expect(view.window?.end).toBeGreaterThan(longest.end - first);
  // The run that is selected is the thread's, and begins in the call, after it had waited for the last time.
  const run = trace.intervals.find(({ cpu, start }) => cpu === view.selection?.cpu && start === view.selection.start);
  expect(run?.pid).toBe(longest.thread.pid);
  expect(run?.start).toBeGreaterThan(longest.at - first);
  expect(run?.start).toBeLessThanOrEqual(longest.end - first);
  await expect(details.getByRole('region', { name: 'Wakeup chain' })).toBeVisible();
  // The address leads there too.
  expect(page.url()).toContain(`calls-row=${top?.call}`);
  expect(page.url()).toContain(`call=${longest.thread.pid}`);
  await page.reload();
  await corelane.choose(trace.name, trace.bytes);
  expect(await corelane.view()).toEqual(view);
});

test('with a filter, the calls count that were entered in runs that pass', async ({ corelane }) => {
  const { details, page } = corelane;
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  await page.locator('#filter').fill('sched_switch: next_pid & 1');
  await corelane.openTab('Syscalls');
  await corelane.idle();
  await expect(details).toContainText('runs that pass the filter');
  // The last switch on the CPU began the run: its task may have another number by then, if it executed a program.
  const switches = eventsOf('sysmix-4cpu').filter(({ event }) => event === 'sched_switch');
  const passes = ({ cpu, at }: (typeof truth.calls)[number]): boolean => {
    const begun = switches.findLast((event) => event.cpu === cpu && event.at <= at - first);
    return (Number(/next_pid=(\d+)/.exec(begun?.fields ?? '')?.[1] ?? 0) & 1) === 1;
  };
  const all = truth.calls.filter(({ returned }) => returned);
  const expected = all.filter(passes).length;
  expect(expected).toBeGreaterThan(100);
  expect(expected).toBeLessThan(all.length);
  await details.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('button', { name: 'Copy system calls by call as CSV' }).click();
  const copied = csv(await corelane.clipboard());
  expect(copied.reduce((sum, row) => sum + Number(row.calls), 0)).toBe(expected);
});

test('task lanes have their calls below the states, and lanes their interrupts; both can be hidden', async ({
  corelane,
}) => {
  const { details, page } = corelane;
  const busiest = truth.threads.toSorted((a, b) => callsOf(b) - callsOf(a))[0];
  if (!busiest) throw new Error('no thread');
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  await page.goto(`${page.url()}&tasks=${busiest.pid}&tab=syscalls`);
  await page.reload();
  await corelane.choose(trace.name, trace.bytes);
  const lane = async () => (await corelane.drawState()).tasks?.lanes.find(({ pid }) => pid === busiest.pid);
  await expect.poll(async () => (await lane())?.strip.calls ?? 0).toBeGreaterThan(0);
  expect((await lane())?.strip.irqs).toBeGreaterThan(0);
  await details.getByRole('checkbox', { name: 'Calls' }).uncheck();
  await details.getByRole('checkbox', { name: 'Interrupts' }).uncheck();
  await corelane.idle();
  expect((await lane())?.strip).toEqual({ calls: 0, failed: 0, irqs: 0 });
  expect(page.url()).toContain('hide=calls,irqs');
});

const callsOf = (thread: object): number => truth.calls.filter((call) => call.thread === thread).length;

test('a trace without system calls says what to record', async ({ corelane }) => {
  const other = truthOf('forkpipe-8cpu');
  await corelane.open();
  await corelane.choose(other.name, other.bytes);
  await corelane.openTab('Syscalls');
  await expect(corelane.details.getByText('trace-cmd record -e raw_syscalls -e sched')).toBeVisible();
});
