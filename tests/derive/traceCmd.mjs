// @ts-check
// The installed trace-cmd: the reference for what a file holds.

import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * The command that prints raw fields (`-R`) with full time stamps (`-t`), ready for `execFileSync`.
 *
 * @param {string} trace
 * @returns {[string, string[], {maxBuffer: number, encoding: 'buffer'}]}
 */
export function reportText(trace) {
  return ['trace-cmd', ['report', '-i', trace, '-R', '-t'], { maxBuffer: 2 ** 30, encoding: 'buffer' }];
}

/**
 * The report's lines as they come: the text of a large trace is never wholly in memory.
 *
 * @param {string} trace
 * @returns {AsyncIterable<string>}
 */
export async function* reportLines(trace) {
  const [command, args] = reportText(trace);
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const exit = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  yield* createInterface({ input: child.stdout, crlfDelay: Infinity });
  const status = await exit;
  if (status !== 0) throw new Error(`trace-cmd report -i ${trace}: exit status ${status}`);
}

/**
 * The print fmt line of the file's sched_switch.
 *
 * @param {string} trace
 * @returns {Promise<string>}
 */
export async function switchPrintFmt(trace) {
  const { stdout } = await run('trace-cmd', ['dump', '--events', '-i', trace], { maxBuffer: 2 ** 28 });
  const event = /^name: sched_switch\n[\s\S]*?^(print fmt: .*)$/m.exec(stdout);
  if (!event) throw new Error(`${trace}: no format of sched_switch`);
  return event[1];
}

/** Whether trace-cmd can be run at all. */
export async function hasTraceCmd() {
  try {
    await run('trace-cmd', ['--version']);
    return true;
  } catch {
    return false;
  }
}
