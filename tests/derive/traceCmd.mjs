// @ts-check
// The installed trace-cmd: the reference for what a file holds.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { linesOf } from './lines.mjs';

const run = promisify(execFile);

/**
 * The command that prints raw fields (`-R`) with full time stamps (`-t`) and flags (`-l`), ready for `execFile`.
 *
 * If times have no point, no blank separates them from the flags; then the flags are left out.
 *
 * @param {string} trace
 * @returns {Promise<[string, string[], {maxBuffer: number, encoding: 'buffer'}]>}
 */
export async function reportText(trace) {
  const { stdout } = await run('trace-cmd', ['report', '--first-event', '-i', trace], { maxBuffer: 2 ** 20 });
  const flags = /First event: *\d+\.\d+$/m.test(stdout) ? ['-l'] : [];
  return ['trace-cmd', ['report', '-i', trace, '-R', '-t', ...flags], { maxBuffer: 2 ** 30, encoding: 'buffer' }];
}

/**
 * Passes on the report's lines as they come: the text of a large trace is never in memory as a whole.
 *
 * @param {string} trace
 * @param {(line: string) => void} push
 */
export async function reportLines(trace, push) {
  const [command, args] = await reportText(trace);
  await linesOf(command, args, push);
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

/** Whether a trace-cmd is installed that reads everything that is compared: version 3 or later. */
export async function hasTraceCmd() {
  // It prints its version with an exit status that means failure.
  const { stdout } = await run('trace-cmd', ['--version']).catch((error) => error);
  const version = /version (\d+)/.exec(stdout ?? '');
  return version !== null && Number(version[1]) >= 3;
}
