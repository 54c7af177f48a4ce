/** A filter over all events of a trace in the page: when the first hits are counted, when all are, and when it has ended after it was cleared. */

/**
 * @typedef {object} Filtering Milliseconds since the filter was typed.
 * @property {number} firstMs Some hits are counted.
 * @property {number} allMs All events were looked at.
 * @property {number} passingMs Lanes, tables and findings are of the runs for which the hits stand.
 * @property {number} endedMs After the filter is cleared while it is at work: the page shows all runs, and rests.
 * @property {string} found What the page says in the end.
 */

/**
 * @param {import('@playwright/test').Page} tab Where the trace is open, at rest.
 * @param {string} expression
 * @returns {Promise<Filtering>}
 */
export async function filtering(tab, expression) {
  await type(tab, expression);
  await tab.evaluate('corelane.idle()');
  const passingMs = await tab.evaluate('performance.now() - typed');
  const found = await tab.evaluate('filterBox.textContent');
  const [firstMs = Number.NaN, allMs = Number.NaN] = await tab.evaluate('[firstHit, allHits]');
  await type(tab, '');
  await tab.evaluate('corelane.idle()');
  // Another expression, so that nothing of it is known.
  await type(tab, `${expression} && common_pid != -7`);
  await tab.waitForTimeout(300);
  await type(tab, '');
  await tab.evaluate('corelane.idle()');
  const endedMs = await tab.evaluate('performance.now() - typed');
  return { firstMs, allMs, passingMs, endedMs, found };
}

/**
 * Fills the field as a user's paste does, and watches what is said beside it.
 * @param {import('@playwright/test').Page} tab
 * @param {string} text
 */
async function type(tab, text) {
  await tab.evaluate(`(() => {
    window.filterBox = document.querySelector('#filter').closest('[role=search], search');
    window.firstHit = window.allHits = undefined;
    window.watching?.disconnect();
    window.watching = new MutationObserver(() => {
      const said = filterBox.textContent;
      if (/[1-9][0-9,]* events?/.test(said)) {
        firstHit ??= performance.now() - typed;
        if (!/searched/.test(said)) allHits ??= performance.now() - typed;
      }
    });
    watching.observe(filterBox, { subtree: true, childList: true, characterData: true });
    document.querySelector('#filter').addEventListener('input', () => (window.typed = performance.now()), { capture: true, once: true });
  })()`);
  await tab.fill('#filter', text);
}
