/** The traces that are measured. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';

const REPO = join(import.meta.dirname, '..');

/**
 * @typedef {object} BenchTrace
 * @property {string} name
 * @property {string} path
 */

/**
 * Small to large.
 * @param {string} folder For what has to be made.
 * @param {number} largeMb Megabytes of the synthetic trace; 0 for none.
 * @returns {BenchTrace[]}
 */
export function traces(folder, largeMb) {
  const fixture = 'barrier128-after-sleep.dat';
  const found = [{ name: fixture, path: join(REPO, 'tests/fixtures', fixture) }];
  const corpus = env.CORELANE_TRACES ?? join(REPO, '../shared/traces');
  const big = { name: 'big128.dat', path: join(corpus, 'big128.dat') };
  if (existsSync(big.path)) found.push(big);
  else console.log(`${big.path} is missing: not measured`);

  return found;
}
