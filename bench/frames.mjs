/**
 * The frames of a scripted minute of zooming and panning, from a trace of the browser itself: the time between them, the
 * page's own work in each (processor time of its main thread), and what the rasteriser took. Counts what is uploaded to the GPU.
 */

/**
 * @typedef {object} Frames
 * @property {number} count
 * @property {number} intervalMs Between two frames, the median.
 * @property {number} interval95Ms Of the slowest twentieth, the shortest.
 * @property {number} ownMs The page's own work in a frame, the median.
 * @property {number} own99Ms
 * @property {number} longestOwnMs
 * @property {number} rasterMs Processor time of the GPU process and the raster threads, for each frame.
 * @property {number} uploads Textures and parts of them.
 * @property {number} uploadedTwice Those whose bytes were there before, in the same place.
 */

/** @typedef {{ name: string, ph: string, pid: number, tid: number, ts: number, dur?: number, tdur?: number, args?: { name?: string } }} TraceEvent */

/**
 * @typedef {object} Hovering
 * @property {number} moves Mouse moves.
 * @property {number} ownMs The page's own work in a frame, the median.
 * @property {number} own99Ms
 * @property {number} cells How often lanes were redrawn.
 * @property {number} commits Of React.
 * @property {number} layouts That a script forced.
 */

/** React tells such a hook of each commit, in builds for users too. */
const COUNT_COMMITS = `(() => {
  window.commits = 0;
  window.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
    supportsFiber: true,
    inject: () => 1,
    onCommitFiberRoot: () => void window.commits++,
    onCommitFiberUnmount() {},
    onPostCommitFiberRoot() {},
    checkDCE() {},
  };
})()`;

/** Wraps the calls that upload textures; hashes what they are given. */
const COUNT_UPLOADS = `(() => {
  const counts = (window.uploads = { all: 0, twice: 0 });
  const before = new WeakMap();
  for (const name of ['texSubImage3D', 'texSubImage2D', 'texImage2D']) {
    const original = WebGL2RenderingContext.prototype[name];
    WebGL2RenderingContext.prototype[name] = function (...args) {
      const bytes = args.find((arg) => ArrayBuffer.isView(arg));
      if (bytes !== undefined) {
        let hash = bytes.length;
        for (let i = 0; i < bytes.length; i += 7) hash = (hash * 31 + bytes[i]) | 0;
        const texture = this.getParameter(name === 'texSubImage3D' ? this.TEXTURE_BINDING_2D_ARRAY : this.TEXTURE_BINDING_2D);
        const place = name + args.filter((arg) => typeof arg === 'number');
        const known = before.get(texture) ?? new Map();
        before.set(texture, known);
        counts.all++;
        if (known.get(place) === hash) counts.twice++;
        known.set(place, hash);
      }
      return original.apply(this, args);
    };
  }
})()`;

/**
 * Opens a file in a new page and moves about in it.
 * @param {import('@playwright/test').Page} tab
 * @param {string} url
 * @param {string} file
 * @param {number} seconds
 * @returns {Promise<Frames>}
 */
export async function frames(tab, url, file, seconds = 60) {
  await tab.addInitScript(COUNT_UPLOADS);
  await open(tab, url, file);
  await tab.evaluate('uploads.all = uploads.twice = 0');
  const events = await traced(tab, () => move(tab, seconds));
  const { all, twice } = await tab.evaluate('uploads');
  return { ...measured(events), uploads: all, uploadedTwice: twice };
}

/**
 * Opens a file in a new page and moves the pointer over its lanes, with no button pressed.
 * @param {import('@playwright/test').Page} tab
 * @param {string} url
 * @param {string} file
 * @param {number} moves
 * @returns {Promise<Hovering>}
 */
export async function hovering(tab, url, file, moves = 300) {
  await tab.addInitScript(COUNT_COMMITS);
  await open(tab, url, file);
  const { left, top, width, height } = await tab.evaluate('corelane.drawState().plot');
  const box = await tab.getByRole('region', { name: 'Lanes of all CPUs' }).boundingBox();
  const [x0, y0] = [(box?.x ?? 0) + left, (box?.y ?? 0) + top];
  await tab.mouse.move(x0 + 5, y0 + 5);
  await tab.evaluate('corelane.idle()');
  const state = '({ cells: corelane.drawState().drawn.cells, commits })';
  const before = await tab.evaluate(state);
  const events = await traced(tab, async () => {
    for (let step = 0; step < moves; step++) {
      const [x, y] = [(step * 0.618) % 1, (step * 0.0382) % 1];
      await tab.mouse.move(x0 + 5 + x * (width - 10), y0 + 5 + y * (height - 10));
    }
  });
  const after = await tab.evaluate(state);
  const { ownMs, own99Ms } = measured(events);
  const [cells, commits] = [after.cells - before.cells, after.commits - before.commits];
  return { moves, ownMs, own99Ms, cells, commits, layouts: forced(events) };
}

