// @ts-check
// Compares the calls that the text tells of with what `corelane syscalls` prints: by call, command and task, for the whole trace
// and parts of it, and threads.

import { existsSync, readFileSync } from 'node:fs';
import { deriveCalls, split, taken } from './calls.mjs';
import { processesOf } from './processes.mjs';

/** @typedef {ReturnType<typeof deriveCalls>} Derived */
/** @typedef {Derived['calls'][number]} Call */
/** @typedef {{args: string[], from?: number, to?: number, keeps?: (call: Call) => boolean, errors?: boolean}} Part */

/** The kernel's header of calls, where it is installed. */
const HEADERS = { x86_64: '/usr/include/x86_64-linux-gnu/asm/unistd_64.h' };

const STATES = /** @type {const} */ (['oncpu', 'runnable', 'sleeping', 'blocked', 'stopped', 'unknown']);

/**
 * @param {import('./differences.mjs').Differences} differences
 * @param {import('./numbers.mjs').DerivedTrace} trace
 * @param {import('./calls.mjs').CallReader} read
 * @param {import('./corelane.mjs').Batch} corelane
 * @param {(time: bigint) => string} option
 */
export async function compareCalls(differences, trace, read, corelane, option) {
  if (!read.raw && !read.named) return;
  const derived = deriveCalls(trace, read);
  for (const part of parts(trace, derived, option)) {
    for (const by of ['call', 'command', 'task', 'process']) {
      const args = ['--by', by, ...part.args];
      const found = await corelane.json('syscalls', ...args);
      const what = ['syscalls', ...args].join(' ');
      differences.expect(`${what} totals`, derived.totals, found.totals);
      const processOf = processesOf(trace.report, read, derived.threads, found.arch);
      compareRows(differences, what, rows(trace, derived, part, by, processOf), found, by);
      if (by === 'call') compareThreads(differences, what, trace, derived, part, found.threads);
    }
  }
  await compareInstances(differences, trace, derived, corelane);
}

/**
 * @param {import('./numbers.mjs').DerivedTrace} trace
 * @param {Derived} derived
 * @param {(time: bigint) => string} option
 * @returns {Generator<Part>}
 */
function* parts({ report: { first, last } }, { calls }, option) {
  yield { args: [] };
  yield { args: ['--errors'], errors: true };
  const [from, to] = [1, 3].map((quarters) => Math.floor(((last - first) * quarters) / 4));
  if (from < to) {
    const args = ['--min', option(BigInt(from)), '--max', option(BigInt(to))];
    yield { args, from: first + from, to: first + to };
  }
  yield { args: ['--cpu=0,2-3'], keeps: ({ cpu }) => [0, 2, 3].includes(cpu) };
  const middle = calls[calls.length >> 1];
  if (!middle) return;
  const { comm, thread } = middle;
  yield { args: [`--comm=${comm}`], keeps: (call) => call.comm === comm };
  yield { args: [`--pid=${thread.pid}`], keeps: (call) => call.thread.pid === thread.pid };
}

/** @param {bigint} ret */
const failed = (ret) => -4095n <= ret && ret < 0n;

/**
 * The rows of a table of calls, by number and whose they are.
 *
 * @param {import('./numbers.mjs').DerivedTrace} trace
 * @param {Derived} derived
 * @param {Part} part
 * @param {string} by
 * @param {ReturnType<typeof processesOf>} [processOf]
 */
export function rows(
  { report },
  { calls, stolen },
  { from = report.first, to = Number.POSITIVE_INFINITY, keeps, errors },
  by,
  processOf = () => null,
) {
  /** @type {Map<string, Call[]>} */
  const groups = new Map();
  for (const call of calls) {
    if (call.at < from || to <= call.at || (keeps && !keeps(call))) continue;
    if (errors && !(call.returned && failed(call.ret))) continue;
    const { pid, generation } = call.thread;
    const process = by === 'process' ? processOf(call.thread) : '';
    const key = { call: '', command: call.comm, task: `${pid}#${generation}`, process: `${process}` }[by];
    const group = `${call.nr} ${key}`.trim();
    const of = groups.get(group);
    if (of) of.push(call);
    else groups.set(group, [call]);
  }
  return new Map([...groups].map(([key, group]) => [key, row(report, group, stolen)]));
}

/**
 * @param {import('./report.mjs').Report} report
 * @param {Call[]} group
 * @param {Derived['stolen']} stolen
 */
