/**
 * Checks the subjects of commits that no remote has yet, or with `--base REVISION` of all later ones:
 * lib/commitSubjects.mjs.
 */
import { parseArgs } from 'node:util';
import { checkSubjects } from './lib/commitSubjects.mjs';
import { main } from './lib/main.mjs';

const { values } = parseArgs({ options: { base: { type: 'string' } } });
await main((machine) => checkSubjects(machine, values.base));
