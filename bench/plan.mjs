/** The questions that are asked of a trace: the same of the native program (bench/native) and of wasm. */

/** @typedef {{ readonly lanes: number, readonly columns: number }} Pane The largest that a screen shows. */

/** A full screen with the lanes of a large machine, and a very large screen with those of a very large one. */
export const PANES = [
  { lanes: 128, columns: 1600 },
  { lanes: 512, columns: 2560 },
];
const COLUMNS = 1600;

/** The whole trace and ever smaller parts of it. */
const ZOOMS = [1, 16, 256, 4096];

/** Lanes of tasks that a screen shows. */
const TASK_LANES = 40;

/** The least width of a run with a label, in columns. */
const LABEL = 40;

/** How many places single runs are asked about. */
const PLACES = 100;

/**
 * @typedef {object} Facts What the plan depends on.
 * @property {number} span Nanoseconds.
 * @property {number} cpus
 */

/**
 * @typedef {object} Planned Questions of one kind: bench/native/src/questions.rs reads them.
 * @property {string} name
 * @property {number} repeats
 * @property {object[]} questions
 */

/**
 * The window that a pane asks for around the middle of the trace. A level has between `columns` and twice as many
 * buckets.
 * @param {number} span Nanoseconds.
 * @param {number} zoom
 * @param {number} columns
 */
function windowOf(span, zoom, columns = COLUMNS) {
  const width = Math.max(span / zoom, columns);
  const level = Math.floor(Math.log2(width / columns));
  const bucket = 2 ** level;
  const firstBucket = Math.floor(Math.max(span / 2 - width / 2, 0) / bucket);
  return { zoom, level, firstBucket, buckets: Math.ceil(width / bucket) };
}

/**
 * The windows of all zooms.
 * @param {number} span Nanoseconds.
 */
export const queryPlan = (span) => ZOOMS.map((zoom) => windowOf(span, zoom));

/** All of the trace. */
const SELECTION = { window: null, forked: false, movable: false, target: null, comms: [], pids: [], cpus: null };

/**
 * @param {Facts} facts
 * @returns {Planned[]}
 */
export function questionPlan({ span, cpus }) {
  /** @param {number} lanes */
  const first = (lanes) => Array.from({ length: lanes }, (_, key) => key);
  /** @type {(name: string, question: object) => Planned} */
  const short = (name, question) => ({ name, repeats: 9, questions: [question] });
  /** @type {(kind: string, variant: string | null, keys: number[], zoom: number, columns?: number) => object} */
  const tile = (kind, variant, keys, zoom, columns) => {
    const { level, firstBucket, buckets } = windowOf(span, zoom, columns);
    return { tile: { kind, variant, keys, level, first_bucket: firstBucket, buckets } };
  };
  const zoomed = (/** @type {(zoom: number) => Planned} */ of) => ZOOMS.map(of);
  const panes = PANES.filter(({ lanes }, index) => index === 0 || lanes <= cpus).map((pane) => ({
    ...pane,
    lanes: Math.min(pane.lanes, cpus),
  }));
  const wide = Math.min(cpus, PANES[0]?.lanes ?? cpus);
  /** @param {number} zoom */
  const labels = (zoom) => {
    const { level, firstBucket, buckets } = windowOf(span, zoom);
    const bucket = 2 ** level;
    const window = { start: firstBucket * bucket, end: (firstBucket + buckets) * bucket };
    return { labels: { kind: 'cpu', keys: first(wide), window, min_width: LABEL * bucket } };
  };
  /** @param {number} zoom */
  const window = (zoom) => ({
    start: Math.floor(span / 2 - span / zoom / 2),
    end: Math.floor(span / 2 + span / zoom / 2),
  });
  /** The multiples of the golden ratio are spread evenly and never repeat. @param {string} type @param {object} [more] */
  const places = (type, more) =>
    Array.from({ length: PLACES }, (_, place) => ({
      [type]: { cpu: place % cpus, at: Math.floor(span * ((place * 0.618_033_988_75) % 1)), ...more },
    }));
  return [
    ...panes.flatMap(({ lanes, columns }) =>
      zoomed((zoom) =>
        short(`cells ${lanes} x ${columns}, 1/${zoom}`, tile('cpu', 'task', first(lanes), zoom, columns)),
      ),
    ),
    ...zoomed((zoom) =>
      short(`task cells ${TASK_LANES} x ${COLUMNS}, 1/${zoom}`, tile('task', null, first(TASK_LANES), zoom)),
    ),
    ...zoomed((zoom) => short(`depths ${wide} x ${COLUMNS}, 1/${zoom}`, tile('runqueue', null, first(wide), zoom))),
    ...zoomed((zoom) => short(`curve, 1/${zoom}`, tile('curve', null, [], zoom))),
    ...zoomed((zoom) => short(`conservation, 1/${zoom}`, tile('conservation', null, [], zoom))),
    ...zoomed((zoom) => short(`labels of ${wide} lanes, 1/${zoom}`, labels(zoom))),
    ...[1, 256].flatMap((zoom) => [
      short(`commands, 1/${zoom}`, { commands: { window: window(zoom) } }),
      short(`table of tasks, 1/${zoom}`, { task_table: { window: window(zoom) } }),
      short(`table of CPUs, 1/${zoom}`, { cpu_table: { window: window(zoom) } }),
      short(`statistics, 1/${zoom}`, { stats: { window: window(zoom) } }),
    ]),
    { name: 'chain of a run', repeats: 3, questions: places('chain', { hops: 20 }) },
    { name: 'wait of a run', repeats: 3, questions: places('wait') },
    { name: 'placement of a run', repeats: 3, questions: places('placement') },
    ...['findings', 'latency', 'overload', 'behind', 'cascades', 'waits'].map((type) => ({
      name: type,
      repeats: 3,
      questions: [{ [type]: { selection: SELECTION, top: 20, by: 'command', min_duration: 0 } }],
    })),
  ];
}

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [below, above] = [sorted[middle - 1] ?? Number.NaN, sorted[middle] ?? Number.NaN];
  return sorted.length % 2 === 1 ? above : (below + above) / 2;
}
