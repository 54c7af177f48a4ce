// @ts-check
// Recordings of other tools against what these tools, and ftrace beside them, say of them: a folder as that of the project's
// samples, whose README has the counts.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { parseJson } from './corelane.mjs';

/** @typedef {Record<string, number>} Counts */

/** Events of each sample. @type {Record<string, Counts>} */
const COUNTS = {
  'perfetto/compact-4cpu.pftrace': {
    sched_switch: 6910,
    sched_waking: 3724,
    sched_process_fork: 85,
    sched_process_exit: 86,
    sched_process_exec: 5,
  },
  'perfetto/compact-mix-4cpu.pftrace.gz': { sched_switch: 676, sched_waking: 326, sched_process_fork: 17 },
  'perfetto/full-4cpu.pftrace': {
    sched_switch: 729,
    sched_waking: 340,
    sched_wakeup: 340,
    sched_wakeup_new: 17,
    sched_migrate_task: 46,
    cpu_idle: 1419,
    softirq_entry: 1247,
    softirq_exit: 1247,
    print: 1,
  },
  'perfetto/lost-4cpu.pftrace': { sched_switch: 1770, sched_waking: 885 },
  'perfetto/scxtop-shaped-4cpu.proto': { sched_switch: 5432 },
  'perf/sched-record-4cpu.perf.data': {
    sched_switch: 974,
    sched_waking: 564,
    sched_migrate_task: 183,
    sched_process_fork: 42,
  },
  'perf/record-z-4cpu.perf.data': {
    sched_switch: 2183,
    sched_waking: 1185,
    sched_wakeup: 1185,
    sched_migrate_task: 520,
  },
  'perf/pipe-4cpu.perf.data': { sched_switch: 120, sched_waking: 56, sched_wakeup: 57, sched_migrate_task: 9 },
  'text/tracefs.txt': { sched_switch: 879, sched_waking: 480, sched_migrate_task: 184 },
  'text/tracefs-tgid.txt': { sched_switch: 185, sched_waking: 87, sched_migrate_task: 9 },
  'text/tracefs-latency.txt': { sched_switch: 185, sched_waking: 87, sched_migrate_task: 9 },
  'text/tracefs-noirq.txt': { sched_switch: 185, sched_waking: 87, sched_migrate_task: 9 },
  'text/mail.txt': { sched_switch: 27, sched_waking: 14, sched_migrate_task: 3 },
  'sched_ext/scx-lab-fifo-4cpu.dat': { sched_switch: 5457, sched_migrate_task: 1298, sched_ext_event: 425 },
  'schedviz/test.tar.gz': { sched_switch: 15056, sched_wakeup: 11134, sched_wakeup_new: 2732 },
  'schedviz/test_no_metadata.tar.gz': { sched_switch: 15056 },
};

/** What is no trace of the scheduler, and the word by which it is refused. */
const REFUSED = {
  'perf/sched-stats.perf.data': 'perf sched stats',
  'schedviz/ebpf_trace.tar.gz': 'EBPF',
  'text/tracefs-raw.txt': 'raw format',
};

/** With a recording of ftrace's beside, a little longer on both sides. */
const BESIDE = ['perfetto/compact-4cpu.pftrace', 'perfetto/full-4cpu.pftrace', 'perf/record-z-4cpu.perf.data'];

/** perf prints these by plugins of its own. */
const PLUGINS = new Set(['sched_switch', 'sched_wakeup', 'sched_wakeup_new']);

/**
 * Checks all samples; prints a line for each check.
 *
 * @param {string} binary
 * @param {string} folder
 * @param {(name: string, differences: string[]) => void} tell
 */
export function checkSamples(binary, folder, tell) {
  const of = (/** @type {string} */ name) => path.join(folder, name);
  /** @param {string[]} args @returns {string} */
  const run = (...args) =>
    execFileSync(binary, ['--quiet', '--no-cache', ...args], { encoding: 'utf8', maxBuffer: 2 ** 29 });
  /** @param {string[]} args @returns {any} */
  const ask = (...args) => parseJson(run(...args, '--json'));

  for (const [name, counts] of Object.entries(COUNTS)) {
    const { events } = ask('info', of(name));
    const differences = Object.entries(counts).filter(([event, count]) => events[event] !== count);
    tell(
      `${name}: events`,
      differences.map(([event, count]) => `${event}: ${events[event]}, not ${count}`),
    );
  }
  for (const [name, word] of Object.entries(REFUSED)) {
    const { status, stderr } = spawnSync(binary, ['--quiet', 'info', of(name)], { encoding: 'utf8' });
    tell(`${name} is refused`, status !== 0 && stderr.includes(word) ? [] : [`status ${status}: ${stderr}`]);
  }
  for (const name of BESIDE) {
    const reference = switchesOf(unzstd(of(name.replace(/\.(pftrace|perf\.data)$/, '.ref.report-R.zst'))));
    const found = switchesOf(run('report', '--raw', of(name)));
    const missing = [...found].filter(([cpu, all]) => !`${reference.get(cpu)}`.includes(`${all}`));
    tell(
      `${name}: switches are a piece of those recorded beside`,
      found.size === 4 ? missing.map(([cpu]) => `CPU ${cpu}`) : [`${found.size} CPUs`],
    );
  }
  for (const name of ['sched-record-4cpu', 'record-z-4cpu', 'pipe-4cpu']) {
    const perf = linesOf(unzstd(of(`perf/${name}.script.zst`)));
    const ours = linesOf(run('report', '-N', '-t', of(`perf/${name}.perf.data`)));
    tell(`perf/${name}.perf.data: text`, textDifferences(ours, perf));
  }
  const timehist = runTimes(unzstd(of('perf/sched-record-4cpu.timehist.zst')));
  tell('perf/sched-record-4cpu.perf.data: run times', runDifferences(ask, of, timehist));
  tell('perfetto/scxtop-shaped-4cpu.proto: what is beside it', scxtopDifferences(ask, of));
}

