/** Interrupts on the lanes: what a place, a run and a window lose to them, against the text of the trace. */
import { servePage } from '../scripts/lib/pageServer.mjs';
import { CallReader, deriveCalls, taken } from '../tests/derive/calls.mjs';
import { formatPercent } from '../web/base/format';
import { eventsOf } from './eventTruth';
import { expect, test } from './test';
import { longestRuns, storedText, truthOf } from './truth';

const NAME = 'sysmix-4cpu';
const trace = truthOf(NAME);
const read = new CallReader();
for (const line of storedText(`${NAME}.report`).split('\n')) read.push(line);
const { stolen } = deriveCalls(trace.derived, read);
const { first } = trace.report;
const SOFTIRQS = ['HI', 'TIMER', 'NET_TX', 'NET_RX', 'BLOCK', 'IRQ_POLL', 'TASKLET', 'SCHED', 'HRTIMER', 'RCU'];

/** What interrupts took of a CPU between two instants. */
function takenOn(cpu: number, start: number, end: number): number {
  if (!stolen) throw new Error('the trace has no interrupts');
  return taken(stolen, [{ cpu, from: first + start, to: first + end }]);
}

interface Softirq {
  readonly cpu: number;
  readonly vec: number;
  readonly start: number;
  readonly end: number;
}

/** All of them that end on the CPU and with the vector with which they began. */
function softirqs(): Softirq[] {
  const open = new Map<number, { vec: number; at: number }>();
  const found: Softirq[] = [];
  for (const { at, cpu, event, fields } of eventsOf(NAME)) {
    const vec = Number(/vec=(\d+)/.exec(fields)?.[1]);
    if (event === 'softirq_entry') open.set(cpu, { vec, at });
    const since = open.get(cpu);
    if (event === 'softirq_exit' && since?.vec === vec) found.push({ cpu, vec, start: since.at, end: at });
  }
  return found;
}

test('a band says which handler it is and whom it interrupted; a click goes there', async ({ corelane }) => {
  const { page } = corelane;
  // The longest one that interrupted a run.
  const runs = trace.intervals.filter(({ kind }) => kind === 'run');
  const runOf = ({ cpu, start }: Softirq) =>
    runs.find((run) => run.cpu === cpu && run.start <= start && start < run.end && !run.comm.startsWith('ksoftirqd'));
  const longest = softirqs()
    .filter((one) => runOf(one) !== undefined)
    .sort((a, b) => b.end - b.start - (a.end - a.start))[0];
  const run = longest && runOf(longest);
  if (!longest || !run) throw new Error('no softirq interrupted a run');
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  const length = longest.end - longest.start;
  const seconds = (at: number) => (Number(trace.base + BigInt(Math.round(at))) / 1e9).toFixed(9);
  const window = `${seconds(Math.max(0, longest.start - length))}-${seconds(longest.end + length)}`;
  await page.goto(`${page.url()}&window=${window}`);
  await page.reload();
  await corelane.choose(trace.name, trace.bytes);
  const state = await corelane.drawState();
  expect(state.irqs.find(({ cpu }) => cpu === longest.cpu)?.columns).toBeGreaterThan(10);

  const { x } = await corelane.place(longest.cpu, (longest.start + longest.end) / 2);
  const lane = await corelane.lane(longest.cpu);
  const y = (await corelane.box(corelane.lanes)).y + lane.top + 4;
  await page.mouse.move(x, y);
  const card = page.locator('.hover-card');
  await expect(card).toContainText(`softirq ${SOFTIRQS[longest.vec]}`);
  await expect(card).toContainText(`interrupted ${run.comm} ${run.pid}`);
  await page.mouse.click(x, y);
  await corelane.idle();
  const view = await corelane.view();
  expect(view.event).toEqual({ cpu: longest.cpu, at: longest.start });
  expect(view.selection).toEqual({ cpu: run.cpu, start: run.start });

  // What interrupts took of the run.
  await corelane.openTab('Selection');
  await corelane.idle();
  const ns = takenOn(run.cpu, run.start, run.end);
  await expect(corelane.fact('Interrupts')).toContainText(`softirq ${SOFTIRQS[longest.vec]}`);
  const [, value = '', unit = ''] =
    /^([\d.,]+) (ns|µs|ms|s) /.exec(await corelane.fact('Interrupts').innerText()) ?? [];
  const UNITS: Readonly<Record<string, number>> = { ns: 1, µs: 1e3, ms: 1e6, s: 1e9 };
  expect(Math.round(Number(value.replaceAll(',', '')) * (UNITS[unit] ?? 0))).toBe(ns);
});

