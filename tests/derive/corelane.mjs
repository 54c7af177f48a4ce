// @ts-check
// The program under test: the native `corelane` binary, run as anyone would run it.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { linesOf } from './lines.mjs';

const run = promisify(execFile);

/**
 * The JSON of a sub-command. Integers beyond what a double holds become bigints.
 *
 * @param {string} binary
 * @param {string[]} args
 */
export async function corelaneJson(binary, args) {
  const { stdout } = await run(binary, [...args, '--json'], { maxBuffer: 2 ** 30 });
  return parseJson(stdout);
}

/**
 * Hands over the rows of `corelane intervals --csv`, in the order in which they are printed: by CPU, then by time.
 *
 * @param {string} binary
 * @param {string} trace
 * @param {(row: string) => void} push
 */
export async function corelaneIntervals(binary, trace, push) {
  let header = true;
  await linesOf(binary, ['intervals', trace, '--csv'], (line) => {
    if (!header) push(line);
    header = false;
  });
}

/** @param {string} text */
export function parseJson(text) {
  const mark = '\u0000bigint:';
  // Strings and numbers are matched whole, so that digits inside of them stay as they are.
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    /^-?\d{16,}$/.test(token) ? JSON.stringify(mark + token) : token,
  );
  return JSON.parse(marked, (_, value) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  );
}