/** @param {string} file */
function unzstd(file) {
  // zstd refuses links.
  return execFileSync('zstd', ['-dqc', realpathSync(file)], { encoding: 'utf8', maxBuffer: 2 ** 29 });
}

/** Of each CPU, prev_state and next_pid of all switches of a raw report, as text. @param {string} report */
function switchesOf(report) {
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const [, cpu, state, next] of report.matchAll(
    /\[(\d+)\].*: sched_switch: .* prev_state=(\S+) .*next_pid=(\d+)/g,
  )) {
    found.set(cpu, `${found.get(cpu) ?? ''} ${Number(state)}>${next};`);
  }
  return found;
}

/** Time, CPU, event and text of lines of perf's or of ours, in one order. @param {string} text */
function linesOf(text) {
  const lines = text.split('\n').map((line) => /\[(\d+)\] +(\d+\.\d+): +(?:\w+:)?(\w+): *(.*)$/.exec(line));
  const parts = lines.flatMap((found) => (found === null ? [] : [found.slice(1).map((part) => part.trim())]));
  return parts.sort((a, b) => (a.join() < b.join() ? -1 : 1));
}

/** @param {string[][]} ours @param {string[][]} perfs */
function textDifferences(ours, perfs) {
  if (ours.length !== perfs.length || ours.length === 0) return [`${ours.length} lines, not ${perfs.length}`];
  return perfs.flatMap((perf, index) => {
    const our = ours[index];
    const compared = PLUGINS.has(perf[2]) ? 3 : 4;
    const isEqual = perf.slice(0, compared).join() === our.slice(0, compared).join();
    return isEqual ? [] : [`${our.join(' ')}, not ${perf.join(' ')}`];
  });
}

/** Runs, and µs of them, by task, as `perf sched timehist` prints them. @param {string} text */
function runTimes(text) {
  /** @type {Map<number, number>} */
  const ran = new Map();
  for (const [, tid, run] of text.matchAll(/\[\d+\] .*\[(-?\d+)(?:\/-?\d+)?\] +\S+ +\S+ +(\S+)/g)) {
    ran.set(Number(tid), (ran.get(Number(tid)) ?? 0) + 1000 * Number(run));
  }
  return ran;
}

/**
 * @param {(...args: string[]) => any} ask
 * @param {(name: string) => string} of
 * @param {Map<number, number>} told
 */
function runDifferences(ask, of, told) {
  /** @type {Map<number, {us: number, runs: number}>} */
  const ran = new Map();
  const intervals = ask('intervals', of('perf/sched-record-4cpu.perf.data'));
  for (const [index, { cpu, pid, kind, inferred, start_ns, end_ns }] of intervals.entries()) {
    // perf gives no time to the first run of a CPU, which begins where the trace does, and to the last one.
    if (kind !== 'run' || inferred || intervals[index + 1]?.cpu !== cpu) continue;
    const of = ran.get(pid) ?? { us: 0, runs: 0 };
    ran.set(pid, { us: of.us + Number(end_ns - start_ns) / 1000, runs: of.runs + 1 });
  }
  const differences = [];
  let [nobodys, rounded] = [0, 0];
  for (const [pid, { us, runs }] of ran) {
    // Each run is printed in whole microseconds, and those that a task ends by exiting are credited to nobody (-1).
    const missing = us - (told.get(pid) ?? 0);
    if (Math.abs(missing) <= runs) continue;
    nobodys += missing;
    rounded += runs;
    if (missing < 0) differences.push(`task ${pid}: ${us} µs, perf ${told.get(pid)}`);
  }
  const nobody = told.get(-1) ?? 0;
  if (Math.abs(nobody - nobodys) > rounded + 2) differences.push(`nobody: ${nobodys} µs, perf ${nobody}`);
  if (ran.size < 30) differences.push(`${ran.size} tasks`);
  return differences;
}

/** @param {(...args: string[]) => any} ask @param {(name: string) => string} of */
function scxtopDifferences(ask, of) {
  const file = of('perfetto/scxtop-shaped-4cpu.proto');
  const facts = JSON.parse(readFileSync(of('perfetto/scxtop-shaped-4cpu.json'), 'utf8'));
  const [info, stats, { dsqs }] = [ask('info', file), ask('stats', file), ask('sched-ext', file)];
  const numbers = {
    switches: info.events.sched_switch,
    breaks: info.chain_breaks,
    derived_migrations: stats.migrations.derived,
    sched_migrate_task: stats.migrations.total,
    dsq_points: dsqs.reduce((/** @type {number} */ sum, /** @type {any} */ dsq) => sum + dsq.points, 0),
    dsq_latency_us_max: Math.max(...dsqs.map((/** @type {any} */ dsq) => dsq.latency_us_max)),
    dsqs: dsqs.map((/** @type {any} */ dsq) => Number(dsq.id)).join(),
  };
  return Object.entries(numbers).flatMap(([name, number]) =>
    `${number}` === `${facts[name]}` ? [] : [`${name}: ${number}, not ${facts[name]}`],
  );
}

/** Whether there are samples. @param {string} folder */
export const hasSamples = (folder) => existsSync(path.join(folder, 'perfetto'));
