/**
 * Checks that what documents point to exists (lib/documentLinks.mjs), and that documents and the page's texts keep to the
 * words of the style guide (lib/words.mjs).
 */
import { brokenPointers } from './lib/documentLinks.mjs';
import { REPO } from './lib/machine.mjs';
import { wordsToReplace } from './lib/words.mjs';

const faults = [...brokenPointers(REPO), ...wordsToReplace(REPO)];
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