test('a window has what interrupts took of each CPU', async ({ corelane }) => {
  const { page, details } = corelane;
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  const [from, to] = [Math.floor(trace.span / 4), Math.floor(trace.span / 2)];
  const seconds = (at: number) => (Number(trace.base + BigInt(at)) / 1e9).toFixed(9);
  await page.goto(`${page.url()}&range=${seconds(from)}-${seconds(to)}&tab=range&table=cpus`);
  await page.reload();
  await corelane.choose(trace.name, trace.bytes);
  const view = await corelane.view();
  await expect(details.getByRole('columnheader', { name: 'Interrupts' })).toBeVisible();
  await details.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('button', { name: 'Copy CPUs as CSV' }).click();
  const [head = '', ...lines] = (await corelane.clipboard()).trim().split(/\r?\n/);
  const column = head.split(',').indexOf('irq_ns');
  const shown = lines.map((line) => Number(line.split(',')[column]));
  const { start = 0, end = 0 } = view.range ?? {};
  expect(shown).toEqual(Array.from({ length: trace.cpus }, (_, cpu) => takenOn(cpu, start, end)));
  expect(Math.max(...shown)).toBeGreaterThan(0);
});

test('the card tells of the place under the pointer, also when that is known late', async ({ corelane }) => {
  const { page } = corelane;
  // Later than cards appear.
  const late =
    'const post = self.postMessage.bind(self); self.postMessage = (...told) => setTimeout(post, 800, ...told);';
  const server = await servePage({
    change: (path, body) => (path.includes('callsWorker') ? Buffer.concat([Buffer.from(late), body]) : body),
  });
  await corelane.open(`${server.url}?trace=`);
  await corelane.choose(trace.name, trace.bytes);
  const { window, plot } = await corelane.drawState();
  const left = (await corelane.box(corelane.lanes)).x + plot.left;
  const timeAt = (x: number): number => window.start + ((x - left) / plot.width) * (window.end - window.start);
  /** What the card has to say of a pixel and its neighbours. */
  const told = (cpu: number, x: number): string => {
    const [start, end] = [Math.floor(timeAt(x - 1.5)), Math.ceil(timeAt(x + 1.5))];
    return `interrupts took ${formatPercent(takenOn(cpu, start, end) / (end - start))} of this pixel`;
  };
  // The run of which two places are most unlike each other.
  const [run] = longestRuns(trace);
  if (!run) throw new Error('the fixture has runs');
  const [from, to] = [(await corelane.place(run.cpu, run.start)).x + 3, (await corelane.place(run.cpu, run.end)).x - 3];
  const xs = Array.from({ length: to - from }, (_, i) => from + i);
  const places = new Map(xs.map((x) => [told(run.cpu, x), x]));
  places.delete('interrupts took 0 % of this pixel');
  expect(places.size).toBeGreaterThan(1);
  const { y } = await corelane.place(run.cpu, run.start);
  const card = page.locator('.hover-card');
  for (const [text, x] of [...places].slice(0, 4)) {
    await page.mouse.move(x, y);
    await expect(card).toContainText(text);
    await expect(card).toContainText(`${run.comm} ${run.pid}`);
  }
  server.close();
});