function row({ origin }, group, stolen) {
  const complete = group.filter(({ returned }) => returned);
  const open = group.filter(({ returned }) => !returned);
  const sorted = complete.map(({ at, end }) => end - at).sort((a, b) => a - b);
  const sum = sorted.reduce((sum, ns) => sum + ns, 0);
  /** @param {number} permille */
  const rank = (permille) => sorted[Math.ceil((sorted.length * permille) / 1000) - 1] ?? null;
  /** @type {Map<number, number>} */
  const histogram = new Map();
  for (const ns of sorted) {
    const bucket = ns === 0 ? 0 : 2 ** Math.floor(Math.log2(ns));
    histogram.set(bucket, (histogram.get(bucket) ?? 0) + 1);
  }
  const splits = complete.map(split);
  const longest = complete.toSorted((a, b) => b.end - b.at - (a.end - a.at) || a.at - b.at)[0];
  return {
    calls: complete.length,
    errors: complete.filter(({ ret }) => failed(ret)).length,
    interrupted: complete.filter(({ ret }) => [-512n, -513n, -514n, -516n].includes(ret)).length,
    unfinished: open.length,
    unfinished_ns: open.reduce((sum, { at, end }) => sum + end - at, 0),
    duration_ns: {
      sum,
      min: sorted[0] ?? null,
      mean: sorted.length > 0 ? sum / sorted.length : null,
      p50: rank(500),
      p90: rank(900),
      p99: rank(990),
      p999: rank(999),
      max: sorted.at(-1) ?? null,
      histogram: [...histogram],
    },
    ...Object.fromEntries(STATES.map((state) => [`${state}_ns`, splits.reduce((sum, part) => sum + part[state], 0)])),
    irq_ns: stolen ? splits.reduce((sum, { ran }) => sum + taken(stolen, ran), 0) : null,
    longest: longest
      ? {
          at_ns: origin + BigInt(longest.at),
          duration_ns: longest.end - longest.at,
          pid: longest.thread.pid,
          generation: longest.thread.generation,
          cpu: longest.cpu,
          ret: longest.ret,
        }
      : null,
  };
}

/**
 * @param {import('./differences.mjs').Differences} differences
 * @param {string} what
 * @param {ReturnType<typeof rows>} expected
 * @param {any} found
 * @param {string} by
 */
function compareRows(differences, what, expected, found, by) {
  const names = namesOf(found.arch);
  const seen = new Set();
  for (const { call, nr, comm, pid, generation, process, ...values } of found.rows) {
    const key = `${nr} ${{ call: '', command: comm, task: `${pid}#${generation}`, process: `${process}` }[by]}`.trim();
    seen.add(key);
    differences.expect(`${what}: ${key}`, exact(expected.get(key)), exact(values));
    if (names?.has(nr)) differences.expect(`${what}: the name of ${nr}`, names.get(nr), call);
  }
  differences.expect(`${what}: the rows`, [...expected.keys()].sort(), [...seen].sort());
  const order = found.rows.map((/** @type {any} */ row) => [-row.duration_ns.sum, row.call]);
  const sorted = order.toSorted(
    (/** @type {any} */ a, /** @type {any} */ b) => a[0] - b[0] || (a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0),
  );
  differences.expect(`${what}: the order`, sorted, order);
}

/** Whole numbers of any size alike. @param {unknown} value */
export function exact(value) {
  return JSON.parse(
    JSON.stringify(value ?? null, (_, each) =>
      typeof each === 'bigint' || Number.isInteger(each)
        ? `${each}`
        : typeof each === 'number'
          ? each.toPrecision(12)
          : each,
    ),
  );
}

