/** The traces that are measured. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { buildRelease, run } from './measure.mjs';

const REPO = join(import.meta.dirname, '..');

/**
 * @typedef {object} BenchTrace
 * @property {string} name
 * @property {string} path
 */

/**
 * A fixture, the largest recording if there is one, and a synthetic trace.
 * @param {string} folder For what has to be made.
 * @param {number} large Million events of the synthetic trace; 0 for none.
 * @returns {BenchTrace[]}
 */
export function traces(folder, large) {
  const fixture = 'barrier128-after-sleep.dat';
  const found = [{ name: fixture, path: join(REPO, 'tests/fixtures', fixture) }];
  const big = join(env.CORELANE_TRACES ?? join(REPO, '../shared/traces'), 'big128.dat');
  if (existsSync(big)) found.push({ name: 'big128.dat', path: big });
  else console.log(`${big} is missing: not measured`);
  if (large > 0) found.push(synthetic(folder, large));
  return found;
}

/**
 * Version 6, which is never packed: what a file of hundreds of megabytes costs.
 * @param {string} folder
 * @param {number} large
 * @returns {BenchTrace}
 */
function synthetic(folder, large) {
  const name = `synthetic-${large}M.dat`;
  const path = join(folder, name);
  console.log(`writing ${name}`);
  run(
    buildRelease('tracegen', 'tracegen'),
    ['large', '--version', '6', '--events', `${large * 1e6}`, '-o', path],
    'ignore',
  );
  return { name, path };
}