/**
 * Layouts within a script's call: the browser would have made them later, and once.
 * @param {TraceEvent[]} events
 */
function forced(events) {
  const scripts = events.filter(({ ph, name }) => ph === 'X' && name === 'FunctionCall');
  const isIn = (/** @type {TraceEvent} */ inner, /** @type {TraceEvent} */ outer) =>
    inner.pid === outer.pid &&
    inner.tid === outer.tid &&
    outer.ts <= inner.ts &&
    inner.ts < outer.ts + (outer.dur ?? 0);
  return events.filter((event) => event.name === 'Layout' && scripts.some((script) => isIn(event, script))).length;
}

/**
 * @param {import('@playwright/test').Page} tab
 * @param {string} url
 * @param {string} file
 */
async function open(tab, url, file) {
  await tab.goto(`${url}?trace=&graphics=webgl`);
  await tab.evaluate('corelane.idle()');
  await tab.setInputFiles('#trace-file', file);
  const opened = 'document.querySelector("[aria-label=Loading]") === null && corelane.drawState().lanes.length > 0';
  await tab.waitForFunction(opened, null, { timeout: 0 });
  await tab.evaluate('corelane.idle()');
}

/**
 * What the browser traces meanwhile.
 * @param {import('@playwright/test').Page} tab
 * @param {() => Promise<void>} act
 */
async function traced(tab, act) {
  const session = await tab.context().newCDPSession(tab);
  /** @type {TraceEvent[]} */
  const events = [];
  session.on('Tracing.dataCollected', ({ value }) => void events.push(.../** @type {any} */ (value)));
  const ended = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  const categories = 'devtools.timeline,disabled-by-default-devtools.timeline,toplevel,__metadata';
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: categories.split(',') },
  });
  await act();
  await session.send('Tracing.end');
  await ended;
  return events;
}

/**
 * Zooms in at ever other places, pans by dragging and by wheel, zooms out.
 * @param {import('@playwright/test').Page} tab
 * @param {number} seconds
 */
async function move(tab, seconds) {
  const end = Date.now() + seconds * 1000;
  const { left, top, width, height } = await tab.evaluate('corelane.drawState().plot');
  const box = await tab.getByRole('region', { name: 'Lanes of all CPUs' }).boundingBox();
  const [x0, y0] = [(box?.x ?? 0) + left, (box?.y ?? 0) + top];
  for (let round = 0; Date.now() < end; round++) {
    const x = x0 + width * ((round * 0.618) % 1);
    const y = y0 + height * ((round * 0.382) % 1);
    await tab.mouse.move(x, y);
    for (let step = 0; step < 24; step++) await tab.mouse.wheel(0, -120);
    await tab.mouse.down();
    await tab.mouse.move(x0 + width - (x - x0), y, { steps: 30 });
    await tab.mouse.up();
    for (let step = 0; step < 10; step++) await tab.mouse.wheel(60, 0);
    for (let step = 0; step < 24; step++) await tab.mouse.wheel(0, 120);
  }
}

/** @param {TraceEvent[]} events */
function measured(events) {
  const named = events.filter(({ ph, name }) => ph === 'M' && name === 'thread_name');
  const threads = new Map(named.map(({ pid, tid, args }) => [`${pid}/${tid}`, args?.name ?? '']));
  const nameOf = (/** @type {TraceEvent} */ event) => threads.get(`${event.pid}/${event.tid}`) ?? '';
  const drawn = events.filter(({ name }) => name === 'FireAnimationFrame').sort((a, b) => a.ts - b.ts);
  // The page's process has the most frames.
  const page = drawn.at(-1);
  const starts = drawn.map(({ ts }) => ts);
  const tasks = events.filter((event) => event.ph === 'X' && event.name.endsWith('RunTask'));
  const own = new Array(starts.length).fill(0);
  let raster = 0;
  for (const task of tasks) {
    const cpu = (task.tdur ?? 0) / 1000;
    if (page !== undefined && task.pid === page.pid && task.tid === page.tid) {
      const frame = starts.findLastIndex((start) => start <= task.ts + (task.dur ?? 0));
      if (frame >= 0) own[frame] += cpu;
    } else if (/Gpu|Raster|Compositor|ThreadPoolForeground|TileWorker/.test(nameOf(task))) raster += cpu;
  }
  const between = starts.slice(1).map((start, index) => (start - (starts[index] ?? start)) / 1000);
  const share = (/** @type {number[]} */ values, /** @type {number} */ part) =>
    [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN;
  return {
    count: starts.length,
    intervalMs: share(between, 0.5),
    interval95Ms: share(between, 0.95),
    ownMs: share(own, 0.5),
    own99Ms: share(own, 0.99),
    longestOwnMs: share(own, 1),
    rasterMs: raster / Math.max(1, starts.length),
  };
}
