/** Recordings that are cut off: a notice says so, lanes show unknown, and findings do not begin with them. */
import type { CorelanePage } from './corelanePage';
import { expect, test } from './test';
import { type Truth, truthOf } from './truth';

const whole = truthOf('barrier32-badplace');
const cutAt = ({ bytes }: Truth, share: number): Buffer => bytes.subarray(0, Math.floor(bytes.length * share));

const banner = (corelane: CorelanePage) => corelane.page.locator('.notices').getByRole('status');

test('a whole trace has no banner, and its line is at all CPUs', async ({ corelane }) => {
  await corelane.open();
  await corelane.choose(whole.name, whole.bytes);
  await expect(banner(corelane)).toHaveCount(0);
  await corelane.showCommands();
  await expect(corelane.page.locator('.uncertain, .doubt')).toHaveCount(0);
  const { curve, plot } = await corelane.drawState();
  expect(curve?.cpus).toEqual([{ x0: 0, x1: plot.width, cpus: whole.cpus }]);
});

for (const share of [0.9, 0.95]) {
  test(`a file cut at ${share} says which CPUs are incomplete, and draws them so`, async ({ corelane }) => {
    await corelane.open();
    await corelane.choose('cut.dat', cutAt(whole, share));
    await expect(banner(corelane)).toContainText('The file is cut off: CPU');
    expect((await corelane.box(corelane.page.locator('.notices'))).height).toBeLessThan(60);
    const { lanes, curve, plot } = await corelane.drawState();
    // Every CPU whose lane shows unknown is named, or is one of those that end early.
    const incomplete = lanes.filter(({ unknown }) => unknown > 0);
    expect(incomplete.length).toBeGreaterThan(0);
    expect(incomplete.length).toBeLessThan(whole.cpus);
    const without = lanes.filter(({ unknown }) => unknown === plot.width).map(({ cpu }) => cpu);
    const named = /CPUs? ([\d,-]+) ha(?:s|ve) no data/.exec(await banner(corelane).innerText())?.[1] ?? '';
    expect(numbersOf(named)).toEqual(without);
    // At the end of the trace, the incomplete CPUs are unknown.
    expect(curve?.cpus.at(-1)?.cpus).toBe(whole.cpus - incomplete.length);
    // Time that only the whole recording covers is not counted as idle.
    for (const { cpu, unknown } of incomplete) {
      const ends = whole.intervals.filter((run) => run.cpu === cpu && run.kind === 'unknown');
      expect(ends, `CPU ${cpu} is whole in the whole`).toEqual([]);
      expect(unknown).toBeGreaterThan(0);
    }
    // Waits may be time in which tasks ran unseen: they are hatched, and the headline says so.
    await corelane.showCommands();
    await expect(corelane.commands.locator('.uncertain').first()).toHaveAttribute('title', /records are missing/);
    await expect(corelane.page.getByRole('note', { name: 'Headline' })).toContainText('For up to ');
    await corelane.page.getByRole('button', { name: 'Diagnostics' }).click();
    await corelane.idle();
    await expect(corelane.details.getByRole('tab', { name: /Diagnostics/ })).toHaveAttribute('aria-selected', 'true');
    await expect(corelane.details).toContainText('The file is cut off');
    await expect(corelane.details).not.toContainText('`');
  });
}

test('findings that may come of the cut are marked, and come last', async ({ corelane }) => {
  await corelane.open();
  await corelane.choose('cut.dat', cutAt(whole, 0.9));
  const rows = corelane.details.getByRole('list', { name: 'Findings' }).locator('.finding');
  await expect(rows.first()).toBeVisible();
  const texts = await rows.allInnerTexts();
  const marked = texts.map((text) => text.includes('uncertain'));
  expect(marked[0]).toBe(false);
  expect(marked).toContain(true);
  expect(marked.indexOf(true)).toBeGreaterThan(marked.lastIndexOf(false));
});

test('a file without its data says how long it is, and how long it should be', async ({ corelane }) => {
  await corelane.open();
  await corelane.choose('head.dat', whole.bytes.subarray(0, 518));
  const alert = corelane.page.getByRole('alert');
  await expect(alert).toContainText(/The file has 518 bytes; it should have at least [\d,]+ bytes\./);
  await expect(alert).not.toContainText('0x');
  await expect(alert).not.toContainText('`');
});

/** The numbers in a list such as `1,4-6`. */
function numbersOf(list: string): number[] {
  return list
    .split(',')
    .filter((part) => part !== '')
    .flatMap((part) => {
      const [first = 0, last = first] = part.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });
}
