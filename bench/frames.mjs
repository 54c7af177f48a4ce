/**
 * The frames of a scripted minute of zooming and panning, from a trace of the browser itself: the time between them, the
 * page's own work in each (processor time of its main thread) and what that consists of, and what the rasteriser took. Counts what
 * is uploaded to the GPU. Without a GPU, part of the rasteriser runs on the main thread: pixels of 2D canvases are copied there, and
 * those of WebGL are read back, both when layers are updated. That part is told apart.
 */

/**
 * @typedef {object} Frames
 * @property {number} count
 * @property {number} intervalMs Between two frames, the median.
 * @property {number} interval95Ms Of the slowest twentieth, the shortest.
 * @property {number} ownMs The work of the main thread in a frame, the median.
 * @property {number} own99Ms
 * @property {number} longestOwnMs
 * @property {Record<Part, number>} parts The same, on average, by what it is.
 * @property {number} commits Of React.
 * @property {number} layouts That a script forced.
 * @property {number} rasterMs Processor time of the GPU process and the raster threads, for each frame.
 * @property {number} uploads Textures and parts of them.
 * @property {number} uploadedTwice Those whose bytes were there before, in the same place.
 */

/**
 * `script`: our code, and the calls of WebGL and of canvases that it makes, without their drawing. `raster`: what a GPU would do.
 * @typedef {'script' | 'layout' | 'paint' | 'raster' | 'other'} Part
 */

/** What an event of the browser's trace is part of; one of no known name, of what is around it. @type {readonly [Part, RegExp][]} */
const PARTS = [
  ['raster', /ProduceCanvasResource|ReadPixels|WaitForGetOffset|WaitForToken|DoUpdateLayers/],
  ['layout', /[Ll]ayout|[Ss]tyle|HitTest|ShapeText|SvgText/],
  ['paint', /Paint|Layer|Commit|CullRect|BeginMainFrame/],
  ['script', /FunctionCall|^v8|^V8|EvaluateScript|PostMessage|Serialized|EventDispatch|TimerFire|RunMicrotasks/],
];

/** @typedef {{ name: string, ph: string, pid: number, tid: number, ts: number, dur?: number, tdur?: number, args?: { name?: string } }} TraceEvent */

/**
 * @typedef {object} Hovering
 * @property {number} moves Mouse moves.
 * @property {number} ownMs The page's own work in a frame, the median.
 * @property {number} own99Ms
 * @property {Record<Part, number>} parts The same, on average, by what it is.
 * @property {number} bytes What scripts allocate for a move, on average.
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

/** How long uploads are counted. */
const COUNTED_SECONDS = 10;

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
 * @param {string} fragment Of the URL: the view to begin with.
 * @returns {Promise<Frames>}
 */
export async function frames(tab, url, file, seconds = 60, fragment = '') {
  await tab.addInitScript(COUNT_COMMITS);
  await open(tab, url, file, fragment);
  const before = await tab.evaluate('commits');
  const events = await traced(tab, () => move(tab, seconds));
  const commits = (await tab.evaluate('commits')) - before;
  // Counting costs as much as some frames, so it has a turn of its own.
  await tab.evaluate(COUNT_UPLOADS);
  await move(tab, Math.min(seconds, COUNTED_SECONDS));
  const { all, twice } = await tab.evaluate('uploads');
  return { ...measured(events), commits, layouts: forced(events), uploads: all, uploadedTwice: twice };
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
  const over = async () => {
    for (let step = 0; step < moves; step++) {
      const [x, y] = [(step * 0.618) % 1, (step * 0.0382) % 1];
      await tab.mouse.move(x0 + 5 + x * (width - 10), y0 + 5 + y * (height - 10));
    }
  };
  const events = await traced(tab, over);
  const after = await tab.evaluate(state);
  const { ownMs, own99Ms, parts } = measured(events);
  // Sampling takes time itself, so it has a turn of its own.
  const bytes = (await allocated(tab, over)) / moves;
  const [cells, commits] = [after.cells - before.cells, after.commits - before.commits];
  return { moves, ownMs, own99Ms, parts, bytes, cells, commits, layouts: forced(events) };
}

/**
 * Bytes that the page's scripts allocate meanwhile, whether they are collected or not.
 * @param {import('@playwright/test').Page} tab
 * @param {() => Promise<void>} act
 */
async function allocated(tab, act) {
  const session = await tab.context().newCDPSession(tab);
  const collected = { includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true };
  await session.send('HeapProfiler.startSampling', { samplingInterval: 1024, ...collected });
  await act();
  const { profile } = await session.send('HeapProfiler.stopSampling');
  await session.detach();
  return profile.samples.reduce((sum, { size }) => sum + size, 0);
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
 * @param {string} fragment Of the URL: the view to begin with.
 */
async function open(tab, url, file, fragment = '') {
  await tab.goto(`${url}?trace=&graphics=webgl${fragment}`);
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
  const categories = 'devtools.timeline,disabled-by-default-devtools.timeline,toplevel,blink,cc,gpu,v8,__metadata';
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
  // Each frame has one, however many callbacks it calls.
  const drawn = outermost(events.filter(({ name }) => name === 'PageAnimator::serviceScriptedAnimations'));
  // The page's process has the most frames.
  const page = drawn.at(-1);
  const starts = drawn.map(({ ts }) => ts);
  const tasks = outermost(events.filter((event) => event.ph === 'X' && event.name.endsWith('RunTask')));
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
    parts:
      page === undefined
        ? NO_PARTS
        : partsOf(
            events.filter(({ pid, tid }) => pid === page.pid && tid === page.tid),
            starts.length,
          ),
    rasterMs: raster / Math.max(1, starts.length),
  };
}

/** A task is told twice, the one in the other, by two parts of the browser. @param {TraceEvent[]} events */
function outermost(events) {
  /** @type {Map<string, number>} */
  const ends = new Map();
  return [...events]
    .sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0))
    .filter(({ pid, tid, ts, dur = 0 }) => {
      const thread = `${pid}/${tid}`;
      if (ts < (ends.get(thread) ?? 0)) return false;
      ends.set(thread, ts + dur);
      return true;
    });
}

/** @type {Readonly<Record<Part, number>>} */
const NO_PARTS = { script: 0, layout: 0, paint: 0, raster: 0, other: 0 };

/**
 * Processor time of a thread's events without that of the events in them, by part, for each frame in ms.
 * @param {TraceEvent[]} events
 * @param {number} frames
 */
function partsOf(events, frames) {
  const sums = { ...NO_PARTS };
  /** @type {{ end: number, part: Part }[]} */
  const around = [];
  const inOrder = events.filter(({ ph }) => ph === 'X').sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
  for (const { name, ts, dur = 0, tdur = 0 } of inOrder) {
    while ((around.at(-1)?.end ?? Number.POSITIVE_INFINITY) <= ts) around.pop();
    const outer = around.at(-1)?.part;
    const part = PARTS.find(([, names]) => names.test(name))?.[0] ?? outer ?? 'other';
    sums[part] += tdur / 1000 / Math.max(1, frames);
    if (outer !== undefined) sums[outer] -= tdur / 1000 / Math.max(1, frames);
    around.push({ end: ts + dur, part });
  }
  return sums;
}
