// @ts-check
// Compares what `corelane` says with what was derived, and lists each difference.

/**
 * @typedef {import('./numbers.mjs').DerivedTrace} DerivedTrace
 * @typedef {(what: string, expected: unknown, actual: unknown) => void} Differ
 */

/** Collects differences, each under the name of the value that differs. */
export class Differences {
  constructor() {
    /** @type {string[]} */
    this.found = [];
    this.compared = 0;
  }

  /**
   * Numbers are compared as numbers, means with a relative error of 1e-9; everything else by its JSON.
   *
   * @param {string} what
   * @param {unknown} expected
   * @param {unknown} actual
   */
  expect(what, expected, actual) {
    this.compared++;
    if (!same(expected, actual)) this.found.push(`${what}: expected ${show(expected)}, got ${show(actual)}`);
  }
}

/**
 * `corelane info --json` against the report's lines and the recording's facts.
 *
 * @param {Differences} differences
 * @param {DerivedTrace} trace
 * @param {any} facts
 * @param {any} info
 */
export function compareInfo(differences, { report }, facts, info) {
  for (const [key, fact] of [
    ['version', 'file_version'],
    ['endian', 'endianness'],
    ['long_size', 'long_size'],
    ['page_size', 'page_size'],
    ['compression', 'compression'],
    ['clock', 'clock'],
  ]) {
    // The facts of a corpus may lack what the recorder's options do not tell.
    if (facts[fact]) differences.expect(`info ${key}`, facts[fact], info[key]);
  }
  differences.expect('info cpus', report.cpus, info.cpus);
  differences.expect('info first_ns', report.origin + BigInt(report.first), info.first_ns);
  differences.expect('info last_ns', report.origin + BigInt(report.last), info.last_ns);
  differences.expect('info records', report.records, info.records);
  differences.expect('info lost_events', report.lostEvents, info.lost_events);
  differences.expect('info records_per_cpu', report.byCpu, info.records_per_cpu);
  for (const name of union(report.byName.keys(), Object.keys(info.events))) {
    differences.expect(`info events.${name}`, report.byName.get(name), info.events[name]);
    if (facts.event_counts) {
      differences.expect(`facts event_counts.${name}`, facts.event_counts[name], report.byName.get(name));
    }
  }
}

/**
 * Compares the rows of `corelane intervals --csv`: no task ran elsewhere, at another time, or under another name.
 *
 * @param {Differences} differences
 * @param {DerivedTrace} trace
 */
export function intervalComparison(differences, { report, lanes }) {
  const expected = rows(report.origin, lanes);
  let count = 0;
  return {
    /** @param {string} row */
    push(row) {
      differences.expect(`interval ${count}`, expected.next().value, row);
      count++;
    },
    /** @returns {number} how many intervals were compared */
    finish() {
      for (const row of expected) differences.expect(`interval ${count}`, row, undefined);
      return count;
    },
  };
}

/**
 * @param {bigint} origin
 * @param {import('./lanes.mjs').Interval[][]} lanes
 * @returns {Generator<string, undefined>}
 */
function* rows(origin, lanes) {
  for (const [cpu, lane] of lanes.entries()) {
    for (const { start, end, kind, pid, comm, inferred } of lane) {
      yield `${cpu},${origin + BigInt(start)},${origin + BigInt(end)},${kind},${pid},${quoted(comm)},${inferred}`;
    }
  }
}

/**
 * `corelane stats --json`.
 *
 * @param {Differences} differences
 * @param {string} name the name of the selection
 * @param {bigint} origin
 * @param {import('./numbers.mjs').Numbers} numbers
 * @param {any} actual
 */
export function compareStats(differences, name, origin, numbers, actual) {
  /** @param {number} t */
  const absolute = (t) => origin + BigInt(t);
  const { first, last, stats } = numbers;
  compareTree(differences, name, { first_ns: absolute(first), last_ns: absolute(last), ...stats }, actual);

  const commands = new Map(actual.commands.map((/** @type {any} */ entry) => [entry.comm, entry]));
  for (const comm of union(numbers.commands.keys(), commands.keys())) {
    const expected = numbers.commands.get(comm);
    const row = expected && {
      comm,
      first_ns: absolute(expected.first),
      last_ns: absolute(expected.last),
      execution_ns: expected.execution,
      waiting_ns: expected.waiting,
      switches_to: expected.switchesTo,
      pids: expected.pids.size,
    };
    compareTree(differences, `${name} command ${JSON.stringify(comm)}`, row, commands.get(comm));
  }

  /** @param {{pid: number, generation: number}} task */
  const key = ({ pid, generation }) => `${pid}#${generation}`;
  const expectedTasks = new Map(numbers.tasks.map((task) => [key(task), task]));
  const tasks = new Map(actual.tasks.map((/** @type {any} */ task) => [key(task), task]));
  for (const id of union(expectedTasks.keys(), tasks.keys())) {
    const expected = expectedTasks.get(id);
    const row = expected && {
      execution_ns: expected.execution,
      waiting_ns: expected.waiting,
      throttled_ns: expected.throttled,
      switches_to: expected.switchesTo,
      migrations: expected.migrations,
      continues: expected.continues,
    };
    const task = tasks.get(id);
    compareTree(differences, `${name} task ${id}`, row, task);
    const unnamed = [...(expected?.comms ?? [])].filter((comm) => !task?.comms.includes(comm));
    differences.expect(`${name} task ${id} comms it ran under that are missing`, [], unnamed);
  }
}

/**
 * Compares every number of `expected`, by its path; `actual` may have more.
 *
 * @param {Differences} differences
 * @param {string} path
 * @param {any} expected
 * @param {any} actual
 */
function compareTree(differences, path, expected, actual) {
  if (expected === null || typeof expected !== 'object' || actual === undefined) {
    differences.expect(path, expected, actual);
    return;
  }
  for (const key of Object.keys(expected)) compareTree(differences, `${path}.${key}`, expected[key], actual?.[key]);
}

/**
 * @param {Iterable<string>} a
 * @param {Iterable<string>} b
 */
function union(a, b) {
  return new Set([...a, ...b]);
}

/** @param {string} comm as in RFC 4180 */
function quoted(comm) {
  return /[",\r\n]/.test(comm) ? `"${comm.replaceAll('"', '""')}"` : comm;
}

/**
 * @param {unknown} expected
 * @param {unknown} actual
 */
function same(expected, actual) {
  if (expected === actual) return true;
  if (typeof expected === 'bigint' || typeof actual === 'bigint') return String(expected) === String(actual);
  if (typeof expected === 'number' && typeof actual === 'number') {
    if (Number.isInteger(expected) && Number.isInteger(actual)) return false;
    return Math.abs(expected - actual) <= 1e-9 * Math.max(Math.abs(expected), Math.abs(actual));
  }
  return show(expected) === show(actual);
}

/** @param {unknown} value */
function show(value) {
  return JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? Number(inner) : inner)) ?? 'nothing';
}
