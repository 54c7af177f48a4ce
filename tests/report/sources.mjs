// @ts-check
// The traces that are compared, each with the text that trace-cmd prints for it.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { hasTraceCmd } from '../derive/traceCmd.mjs';
import { ROOT } from '../lib/build.mjs';
import { scratchFile, traceNames, unpack } from '../lib/traceFiles.mjs';
import { output, traceCmdText } from './programs.mjs';
import { readTexts } from './texts.mjs';

/** @typedef {AsyncIterable<Uint8Array> | Iterable<Uint8Array>} Text */

/**
 * @typedef {object} Source
 * @property {string} name
 * @property {() => {trace: string, text: (mode: import('./modes.mjs').Mode) => Text | null, dispose: () => void}} open
 *   gives the path of the trace.dat file, and its texts; nothing where there is none for a mode
 */

/** The folders of fixtures: that of this folder, and that of the whole project. */
export const FIXTURES = [path.join(import.meta.dirname, 'fixtures'), path.join(ROOT, 'tests/fixtures')];

/**
 * The traces whose texts are stored, so that they need no trace-cmd.
 *
 * @param {() => string} tracegen builds the program and returns its path
 * @returns {Source[]}
 */
export function fixtures(tracegen) {
  const names = readdirSync(FIXTURES[0]).map((file) => /^(.*)\.texts\.br$/.exec(file)?.[1]);
  return names
    .filter((name) => name !== undefined)
    .map((name) => ({
      name,
      open: () => {
        const { header, texts } = readTexts(path.join(FIXTURES[0], `${name}.texts.br`));
        const { trace, dispose } = header.sweep ? sweep(tracegen(), header.sweep) : unpackFixture(name);
        return { trace, dispose, text: ({ name }) => (texts[name] ? [texts[name]] : null) };
      },
    }));
}

/** @param {string} name */
export function unpackFixture(name) {
  const folder = FIXTURES.find((folder) => traceNames(folder).includes(name));
  if (!folder) throw new Error(`no trace ${name} in ${FIXTURES.join(' or ')}`);
  return unpack(folder, name);
}

/**
 * A trace with records of every event of which a fixture has the format.
 *
 * @param {string} tracegen
 * @param {{of: string, args: string[], sha256?: string}} how
 */
export function sweep(tracegen, { of, args, sha256 }) {
  const recorded = unpackFixture(of);
  const made = scratchFile('sweep.dat');
  try {
    execFileSync(tracegen, ['sweep', recorded.trace, ...args, '-o', made.trace]);
  } finally {
    recorded.dispose();
  }
  if (sha256 !== undefined && sha256 !== sha256Of(made.trace)) {
    made.dispose();
    throw new Error(
      `tracegen writes another sweep of ${of} than the texts are of: addTexts.mjs --sweeps makes new ones`,
    );
  }
  return made;
}

/** @param {string} file */
export function sha256Of(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/**
 * A folder of `NAME.dat` or `NAME.dat.zst`, with stored texts as `NAME.report.zst`, `NAME.report-R.zst`, or texts that
 * the installed trace-cmd prints; nothing if there is no such folder.
 *
 * @param {string} folder
 * @returns {Promise<Source[]>}
 */
export async function corpus(folder) {
  if (!existsSync(folder)) return [];
  const installed = await hasTraceCmd();
  return traceNames(folder).map((name) => ({
    name,
    open: () => {
      const { trace, dispose } = unpack(folder, name);
      /** @param {import('./modes.mjs').Mode} mode */
      const text = (mode) => {
        const stored = path.join(folder, `${name}.${mode.name}`);
        if (existsSync(`${stored}.zst`)) return output('zstd', ['-dqc', realpathSync(`${stored}.zst`)]);
        if (existsSync(stored)) return [readFileSync(stored)];
        return installed ? traceCmdText(trace, mode) : null;
      };
      return { trace, dispose, text };
    },
  }));
}

/**
 * A trace file, printed by the installed trace-cmd.
 *
 * @param {string} trace
 * @returns {Source}
 */
export function file(trace) {
  return {
    name: path.basename(trace, '.dat'),
    open: () => ({ trace, dispose: () => {}, text: (mode) => traceCmdText(trace, mode) }),
  };
}

/**
 * Sweeps of all recordings of formats among the fixtures, printed by the installed trace-cmd; nothing without it.
 *
 * @param {() => string} tracegen
 * @param {number} records how many records of each event
 * @param {number} seeds how many sweeps of each recording
 * @returns {Promise<Source[]>}
 */
export async function fullSweeps(tracegen, records, seeds) {
  if (records === 0 || !(await hasTraceCmd())) return [];
  const recorded = traceNames(FIXTURES[0]).filter((name) => name.startsWith('all-'));
  return recorded.flatMap((of) =>
    Array.from({ length: seeds }, (_, index) => ({
      name: `full-sweep-${of.slice(4)}-${index + 1}`,
      open: () => {
        // Even seeds give the same as the next odd one.
        const args = ['--records', `${records}`, '--seed', `${1001 + 2 * index}`];
        const { trace, dispose } = sweep(tracegen(), { of, args });
        return { trace, dispose, text: (/** @type {import('./modes.mjs').Mode} */ mode) => traceCmdText(trace, mode) };
      },
    })),
  );
}
