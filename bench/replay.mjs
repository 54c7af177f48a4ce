/** How fast replays are, natively and in wasm, and what they hold; with the bounds that they keep. */
import { join } from 'node:path';
import { run } from './measure.mjs';
import { median } from './plan.mjs';
import { checkTable, holds, short, table } from './report.mjs';
import { recording } from './traces.mjs';

/** @typedef {import('./report.mjs').Check} Check */

/**
 * @typedef {object} NativeReplay What the native program prints.
 * @property {number} openMs Until the trace can be shown; 0 of what is made.
 * @property {number} scanMs
 * @property {number} workloadMs
 * @property {number} runMs
 * @property {number} spanNs
 * @property {number} tasks
 * @property {number} events
 * @property {number} eventBytes
 * @property {number} workloadBytes
 * @property {number} engineEvents
 * @property {number} rows
 * @property {number} rowBytes
 * @property {string} hash
 */

/**
 * @typedef {object} Case
 * @property {string} name
 * @property {string} workload
 * @property {number} seconds
 * @property {number} tick In ms.
 * @property {number} [times] Real time, at least.
 */

/** The two of WARP: one CPU, 1000 ticks a second. @type {readonly Case[]} */
const MADE = [
  { name: 'gzip-like', workload: 'gzip', seconds: 2000, tick: 1, times: 10_000 },
  { name: 'VolanoMark-like', workload: 'pairs', seconds: 400, tick: 1, times: 2000 },
];
const POLICIES = ['fcfs', 'rr', 'linux24', 'o1', 'cfs', 'eevdf', 'ebs', 'scx'];
/** Engine events a second. */
const NATIVE_RATE = 5e6;
const WASM_RATE = 3e6;
/** The longest replay of big128. */
const BIG_MS = 5000;

/**
 * Tables and checks.
 * @param {string} program
 * @param {number} rounds
 */
export function replayTables(program, rounds) {
  const big = recording('big128.dat');
  /** @type {Case[]} */
  const cases = [...MADE, ...(big === undefined ? [] : [{ name: 'big128', workload: big, seconds: 0, tick: 4 }])];
  /** @type {string[][]} */
  const rows = [];
  /** @type {Check[]} */
  const checks = [];
  for (const { name, workload, seconds, tick, times } of cases) {
    for (const policy of POLICIES) {
      console.log(`${name}, ${policy}`);
      const native = all(() => JSON.parse(run(program, nativeArgs(workload, policy, tick, seconds), 'pipe')));
      const wasm = all(() => JSON.parse(run('node', wasmArgs(workload, policy, tick, seconds), 'pipe')));
      const [first] = native;
      if (first === undefined || wasm[0] === undefined) continue;
      if (wasm[0].hash !== first.hash) throw new Error(`${name}, ${policy}: another run in wasm`);
      const ms = median(native.map(({ runMs }) => runMs));
      const wasmMs = median(wasm.map(({ runMs }) => runMs));
      const openMs = median(native.map(({ openMs }) => openMs));
      const rate = (/** @type {number} */ took) => (1000 * first.engineEvents) / took;
      const speed = (/** @type {number} */ took) => first.spanNs / 1e6 / took;
      rows.push([
        `${name}, ${policy}`,
        ...[first.engineEvents, ms, rate(ms), speed(ms), wasmMs, rate(wasmMs), speed(wasmMs)].map(short),
        first.openMs > 0 ? short(openMs) : '-',
      ]);
      const check = (/** @type {string} */ what, /** @type {number} */ value, /** @type {number} */ aim) =>
        checks.push({ name: `${name}, ${policy}: ${what}`, value, aim, bound: aim, direction: 'at least' });
      if (times !== undefined) {
        check('times real time', speed(ms), times);
        check('times real time, wasm', speed(wasmMs), times);
      }
      check('events a second', rate(ms), NATIVE_RATE);
      check('events a second, wasm', rate(wasmMs), WASM_RATE);
      checks.push(...sizes(name, policy, first));
      if (name === 'big128') {
        const whole = median(native.map(({ scanMs, workloadMs, runMs }) => scanMs + workloadMs + runMs));
        const bound = { aim: BIG_MS, bound: BIG_MS, direction: /** @type {const} */ ('at most') };
        checks.push({ name: `${name}, ${policy}: scan, workload and run, ms`, value: whole, ...bound });
      }
    }
  }
  const head = ['replay', 'events', 'ms', 'events/s', 'times real', 'wasm, ms', 'events/s', 'times real', 'open, ms'];
  return { text: `${table(head, rows)}\n\n${checkTable(checks)}`, ok: checks.every(holds) };

  /** @template T @param {() => T} one @returns {T[]} */
  function all(one) {
    return Array.from({ length: rounds }, one);
  }
}

/**
 * @param {string} name
 * @param {string} policy
 * @param {NativeReplay} native
 * @returns {Check[]}
 */
function sizes(name, policy, { events, eventBytes, workloadBytes, tasks, rows, rowBytes }) {
  const of = (/** @type {string} */ what, /** @type {number} */ value, /** @type {number} */ aim) => ({
    ...{ name: `${name}, ${policy}: ${what}`, value, aim, bound: aim },
    direction: /** @type {const} */ ('at most'),
  });
  const found = [of('bytes a row', rowBytes / rows, 32)];
  if (events === 0) return found;
  found.push(of('bytes a workload event', eventBytes / events, 32));
  // What is there once is not of one task.
  if (tasks > 1) found.push(of('bytes a task beside its events', (workloadBytes - eventBytes) / tasks, 512));
  return found;
}

/** @param {string} workload @param {string} policy @param {number} tick @param {number} seconds */
function nativeArgs(workload, policy, tick, seconds) {
  return [workload, '--replay', policy, '--tick', `${tick}`, '--seconds', `${seconds}`];
}

/** @param {string} workload @param {string} policy @param {number} tick @param {number} seconds */
function wasmArgs(workload, policy, tick, seconds) {
  return [join(import.meta.dirname, 'replayRound.mjs'), workload, policy, `${tick}`, `${seconds}`];
}
