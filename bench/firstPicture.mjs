/** When the page's lanes show the whole time range of a file that was dropped, and when they are exact. */

/**
 * @typedef {object} FirstPicture Milliseconds since the file was chosen.
 * @property {number} pictureMs Lanes of nearly all CPUs are drawn over the whole time range, though they are estimates.
 * @property {number} exactMs No lane is an estimate any more.
 * @property {number} openedMs The trace is open, and the page rests.
 */

/**
 * @typedef {object} Look
 * @property {number} at
 * @property {number} end Of the time range.
 * @property {number} drawn CPUs whose lanes have something.
 * @property {number} inferred Columns that are not exact, on all lanes.
 * @property {boolean} loading
 */

/** Milliseconds between two looks at the lanes; a look takes some milliseconds itself. */
const BETWEEN = 60;
/** Some CPUs may do nothing, or nothing that is known at first. */
const NEARLY_ALL = 0.95;

/**
 * Opens a file in a page that rests.
 * @param {import('@playwright/test').Page} tab
 * @param {string} file
 * @returns {Promise<FirstPicture>}
 */
export async function firstPicture(tab, file) {
  await tab.evaluate(`(() => {
    const looks = (window.looks = []);
    const input = document.getElementById('trace-file');
    input.addEventListener('change', () => {
      const started = performance.now();
      const look = () => {
        const { lanes, window: shown } = corelane.drawState();
        const drawn = lanes.filter(({ busy, inferred }) => busy + inferred > 0).length;
        const inferred = lanes.reduce((sum, lane) => sum + lane.inferred, 0);
        const loading = document.querySelector('[aria-label=Loading]') !== null;
        looks.push({ at: performance.now() - started, end: shown.end, drawn, inferred, loading });
        if (window.looks === looks) setTimeout(look, ${BETWEEN});
      };
      look();
    }, { capture: true, once: true });
  })()`);
  await tab.setInputFiles('#trace-file', file);
  const opened = 'looks.some(({ loading }) => loading) && !looks.at(-1).loading';
  await tab.waitForFunction(opened, null, { timeout: 0 });
  await tab.evaluate('corelane.idle()');
  /** @type {Look[]} */
  const all = await tab.evaluate('new Promise((done) => setTimeout(() => { done(looks); looks = null; }, 100))');
  // What was open before is on the screen when the file is chosen.
  const looks = all.slice(all.findIndex(({ loading }) => loading));
  const last = looks.at(-1);
  if (last === undefined) throw new Error('nobody looked at the lanes');
  const whole = (/** @type {Look} */ look) => look.end === last.end && NEARLY_ALL * last.drawn <= look.drawn;
  const at = (/** @type {Look | undefined} */ look) => look?.at ?? Number.NaN;
  return {
    pictureMs: at(looks.find(whole)),
    exactMs: at(looks.find((look) => whole(look) && look.inferred <= last.inferred)),
    openedMs: last.at,
  };
}
