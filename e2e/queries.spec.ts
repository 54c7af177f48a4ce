/** What a click costs: the questions that the page then asks its engine. */
import type { Page } from '@playwright/test';
import { expect, test } from './test';
import { truthOf } from './truth';

/** Counts the questions that the page posts to its workers, by their type and the kind of their track. */
async function countQueries(page: Page): Promise<() => Promise<Readonly<Record<string, number>>>> {
  await page.addInitScript(() => {
    const asked: string[] = [];
    Object.assign(window, { asked });
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (
      this: Worker,
      message: { type: string; key?: string; query?: { type: string; kind?: string } },
      transfer: Transferable[] = [],
    ) {
      // What is under the pointer is asked wherever it is, with or without a click.
      if (message.type === 'query' && message.query && message.key !== 'scene/hover') {
        const { type, kind } = message.query;
        asked.push(kind === undefined ? type : `${type} ${kind}`);
      }
      post.call(this, message, { transfer });
    } as typeof post;
  });
  return async () => {
    const asked = await page.evaluate(() => (window as unknown as { asked: string[] }).asked.splice(0));
    return Object.fromEntries(
      [...new Set(asked)].map((type) => [type, asked.filter((other) => other === type).length]),
    );
  };
}

const trace = truthOf('forkpipe-8cpu');

test('a click asks once for the run, and once for its wakeup chain', async ({ corelane, page }) => {
  const asked = await countQueries(page);
  await corelane.open();
  await corelane.choose(trace.name, trace.bytes);
  const run = trace.intervals.find(
    ({ kind, start, end }) => kind === 'run' && start > trace.span * 0.2 && end - start > trace.span * 0.005,
  );
  if (!run) throw new Error('the fixture has runs that can be seen');
  // The list of events follows the selected task, so it needs the run as well.
  await corelane.press('e');
  await page.getByLabel('Of the selected run').selectOption('task');
  const { x, y } = await corelane.place(run.cpu, (run.start + run.end) / 2);
  await page.mouse.move(x, y);
  await corelane.idle();
  await asked();
  await page.mouse.click(x, y);
  await corelane.idle();
  expect((await corelane.view()).selection).toEqual({ cpu: run.cpu, start: run.start });
  const counts = await asked();
  expect(counts['at cpu']).toBe(1);
  expect(counts.chain).toBe(1);
  expect(counts.cascade_of).toBe(1);
});
