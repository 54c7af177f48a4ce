// @ts-check
// The traces that are checked: the project's fixtures, and a corpus folder if there is one.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { scratchFile, traceNames, traceSize, unpack } from '../lib/traceFiles.mjs';
import { story } from './story.mjs';
import { hasTraceCmd, reportLines, switchPrintFmt } from './traceCmd.mjs';

/**
 * @typedef {object} Source
 * @property {string} name
 * @property {number} [size] bytes of the file, of a recording that is not a fixture
 * @property {any} facts what is known about the recording, if anything; see tests/fixtures/README.md
 * @property {() => {trace: string, dispose: () => void}} unpack returns the path of the trace.dat file
 * @property {(trace: string, push: (line: string) => void) => Promise<void>} report passes on the lines of
 *   `trace-cmd report -R -t`
 * @property {(trace: string) => Promise<string>} printFmt of sched_switch
 */

/**
 * @param {string} folder
 * @returns {Source[]}
 */
export function fixtures(folder) {
  return traceNames(folder).map((name) => {
    const facts = JSON.parse(readFileSync(path.join(folder, `${name}.json`), 'utf8'));
    const text = () => brotliDecompressSync(readFileSync(path.join(folder, `${name}.report.br`))).toString();
    return {
      name,
      facts,
      unpack: () => unpack(folder, name),
      report: async (_, push) => text().split('\n').forEach(push),
      printFmt: async () => facts.sched_switch_print_fmt,
    };
  });
}

/**
 * A folder of `NAME.dat` or `NAME.dat.zst`, with a `NAME.json` beside those about which more is known; nothing if there
 * is no such folder, or no trace-cmd.
 *
 * @param {string} folder
 * @returns {Promise<Source[]>}
 */
export async function corpus(folder) {
  if (!existsSync(folder) || !(await hasTraceCmd())) return [];
  return traceNames(folder).map((name) => {
    const facts = path.join(folder, `${name}.json`);
    return {
      name,
      size: traceSize(folder, name),
      facts: existsSync(facts) ? JSON.parse(readFileSync(facts, 'utf8')) : {},
      unpack: () => unpack(folder, name),
      report: reportLines,
      printFmt: switchPrintFmt,
    };
  });
}

/**
 * Random stories, written by tracegen; nothing if there is no trace-cmd to print them.
 *
 * @param {() => string} tracegen builds the program and returns its path
 * @param {number} count
 * @returns {Promise<Source[]>}
 */
export async function stories(tracegen, count) {
  if (count === 0 || !(await hasTraceCmd())) return [];
  const program = tracegen();
  return Array.from({ length: count }, (_, index) => ({
    name: `story-${index + 1}`,
    facts: {},
    unpack: () => {
      const { trace, dispose } = scratchFile('story.dat');
      execFileSync(program, ['scenario', '-', '-o', trace], { input: story(index + 1) });
      return { trace, dispose };
    },
    report: reportLines,
    printFmt: switchPrintFmt,
  }));
}
