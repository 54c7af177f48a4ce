/** Builds the static page: web/, public/ and the wasm module -> dist/. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fingerprint, readStamp } from './fingerprint.mjs';
import { SetupError } from './machine.mjs';

const INPUTS = ['web', 'public', 'vite.config.ts', 'package-lock.json'];

/**
 * Builds dist/ if any of its inputs has changed.
 * @param {import('./machine.mjs').Machine} machine With npm's packages and the wasm module.
 */
export function buildPage(machine) {
  // The stamp is not in dist/, because that folder is published.
  const stampPath = join(machine.repo, 'target/page-stamp');
  const inputs = fingerprint(machine.repo, INPUTS);
  if (existsSync(join(machine.repo, 'dist/index.html')) && readStamp(stampPath) === inputs) {
    machine.say('page: up to date');
    return;
  }
  rmSync(stampPath, { force: true });
  if (!machine.run(join(machine.repo, 'node_modules/.bin/vite'), ['build', '--logLevel', 'warn'])) {
    throw new SetupError('the page does not build: see above');
  }
  mkdirSync(dirname(stampPath), { recursive: true });
  writeFileSync(stampPath, inputs);
  machine.say('page: built in dist/');
}
