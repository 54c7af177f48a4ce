#!/usr/bin/env node
// @ts-check
// The figures of docs/guide/, made again by the commands that it shows:
//
//   node tests/figures/guide.mjs [--bin target/release/corelane] [--write] [--traces FOLDER]
//
// Each ```sh block that runs `corelane` is run as it stands there. What it writes must be the committed figure, byte for
// byte; --write commits what it writes instead. Blocks about recordings that are not in the repository are left out, but
// with a folder that has them (`FOLDER/runs/*.dat`). Without --bin it builds the binary.

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build, ROOT } from '../lib/build.mjs';

const GUIDE = path.join(ROOT, 'docs/guide');

const { values } = parseArgs({
  options: {
    bin: { type: 'string' },
    traces: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const binary = path.resolve(values.bin ?? build('tracecore-cli', 'corelane'));
const pages = ['README.md'].map((name) => readFileSync(path.join(GUIDE, name), 'utf8'));

// Commands name files as a reader does who stands in docs/guide; they run where nothing committed can be written over.
const folder = mkdtempSync(path.join(tmpdir(), 'corelane-guide-'));
let failed = 0;
let same = 0;
let shown = 0;
try {
  mkdirSync(path.join(folder, 'images'));
  mkdirSync(path.join(folder, 'bin'));
  symlinkSync(binary, path.join(folder, 'bin/corelane'));
  symlinkSync(path.join(GUIDE, 'traces'), path.join(folder, 'traces'));
  if (values.traces !== undefined) symlinkSync(path.resolve(values.traces, 'runs'), path.join(folder, 'runs'));
  for (const command of pages.flatMap(commands)) check(command);
} finally {
  rmSync(folder, { recursive: true });
}
console.log(`${same} figures ${values.write ? 'written' : 'as committed'}, ${shown} other commands, ${failed} failed`);
process.exitCode = failed === 0 && same > 0 ? 0 : 1;

/** @param {string} command */
function check(command) {
  const said = command.replaceAll(/\s*\\\n\s*/g, ' ');
  if (/(^|\s)runs\//.test(said) && !existsSync(path.join(folder, 'runs'))) {
    console.log(`left out: ${said}`);
    return;
  }
  const problem = problemOf(command, /\s-o (\S+)/.exec(said)?.[1]);
  if (problem === null) return;
  failed += 1;
  console.log(`FAIL ${said}\n     ${problem}`);
}

/**
 * @param {string} command
 * @param {string | undefined} output
 * @returns {string | null}
 */
function problemOf(command, output) {
  const PATH = `${path.join(folder, 'bin')}:${process.env.PATH}`;
  try {
    execFileSync('sh', ['-c', command], {
      cwd: folder,
      env: { ...process.env, PATH },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  } catch (error) {
    return String(error);
  }
  if (output === undefined) {
    shown += 1;
    return null;
  }
  const committed = path.join(GUIDE, output);
  if (values.write) cpSync(path.join(folder, output), committed);
  else if (!existsSync(committed)) return `${output} is not committed`;
  else if (!readFileSync(path.join(folder, output)).equals(readFileSync(committed)))
    return `${output} is another figure`;
  same += 1;
  return null;
}

/**
 * The commands of a page's shell blocks that run `corelane`; lines that end with a backslash go on.
 *
 * @param {string} page
 * @returns {string[]}
 */
function commands(page) {
  return [...page.matchAll(/^```sh\n(.*?)^```$/gms)]
    .flatMap(([, block = '']) => block.split(/(?<!\\)\n/))
    .filter((command) => command.startsWith('corelane '));
}
