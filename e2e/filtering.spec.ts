/** Filters that take some time: their progress, and the way back. */
import { plainLines } from './eventTruth';
import { longTrace } from './longTrace';
import { expect, test } from './test';

const TIMES = 240;
const NAME = 'b510-barrier-8cpu';
const lines = plainLines(NAME);
const count = (lines.length * TIMES).toLocaleString('en');
const hits = (lines.filter((line) => line.includes('sched_wakeup:')).length * TIMES).toLocaleString('en');

/** A text in which other letters are small for each number: it finds the same lines, and is another text. */
const cased = (text: string, number: number): string =>
  [...text].map((letter, place) => ((number >> place) & 1 ? letter.toLowerCase() : letter)).join('');

test('a filter says how far it is, and can be cancelled on the way', async ({ corelane }) => {
  const { page } = corelane;
  test.slow();
  await corelane.open();
  await corelane.choose('long.dat', longTrace(NAME, TIMES));
  await corelane.press('e');
  const shown = corelane.eventsPane.locator('.events-count');
  const text = page.getByLabel('Text', { exact: true });

  // A filter ends sooner than a test can look, so the page itself records the bar's texts, and clicks. On a busy
  // machine the filter may end before any of it is drawn; then it is tried again with another text, because finished
  // lists are kept.
  let attempt = 0;
  await expect(async () => {
    await text.fill('');
    await expect(shown).toHaveText(`${count} events`);
    const seen = await page.evaluateHandle(() => {
      const values: number[] = [];
      new MutationObserver(() => {
        const bar = document.querySelector<HTMLProgressElement>('progress[aria-label="Filtering"]');
        if (bar) values.push(bar.value / bar.max);
      }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
      return values;
    });
    await text.fill(cased('SCHED_WAKEUP:', attempt++));
    await expect(shown).toHaveText(`${hits} of ${count} events`);
    const shares = await seen.jsonValue();
    expect(shares.some((share) => share > 0 && share < 1)).toBe(true);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  }).toPass();

  await page.evaluate(() => {
    new MutationObserver(() => {
      const field = document.querySelector<HTMLInputElement>('.events-tools input[placeholder="Text or expression"]');
      const cancel = document.querySelector<HTMLElement>('.events-count button');
      if (field?.value.startsWith('no line')) cancel?.click();
    }).observe(document.body, { subtree: true, childList: true });
  });
  await expect(async () => {
    await text.fill('SCHED_WAKEUP:');
    await expect(shown).toHaveText(`${hits} of ${count} events`);
    await text.fill(`no line holds this ${attempt++}`);
    await expect(text).toHaveValue('SCHED_WAKEUP:', { timeout: 3000 });
    await expect(shown).toHaveText(`${hits} of ${count} events`);
  }).toPass();
  expect((await corelane.eventRows()).length).toBeGreaterThan(5);
});
