/** How long was between events that belong together, counted from the text of the trace. */
import { eventsOf } from './eventTruth';
import { expect, test } from './test';
import { fileBytes } from './truth';

const NAME = 'sysmix-4cpu';

interface Pair {
  readonly pid: number;
  readonly at: number;
  readonly ns: number;
  readonly cpu: number;
}

/** Softirqs by vector: an exit belongs to the last entry of the same vector on the same CPU. */
function softirqs(): Map<string, Pair[]> {
  const open = new Map<string, { at: number; pid: number }>();
  const pairs = new Map<string, Pair[]>();
  for (const { at, cpu, pid, event, fields } of eventsOf(NAME)) {
    const vec = /vec=(\d+)/.exec(fields)?.[1];
    if (vec === undefined) continue;
    const since = open.get(`${cpu} ${vec}`);
    if (event === 'softirq_entry') open.set(`${cpu} ${vec}`, { at, pid });
    if (event === 'softirq_exit' && since !== undefined) {
      pairs.set(vec, [...(pairs.get(vec) ?? []), { at: since.at, ns: at - since.at, cpu, pid: since.pid }]);
      open.delete(`${cpu} ${vec}`);
    }
  }
  return pairs;
}

const sum = (pairs: readonly Pair[]): number => pairs.reduce((all, { ns }) => all + ns, 0);

test('softirqs are paired as the text tells, by vector, with the longest as links', async ({ corelane }) => {
  const { details, page } = corelane;
  const truth = softirqs();
  const all = [...truth.values()].flat();
  expect(all.length).toBeGreaterThan(500);
  await corelane.open();
  await corelane.choose(`${NAME}.dat`, fileBytes(NAME));
  await corelane.openTab('Pairs');
  const pairs = details.getByRole('grid', { name: 'Pairs of events' });
  const softirq = pairs.getByRole('row', { name: /^softirq / });
  await softirq.click();
  await expect(softirq).toContainText(all.length.toLocaleString('en'));
  expect(page.url()).toContain('pair=softirq');

  const groups = details.getByRole('grid', { name: 'softirq by group' });
  const [vector, most] = [...truth].sort(([, a], [, b]) => sum(b) - sum(a))[0] ?? ['', []];
  const VECTORS = ['HI', 'TIMER', 'NET_TX', 'NET_RX', 'BLOCK', 'IRQ_POLL', 'TASKLET', 'SCHED', 'HRTIMER', 'RCU'];
  await expect(groups.getByRole('row').nth(1)).toContainText(VECTORS[Number(vector)] ?? '?');
  await expect(groups.getByRole('row').nth(1)).toContainText(most.length.toLocaleString('en'));
  await expect(groups.getByRole('row')).toHaveCount(truth.size + 1);

  // The longest one: a click leads to its event.
  const longest = [...all].sort((a, b) => b.ns - a.ns || a.at - b.at)[0];
  await details.getByRole('grid', { name: 'Longest softirq' }).getByRole('row').nth(1).click();
  await corelane.idle();
  await expect.poll(() => page.url()).toContain(`event=${longest?.cpu}@`);

  // By CPU.
  await details.getByRole('region', { name: 'Groups' }).getByText('CPU', { exact: true }).click();
  const cpus = details.getByRole('grid', { name: 'softirq by cpu' });
  await expect(cpus.getByRole('row')).toHaveCount(new Set(all.map(({ cpu }) => cpu)).size + 1);
  expect(page.url()).toContain('pairs=cpu');
});

test('a pair of any two events is measured, and what is wrong with it is told', async ({ corelane }) => {
  const { details, page } = corelane;
  const timer = softirqs().get('1') ?? [];
  expect(timer.length).toBeGreaterThan(50);
  await corelane.open();
  await corelane.choose(`${NAME}.dat`, fileBytes(NAME));
  await corelane.openTab('Pairs');
  await details.getByText('A pair of your own').click();
  const type = (label: string, text: string) => details.getByLabel(label, { exact: true }).fill(text);
  await type('Start', 'irq:softirq_entri');
  await type('End', 'irq:softirq_exit');
  await type('Key', 'cpu,vec');
  await details.getByRole('button', { name: 'Measure' }).click();
  await expect(details.getByRole('alert')).toContainText('softirq_entry');

  await type('Start', 'irq:softirq_entry[vec == 1]');
  await details.getByRole('button', { name: 'Measure' }).click();
  const own = details.getByRole('grid', { name: 'Pairs of events' }).getByRole('row').nth(1);
  await expect(own).toContainText(timer.length.toLocaleString('en'));
  expect(page.url()).toContain('pair-own=');
  await details.getByRole('button', { name: 'Built-in pairs' }).click();
  await expect(details.getByRole('row', { name: /^softirq / })).toBeVisible();
  expect(page.url()).not.toContain('pair-own=');
});

test('pairs are those of some tasks, and a group stands beside all, also cumulatively', async ({ corelane }) => {
  const { details, page } = corelane;
  const truth = softirqs();
  const all = [...truth.values()].flat();
  // The task in which most of them began, apart from the idle one.
  const counts = new Map<number, Pair[]>();
  for (const pair of all) if (pair.pid !== 0) counts.set(pair.pid, [...(counts.get(pair.pid) ?? []), pair]);
  const [pid, own] = [...counts].sort(([, a], [, b]) => b.length - a.length)[0] ?? [0, []];
  expect(own.length).toBeGreaterThan(5);
  await corelane.open();
  await corelane.choose(`${NAME}.dat`, fileBytes(NAME));
  await corelane.openTab('Pairs');
  await details.getByRole('searchbox', { name: 'Tasks in which pairs begin' }).fill(`${pid}`);
  await corelane.idle();
  const row = details.getByRole('grid', { name: 'Pairs of events' }).getByRole('row', { name: /^softirq / });
  await row.click();
  await expect(row).toContainText(` ${own.length.toLocaleString('en')} `);
  expect(page.url()).toContain(`pair-task=${pid}`);

  const groups = details.getByRole('grid', { name: 'softirq by group' });
  await groups.getByRole('row').nth(1).click();
  await corelane.idle();
  expect(page.url()).toContain('pair-group=');
  await expect(details.locator('.latency-group')).toBeVisible();
  await expect(details.locator('polyline.cumulative')).toHaveCount(2);
  // The highest bucket ends above all of them.
  const buckets = details.getByRole('slider', { name: 'softirq: bucket' });
  await buckets.focus();
  await page.keyboard.press('End');
  await expect(buckets).toHaveAttribute('aria-valuetext', /Below .*: 100 %\.$/);
});
