// @ts-check

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');

/**
 * Builds a program of the workspace and returns its path.
 *
 * @param {string} crate
 * @param {string} name the name of its binary
 */
export function build(crate, name) {
  execFileSync('cargo', ['build', '--quiet', '-p', crate], { cwd: ROOT, stdio: 'inherit' });
  const target = process.env.CARGO_TARGET_DIR ?? path.join(ROOT, 'target');
  const built = path.join(target, 'debug', name);
  if (!existsSync(built)) throw new Error(`cargo left no ${built}`);
  return built;
}
