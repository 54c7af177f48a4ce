#!/usr/bin/env node
// @ts-check
// Compares system calls, softirqs and hardirqs with what `trace-cmd report --profile` adds up, task by task: count, total, least
// and longest of each number.
//
//   node tests/derive/profile.mjs [--bin target/release/corelane] FOLDER|FILE...
//
// The profile differs by what it does: it pairs no exit without a number (`rt_sigreturn`), keeps a call of a thread that execs
// without leading under the old thread, and drops what lies across lost events. These are told apart, with how many they are. It
// has one idle task for all CPUs, so that softirqs of two at a time end each other's: their sum stays, least and longest do not.

import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build } from '../lib/build.mjs';
import { traceNames, unpack } from '../lib/traceFiles.mjs';

/** @typedef {{count: number, total: number, min: number, max: number}} Sum */

const { values, positionals } = parseArgs({ allowPositionals: true, options: { bin: { type: 'string' } } });
const binary = values.bin ?? build('tracecore-cli', 'corelane');

/** @param {string} program @param {string[]} args */
const run = (program, args) =>
  execFileSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore'] });

/** @param {Map<string, Sum>} sums @param {string} key @param {Sum} one */
function add(sums, key, one) {
  if (one.count === 0) return;
  const sum = sums.get(key);
  if (sum === undefined) sums.set(key, { ...one });
  else {
    sum.count += one.count;
    sum.total += one.total;
    sum.min = Math.min(sum.min, one.min);
    sum.max = Math.max(sum.max, one.max);
  }
}

/** What the profile says, by event, pid and number. @param {string} trace */
function profile(trace) {
  /** @type {Map<string, Sum>} */
  const sums = new Map();
  let pid = 0;
  for (const line of run('trace-cmd', ['report', '--profile', trace]).split('\n')) {
    const task = /^task: .*-(\d+)$/.exec(line);
    if (task) pid = Number(task[1]);
    const found =
      /^ {2}Event: (sys_enter|softirq_entry|irq_handler_entry):(\S+) \((\d+)\) Total: (\d+) .*Max: (\d+)\(.*Min:(\d+)\(/.exec(
        line,
      );
    if (!found) continue;
    const [count, total, max, min] = found.slice(3).map(Number);
    // The groups of interrupts by task are all of them together.
    const number = found[1] === 'sys_enter' ? ` ${Number(found[2])}` : '';
    add(sums, `${found[1]} ${pid}${number}`, { count, total, max, min });
  }
  return sums;
}

/** The same by corelane; what the profile cannot have is in `apart`. @param {string} trace */
function ours(trace) {
  /** @type {Map<string, Sum>} */
  const sums = new Map();
  const report = JSON.parse(run(binary, ['syscalls', trace, '--json', '--by', 'task', '--no-cache']));
  for (const { pid, nr, calls, duration_ns: ns } of report.rows) {
    add(sums, `sys_enter ${pid} ${nr}`, { count: calls, total: ns.sum, min: ns.min, max: ns.max });
  }
  for (const [pair, event] of [
    ['softirq', 'softirq_entry'],
    ['irq', 'irq_handler_entry'],
  ]) {
    let groups = [];
    try {
      const args = ['pairs', trace, '--json', '--pair', pair, '--by', 'task', '--no-cache'];
      groups = JSON.parse(run(binary, args)).pairs[0].groups;
    } catch {
      // The trace has none.
    }
    for (const { group, count, ns } of groups) {
      const pid = /-(\d+)$/.exec(group)?.[1];
      add(sums, `${event} ${pid}`, { count, total: ns.sum, min: ns.min, max: ns.max });
    }
  }
  const names = new Map(report.rows.map((/** @type {any} */ row) => [row.nr, row.call]));
  return { sums, names, totals: report.totals };
}

/** Pids that changed hands by an exec of a thread that does not lead. @param {string} trace */
function takeovers(trace) {
  const lines = run('trace-cmd', ['report', '-R', '-F', 'sched_process_exec', trace]).split('\n');
  const found = lines.map((line) => /sched_process_exec:.* pid=(\d+) old_pid=(\d+)/.exec(line));
  return new Set(found.flatMap((one) => (one && one[1] !== one[2] ? [one[1], one[2]] : [])));
}

/** @param {string} name @param {string} trace */
function compare(name, trace) {
  /** @type {Map<string, Sum>} */
  let theirs;
  try {
    theirs = profile(trace);
  } catch {
    console.log(`-    ${name}: trace-cmd has no profile of it`);
    return undefined;
  }
  if (![...theirs.keys()].some((key) => key.startsWith('sys_enter'))) return undefined;
  const { sums, names, totals } = ours(trace);
  const moved = takeovers(trace);
  let [same, sigreturns, execs, lost] = [0, 0, 0, 0];
  const differences = [];
  for (const key of new Set([...theirs.keys(), ...sums.keys()])) {
    const [their, own] = [theirs.get(key), sums.get(key)];
    if (JSON.stringify(told(key, their)) === JSON.stringify(told(key, own))) same++;
    else {
      const [event, pid, nr] = key.split(' ');
      const isCall = event === 'sys_enter';
      const more = (own?.count ?? 0) - (their?.count ?? 0);
      if (isCall && names.get(Number(nr)) === 'rt_sigreturn') sigreturns++;
      else if (moved.has(pid)) execs++;
      else if (isCall && totals.across_loss > 0 && more > 0) lost += more;
      else differences.push(`${key}: trace-cmd ${text(their)}, corelane ${text(own)}`);
    }
  }
  if (lost > totals.across_loss) differences.push(`${lost} calls more, but ${totals.across_loss} across lost events`);
  console.log(
    `${differences.length === 0 ? 'ok  ' : 'FAIL'} ${name}: ${same} sums are the same; apart: ${sigreturns} of rt_sigreturn, ` +
      `${execs} of execs, ${lost} calls across lost events; ${differences.length} differences`,
  );
  for (const difference of differences.slice(0, 10)) console.log(`       ${difference}`);
  return differences.length === 0;
}

/** @param {string} key @param {Sum | undefined} sum */
const told = (key, sum) => sum && [sum.count, sum.total, ...(key.endsWith('entry 0') ? [] : [sum.min, sum.max])];
/** @param {Sum | undefined} sum */
const text = (sum) => (sum ? `${sum.count} of ${sum.total} ns, from ${sum.min} to ${sum.max}` : 'none');

const found = positionals.flatMap((place) => {
  if (existsSync(place) && !statSync(place).isDirectory()) {
    return [{ name: path.basename(place), open: () => ({ trace: place, dispose: () => {} }) }];
  }
  return traceNames(place).map((name) => ({ name, open: () => unpack(place, name) }));
});
const results = found.map(({ name, open }) => {
  const { trace, dispose } = open();
  try {
    return compare(name, trace);
  } finally {
    dispose();
  }
});
const compared = results.filter((result) => result !== undefined);
console.log(`${compared.length} traces with system calls compared, ${compared.filter((fine) => !fine).length} differ`);
process.exitCode = compared.length > 0 && compared.every((fine) => fine) ? 0 : 1;
