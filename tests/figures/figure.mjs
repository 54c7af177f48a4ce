// @ts-check
// Makes figures with the program under test, as a user would.

import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Picture } from './picture.mjs';

const run = promisify(execFile);

/**
 * The file that `corelane figure KIND ...` writes.
 *
 * @param {string} binary
 * @param {string[]} args kind, files, options; without `-o`
 * @param {'svg' | 'pdf' | 'png'} [format]
 * @returns {Promise<Buffer>}
 */
export async function draw(binary, args, format = 'svg') {
  const folder = mkdtempSync(path.join(tmpdir(), 'corelane-figure-'));
  try {
    // The file contains the command with this name: the same name each time gives the same bytes.
    await run(binary, ['figure', ...args, '-o', `figure.${format}`], { cwd: folder });
    return readFileSync(path.join(folder, `figure.${format}`));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * @param {string} binary
 * @param {string[]} args
 */
export async function picture(binary, args) {
  return new Picture((await draw(binary, args)).toString());
}

/**
 * The error of a command that cannot be carried out.
 *
 * @param {string} binary
 * @param {string[]} args
 * @returns {Promise<{code: number, stderr: string}>}
 */
export async function refusal(binary, args) {
  const folder = mkdtempSync(path.join(tmpdir(), 'corelane-figure-'));
  try {
    await run(binary, ['figure', ...args, '-o', 'figure.svg'], { cwd: folder });
    return { code: 0, stderr: '' };
  } catch (error) {
    const { code, stderr } = /** @type {{code: number, stderr: string}} */ (error);
    return { code, stderr };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