/** @param {string | null} arch */
function namesOf(arch) {
  const header = HEADERS[/** @type {keyof typeof HEADERS} */ (arch ?? '')];
  if (!header || !existsSync(header)) return undefined;
  const found = readFileSync(header, 'utf8').matchAll(/^#define __NR_(\w+) (\d+)$/gm);
  return new Map([...found].map(([, name, nr]) => [Number(nr), name]));
}

/**
 * @param {import('./differences.mjs').Differences} differences
 * @param {string} what
 * @param {import('./numbers.mjs').DerivedTrace} trace
 * @param {Derived} derived
 * @param {Part} part
 * @param {any[]} found
 */
function compareThreads(differences, what, { report }, { calls, threads, stolen }, part, found) {
  // Which threads a part of CPUs or commands has is not compared.
  if (part.args.some((arg) => /^--(cpu|comm)/.test(arg))) return;
  const { from = report.first, to = report.last } = part;
  /** @type {Map<string, any>} */
  const expected = new Map();
  for (const thread of threads) {
    const [first, last] = [Math.max(thread.birth, from), Math.min(thread.death, to)];
    if (last <= first || (part.keeps && !part.keeps(/** @type {any} */ ({ thread })))) continue;
    const own = calls
      .filter((call) => call.thread === thread)
      .map(({ at, end }) => ({ from: at, to: end, known: true }));
    /** @param {{from: number, to: number}} time */
    const clip = (time) => {
      const at = Math.min(Math.max(time.from, first), last);
      return { thread: { ...thread, heir: undefined }, at, end: Math.max(at, Math.min(time.to, last)) };
    };
    const all = [...own, ...thread.other];
    const inCalls = all.filter(({ known }) => known).map(clip);
    const doubt = all.filter(({ known }) => !known).map(clip);
    /** @param {ReturnType<typeof clip>[]} times */
    const oncpu = (times) => times.reduce((sum, time) => sum + split(time).oncpu, 0);
    const running = oncpu([clip({ from: first, to: last })]);
    expected.set(`${thread.pid}#${thread.generation}`, {
      first_ns: report.origin + BigInt(first),
      last_ns: report.origin + BigInt(last),
      running_ns: running,
      irq_ns: stolen ? taken(stolen, split(clip({ from: first, to: last })).ran) : null,
      in_calls_ns: inCalls.reduce((sum, { at, end }) => sum + end - at, 0),
      oncpu_in_calls_ns: oncpu(inCalls),
      outside_oncpu_ns: running - oncpu(inCalls) - oncpu(doubt),
    });
  }
  for (const { pid, generation, comms, ...values } of found) {
    const key = `${pid}#${generation}`;
    differences.expect(`${what}: thread ${key}`, exact(expected.get(key)), exact(values));
    expected.delete(key);
  }
  differences.expect(`${what}: other threads`, [], [...expected.keys()]);
}

/**
 * @param {import('./differences.mjs').Differences} differences
 * @param {import('./numbers.mjs').DerivedTrace} trace
 * @param {Derived} derived
 * @param {import('./corelane.mjs').Batch} corelane
 */
async function compareInstances(differences, { report }, { calls }, corelane) {
  const complete = calls.filter(({ returned }) => returned);
  const expected = complete.toSorted((a, b) => a.at - b.at || a.thread.pid - b.thread.pid);
  let index = -1;
  await corelane.lines(
    (line) => {
      const call = expected[index++];
      if (!call) return;
      const { thread, at, end, cpu, nr, comm, ret } = call;
      const [atNs, ns, onCpu, pid, generation, name, , number, returned] = line.split(',');
      const told = [report.origin + BigInt(at), end - at, cpu, thread.pid, thread.generation, comm, nr, ret].join(',');
      const found = [atNs, ns, onCpu, pid, generation, name, number, returned].join(',');
      differences.expect(`syscalls --instances: call ${index}`, told, found);
      compareArguments(differences, `syscalls --instances: arguments of call ${index}`, call.fields, line);
    },
    'syscalls',
    '--instances',
    '--csv',
  );
  differences.expect('syscalls --instances: how many', expected.length, index);
}

/** What is told before the arguments. */
const COLUMNS = 17;

/**
 * The arguments of a call against the fields of its enter: a decimal one has 32 bits or all, a hexadecimal one all.
 *
 * @param {import('./differences.mjs').Differences} differences
 * @param {string} what
 * @param {string} fields
 * @param {string} line
 */
function compareArguments(differences, what, fields, line) {
  const told = line.split(',').slice(COLUMNS).join(',').replaceAll('"', '');
  const values = told === '' ? [] : told.split(', ').map((each) => each.slice(each.indexOf('=') + 1));
  const bytes = /ARRAY\[([0-9a-f, ]+)\]/.exec(fields)?.[1].split(', ');
  const size = (bytes?.length ?? 0) / 6;
  const numbers = bytes
    ? [0, 1, 2, 3, 4, 5].map((at) => {
        const own = bytes.slice(at * size, (at + 1) * size);
        return BigInt(`0x${own.reverse().join('')}`);
      })
    : [...fields.matchAll(/ \w+=(0x[0-9a-f]+|-?\d+)/g)].map(([, value]) => BigInt(value));
  const named = bytes === undefined;
  differences.expect(`${what}: how many`, true, named ? values.length === numbers.length : values.length <= 6);
  for (const [index, value] of values.entries()) {
    const bits = value.startsWith('0x') ? 64 : 32;
    const [expected, found] = [numbers[index] ?? 0n, BigInt(value)].map((number) => BigInt.asUintN(bits, number));
    differences.expect(`${what}: ${index}`, expected, found);
  }
}
