/** The questions that are asked of a trace, the same for the native program (bench/native) and for wasm; the median. */

/** Columns of a pane. A level has between this and twice as many buckets. */
const COLUMNS = 1600;

/** The whole trace and ever smaller parts of it. */
const ZOOMS = [1, 16, 256, 4096];

/**
 * The windows that a pane of `COLUMNS` columns asks for, around the middle of the trace.
 * @param {number} span Nanoseconds.
 */
export function queryPlan(span) {
  return ZOOMS.map((zoom) => {
    const width = Math.max(span / zoom, COLUMNS);
    const level = Math.floor(Math.log2(width / COLUMNS));
    const bucket = 2 ** level;
    const firstBucket = Math.floor(Math.max(span / 2 - width / 2, 0) / bucket);
    return { zoom, level, firstBucket, buckets: Math.ceil(width / bucket) };
  });
}

/** Long questions about the whole trace, as bench/native/src/jobs.rs asks them. */
const QUESTIONS = ['findings', 'latency', 'overload', 'cascades', 'waits'];
const SELECTION = { window: null, forked: false, movable: false, target: null, comms: [], pids: [], cpus: null };

export const jobPlan = () =>
  QUESTIONS.map((type) => ({ type, selection: SELECTION, top: 20, by: 'command', min_duration: 0 }));

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [below, above] = [sorted[middle - 1] ?? Number.NaN, sorted[middle] ?? Number.NaN];
  return sorted.length % 2 === 1 ? above : (below + above) / 2;
}
