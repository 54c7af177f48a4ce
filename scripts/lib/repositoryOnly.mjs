/**
 * Makes `npm test` the same on every machine: its steps find neither recordings outside the repository, nor programs
 * that only some machines have, and its random cases are always the same.
 */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Programs that `npm run test:all` uses and `npm test` may not need. */
const OPTIONAL_PROGRAMS = ['trace-cmd', 'zstd'];

/** Variables that make tests do more than `npm test` should. */
const OPTIONAL_INPUTS = ['CORELANE_TRACES', 'CORELANE_TEST_ALL'];

/**
 * The environment variables of such a step: they put programs that fail ahead of any that are installed.
 * @param {import('./machine.mjs').Machine} machine
 * @returns {NodeJS.ProcessEnv}
 */
export function repositoryOnly(machine) {
  const folder = join(machine.repo, 'target', 'absent');
  mkdirSync(folder, { recursive: true });
  for (const name of OPTIONAL_PROGRAMS) {
    const path = join(folder, name);
    writeFileSync(path, `#!/bin/sh\necho "npm test does without ${name}: npm run test:all may ask it" >&2\nexit 127\n`);
    chmodSync(path, 0o755);
  }
  return {
    ...Object.fromEntries(OPTIONAL_INPUTS.map((name) => [name, undefined])),
    // Nor models of traces that the user has opened.
    CORELANE_CACHE: '',
    // Nor other random cases than the last time: those of property tests follow from this. `npm run test:all` draws new ones.
    PROPTEST_RNG_SEED: '1',
    PATH: [folder, machine.env.PATH ?? ''].join(delimiter),
  };
}
