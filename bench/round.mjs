/**
 * One round of the wasm module in Node, on one thread: prints what the native program prints, in the same JSON.
 *
 *     node bench/round.mjs FILE
 */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { argv, stdout } from 'node:process';
import init, { openTrace, TraceLoader } from '../web/wasm/tracecore.js';
import { cpuMs } from './clock.mjs';
import { jobPlan, queryPlan } from './plan.mjs';

/** How many bytes are read at a time, as in the scan workers. */
const PIECE = 1 << 20;

const path = argv[2];
if (path === undefined) throw new Error('usage: node bench/round.mjs FILE');

const wasm = await init({ module_or_path: readFileSync(new URL('../web/wasm/tracecore_bg.wasm', import.meta.url)) });
const file = openSync(path, 'r');
const size = fstatSync(file).size;
const bytes = {
  size,
  /** @param {number} offset @param {number} length */
  readAt(offset, length) {
    const buffer = new Uint8Array(length);
    return buffer.subarray(0, readSync(file, buffer, 0, length, offset));
  },
};

const started = cpuMs();
const source = openTrace(bytes);
const metadata = JSON.parse(source.description());
const cpus = Uint32Array.from(metadata.cpus);
const loader = new TraceLoader(cpus, metadata.base_ns, source.diagnostics());
const piece = new Uint8Array(PIECE);
for (const { index, start, end } of JSON.parse(source.jobs())) {
  const scanner = source.scanner(index);
  for (let at = start; at < end; ) {
    const got = readSync(file, piece, 0, Math.min(PIECE, end - at), at);
    if (got === 0) break;
    scanner.push(piece.subarray(0, got));
    at += got;
  }
  const scan = scanner.finish().takeScan();
  if (scan !== undefined) loader.add(scan);
}
const scanMs = cpuMs() - started;
const building = cpuMs();
const trace = loader.build();
const buildMs = cpuMs() - building;
closeSync(file);

const { span, records, sched_events: schedEvents } = JSON.parse(trace.summary());
const NO_BYTES = new Uint8Array();
/** @param {{ type: string }} query */
const ask = ({ type, ...asked }) => trace.ask(JSON.stringify({ trace: { [type]: asked } }), NO_BYTES);

/** The whole way of a tile. @param {object} query */
function tile(query) {
  const job = ask({ type: 'tile', ...query });
  while (job.step());
  return job.answer().buffers();
}

const queries = queryPlan(span).map(({ zoom, level, firstBucket, buckets }) => ({
  zoom,
  level,
  cellsMs: best(() =>
    tile({ kind: 'cpu', variant: 'task', keys: metadata.cpus, level, first_bucket: firstBucket, buckets }),
  ),
  curveMs: best(() => tile({ kind: 'curve', variant: null, keys: [], level, first_bucket: firstBucket, buckets })),
}));

const jobs = jobPlan().map((query) => {
  const times = { name: query.type, totalMs: Number.POSITIVE_INFINITY, stepMs: Number.POSITIVE_INFINITY };
  for (let round = 0; round < 3; round++) {
    const job = ask(query);
    const before = performance.now();
    let longest = 0;
    /** @template T @param {() => T} run */
    const timed = (run) => {
      const start = performance.now();
      const found = run();
      longest = Math.max(longest, performance.now() - start);
      return found;
    };
    while (timed(() => job.step()));
    timed(() => JSON.parse(job.answer().json()));
    times.totalMs = Math.min(times.totalMs, performance.now() - before);
    times.stepMs = Math.min(times.stepMs, longest);
  }
  return times;
});

/**
 * Milliseconds of the fastest of some runs: what the others take longer is due to the machine.
 * @param {() => unknown} query
 */
function best(query) {
  const times = Array.from({ length: 9 }, () => {
    const before = performance.now();
    query();
    return performance.now() - before;
  });
  return Math.min(...times);
}

stdout.write(
  JSON.stringify({
    bytes: size,
    cpus: cpus.length,
    records,
    schedEvents,
    scanMs,
    buildMs,
    peakBytes: wasm.memory.buffer.byteLength,
    queries,
    jobs,
  }),
);
