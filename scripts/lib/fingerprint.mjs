/** Hashes of files, by which the scripts see that a step's inputs have not changed since it last ran. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * SHA-256 over names and contents of files and of everything below folders; what does not exist is left out. It covers
 * contents instead of times, because a fresh checkout, or switching branches back and forth, changes times only.
 * @param {string} base
 * @param {readonly string[]} paths Relative to `base`.
 */
export function fingerprint(base, paths) {
  const hash = createHash('sha256');
  for (const path of paths.flatMap((path) => filesBelow(base, path)).sort()) {
    const contents = readFileSync(join(base, path));
    hash.update(`${path}\0${contents.length}\0`).update(contents);
  }
  return hash.digest('hex');
}

/**
 * @param {string} base
 * @param {string} path
 * @returns {string[]}
 */
function filesBelow(base, path) {
  const full = join(base, path);
  if (!existsSync(full)) return [];
  if (!statSync(full).isDirectory()) return [path];
  return readdirSync(full).flatMap((name) => filesBelow(base, join(path, name)));
}

/**
 * The content of a stamp file, or undefined if there is none.
 * @param {string} path
 */
export function readStamp(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
