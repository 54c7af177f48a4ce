/** What a user would run instead of Corelane, where it is installed. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { env } from 'node:process';
import { processorMs } from './measure.mjs';

/**
 * @typedef {object} Contestant
 * @property {string} name
 * @property {(file: string) => number} ms Processor time in milliseconds, all threads together.
 */

export const TRACE_CMD = 'trace-cmd report';
export const KERNELSHARK = "KernelShark's loader";
const TRACE_DUMP = "LISA's trace-dump";

/**
 * @param {string} folder For what is compiled.
 * @returns {Contestant[]} Those that are installed; says which are not.
 */
export function contestants(folder) {
  /** @type {[string, string | undefined, (file: string) => string[]][]} */
  const all = [
    [TRACE_CMD, installed('trace-cmd'), (file) => ['report', '-i', file]],
    [KERNELSHARK, kernelShark(folder), (file) => [file]],
    [TRACE_DUMP, installed(env.CORELANE_TRACE_DUMP ?? 'trace-dump'), (file) => ['human-readable', '--trace', file]],
  ];
  return all.flatMap(([name, program, args]) => {
    if (program === undefined) {
      console.log(`${name} is not installed: no comparison with it`);
      return [];
    }
    return [{ name, ms: (/** @type {string} */ file) => processorMs(program, args(file)) }];
  });
}

/** @param {string} program */
function installed(program) {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined ? program : undefined;
}

/**
 * Compiles kshark.c; undefined without a compiler or libkshark's header (Debian: libkshark-dev, libtracecmd-dev,
 * libjson-c-dev).
 * @param {string} folder
 */
function kernelShark(folder) {
  const program = join(folder, 'kshark');
  const source = join(import.meta.dirname, 'kshark.c');
  const include = ['/usr/include', '/usr/local/include'].map((path) => `-I${path}/kernelshark`);
  const { status } = spawnSync('cc', ['-O2', ...include, source, '-o', program, '-lkshark'], { stdio: 'ignore' });
  return status === 0 ? program : undefined;
}
