/**
 * One round of the wasm module in Node, on one thread: prints what the native program prints, in the same JSON.
 *
 *     node bench/round.mjs FILE QUESTIONS
 */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { argv, stdout } from 'node:process';
import init, { openTrace, TraceLoader } from '../web/wasm/engine.js';
import { cpuMs } from './clock.mjs';

/** How many bytes are read at a time, as in the scan workers. */
const PIECE = 1 << 20;

const [, , path, questions] = argv;
if (path === undefined || questions === undefined) throw new Error('usage: node bench/round.mjs FILE QUESTIONS');
/** @type {import('./plan.mjs').Planned[]} */
const plan = JSON.parse(readFileSync(questions, 'utf8'));

const wasm = await init({ module_or_path: readFileSync(new URL('../web/wasm/engine_bg.wasm', import.meta.url)) });
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
const loader = new TraceLoader(cpus, metadata.base_ns, source.facts());
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
while (loader.buildStep());
const trace = loader.trace();
const buildMs = cpuMs() - building;
const indexing = cpuMs();
while (!trace.prepare());
const indexMs = cpuMs() - indexing;
closeSync(file);

const { records, sched_events: schedEvents } = JSON.parse(trace.summary());
const NO_BYTES = new Uint8Array();

const answers = plan.map(({ name, repeats, questions }) => {
  const asked = questions.map((question) => {
    const times = Array.from({ length: repeats }, () => answer(question));
    return {
      ms: Math.min(...times.map(({ ms }) => ms)),
      stepMs: Math.min(...times.map(({ stepMs }) => stepMs)),
      firstMs: times[0]?.ms ?? Number.NaN,
      firstStepMs: times[0]?.stepMs ?? Number.NaN,
    };
  });
  const sorted = asked.map(({ ms }) => ms).sort((a, b) => a - b);
  return {
    name,
    ms: sorted[Math.min(Math.floor(sorted.length * 0.95), sorted.length - 1)],
    stepMs: Math.max(...asked.map(({ stepMs }) => stepMs)),
    firstMs: Math.max(...asked.map(({ firstMs }) => firstMs)),
    firstStepMs: Math.max(...asked.map(({ firstStepMs }) => firstStepMs)),
  };
});

/** The whole way of an answer to JavaScript. @param {object} question */
function answer(question) {
  const before = performance.now();
  const job = trace.ask(JSON.stringify(question), NO_BYTES);
  let stepMs = 0;
  let more = true;
  while (more) {
    const start = performance.now();
    more = job.step();
    stepMs = Math.max(stepMs, performance.now() - start);
  }
  const last = performance.now();
  const answered = job.answer();
  JSON.parse(answered.json());
  answered.buffers();
  answered.free();
  const end = performance.now();
  return { ms: end - before, stepMs: Math.max(stepMs, end - last) };
}

stdout.write(
  JSON.stringify({
    bytes: size,
    cpus: cpus.length,
    records,
    schedEvents,
    scanMs,
    buildMs,
    indexMs,
    peakBytes: wasm.memory.buffer.byteLength,
    answers,
  }),
);
