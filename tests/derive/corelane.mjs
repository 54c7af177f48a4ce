// @ts-check
// The program under test: the native `corelane` binary, run as anyone would run it.

import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

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
 * The rows of `corelane intervals --csv`, in the order in which they are printed: by CPU, then by time.
 *
 * @param {string} binary
 * @param {string} trace
 * @returns {AsyncIterable<string>}
 */
export async function* corelaneIntervals(binary, trace) {
  const child = spawn(binary, ['intervals', trace, '--csv'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  let header = true;
  for await (const line of createInterface({ input: child.stdout, crlfDelay: Infinity })) {
    if (!header) yield line;
    header = false;
  }
  const status = await exit;
  if (status !== 0) throw new Error(`corelane intervals ${trace}: exit status ${status}`);
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
