/** The run before: what it measured is kept below target/, for the next one to compare with. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openMs } from './measure.mjs';
import { median } from './plan.mjs';
import { short, table } from './report.mjs';

const FILE = join(import.meta.dirname, '../target/bench/last.json');
/** Questions that took less are not compared: a microsecond more is the machine's. */
const LEAST_MS = 0.05;

/** @typedef {import('./run.mjs').Measured} Measured */
/** @typedef {Record<string, Record<string, number>>} Numbers By trace and what was measured. */

/**
 * @param {readonly Measured[]} measured
 * @returns {Numbers}
 */
export const numbersOf = (measured) => Object.fromEntries(measured.map((of) => [of.name, numbers(of)]));

/** @param {Measured} measured */
function numbers({ native, wasm, others, report, browser }) {
  /** @type {Record<string, number>} */
  const all = {};
  /** @template R @param {string} name @param {readonly R[]} rounds @param {(round: R) => number | null | undefined} of */
  const add = (name, rounds, of) => {
    const value = median(rounds.map((round) => of(round) ?? Number.NaN));
    if (Number.isFinite(value)) all[name] = value;
  };
  add('open, ms', native, openMs);
  add('scan, ms', native, ({ scanMs }) => scanMs);
  add('build, ms', native, ({ buildMs }) => buildMs);
  add('indexes, ms', native, ({ indexMs }) => indexMs);
  add('stored model, ms', native, ({ restoreMs }) => restoreMs);
  add('bytes held', native, ({ heldBytes }) => heldBytes);
  add('bytes at the peak', native, ({ peakBytes }) => peakBytes);
  add('wasm: open, ms', wasm, openMs);
  add('wasm: scan, ms', wasm, ({ scanMs }) => scanMs);
  add('Chromium: opened, ms', browser, ({ openedMs }) => openedMs);
  add('Chromium: opened again, ms', browser, ({ reopenedMs }) => reopenedMs);
  add('corelane report, ms', report, (ms) => ms);
  for (const [name, times] of Object.entries(others)) add(`${name}, ms`, times, (ms) => ms);
  for (const [title, rounds] of /** @type {const} */ ([
    ['', native],
    ['wasm: ', wasm],
  ])) {
    for (const [index, { name }] of (rounds[0]?.answers ?? []).entries()) {
      add(`${title}${name}, ms`, rounds, ({ answers }) => answers[index]?.ms);
    }
  }
  return all;
}

/**
 * What changed by more than a tenth since the run before, and how much of the change is the machine's: trace-cmd's and
 * KernelShark's own times are among it. Keeps these numbers for the next run.
 * @param {Numbers} now
 * @returns {string}
 */
export function compareAndKeep(now) {
  /** @type {Numbers} */
  const before = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {};
  mkdirSync(dirname(FILE), { recursive: true });
  // Traces that were left out this time keep what was measured last.
  writeFileSync(FILE, JSON.stringify({ ...before, ...now }));
  return comparison(before, now);
}

/**
 * @param {Numbers} before
 * @param {Numbers} now
 */
export function comparison(before, now) {
  const rows = Object.entries(now).flatMap(([trace, numbers]) =>
    Object.entries(numbers).flatMap(([name, value]) => {
      const last = before[trace]?.[name];
      if (last === undefined || Math.max(last, value) < LEAST_MS) return [];
      const ratio = value / last;
      return ratio > 0.9 && ratio < 1.1 ? [] : [[`${trace}: ${name}`, short(last), short(value), short(ratio)]];
    }),
  );
  const known = Object.keys(now).some((trace) => trace in before);
  if (!known) return 'There is no run before this one to compare with.';
  if (rows.length === 0) return 'Nothing changed by more than a tenth since the run before.';
  return table(['changed by more than a tenth', 'before', 'now', 'ratio'], rows);
}
