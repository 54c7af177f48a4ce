/** Checks that what documents point to exists: lib/documentLinks.mjs. */
import { brokenPointers } from './lib/documentLinks.mjs';
import { REPO } from './lib/machine.mjs';

const faults = brokenPointers(REPO);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
