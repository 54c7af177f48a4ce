import type { Page } from '@playwright/test';
import { expect, test } from './test';
import { longestRuns, truthOf } from './truth';

// There is one file of each version, because they store in different places that the clock counts cycles.
for (const name of ['clock-x86-tsc-4cpu', 'b510-clock-x86-tsc-4cpu']) {
  test(`${name}: every number is of ticks, and none of seconds`, async ({ corelane }) => {
    const trace = truthOf(name);
    const run = longestRuns(trace)[0];
    if (!run) throw new Error('the fixture has runs');
    await corelane.open();
    await corelane.choose(trace.name, trace.bytes);
    await corelane.openTab('Trace');
    const grouped = (count: number): string => count.toLocaleString('en-US');
    await expect(corelane.fact('Clock')).toHaveText('x86-tsc (raw ticks)');
    await expect(corelane.fact('First event')).toHaveText(`${trace.base} ticks`);
    await expect(corelane.fact('Last event')).toHaveText(`${trace.base + BigInt(trace.span)} ticks`);
    await expect(corelane.fact('Duration')).toHaveText(`${grouped(trace.span)} ticks`);

    await corelane.clickRun(run.cpu, (run.start + run.end) / 2);
    await expect(corelane.fact('From')).toContainText(`${grouped(run.start)} ticks`);
    await expect(corelane.fact('Duration')).toHaveText(`${grouped(run.end - run.start)} ticks`);

    // Looks for a number with a unit of time anywhere: in tables, findings, legends, on axes, which are text.
    for (const name of await corelane.tabNames()) {
      await corelane.openTab(name);
      await corelane.idle();
      const text = await corelane.page.locator('body').innerText();
      expect(text.match(/\d ?(?:s|ms|µs|ns)\b/g), name).toBeNull();
      expect(text).toMatch(/\d ticks/);
      expect(await outside(corelane.page), name).toEqual([]);
    }
  });
}

/** The numbers in tables and costs of findings that reach beyond their columns. */
function outside(page: Page): Promise<string[]> {
  return page.locator('.table .row .numeric, .finding-cost').evaluateAll((cells) =>
    cells.flatMap((cell) => {
      const text = document.createRange();
      // Beside the text of a cost is another for screen readers, which has no room.
      const own = cell.matches('.finding-cost') ? [...cell.childNodes].find((node) => node instanceof Text) : cell;
      text.selectNodeContents(own ?? cell);
      const [inside, around] = [text.getBoundingClientRect(), cell.getBoundingClientRect()];
      return inside.left < around.left - 0.5 || inside.right > around.right + 0.5 ? [cell.textContent ?? ''] : [];
    }),
  );
}
