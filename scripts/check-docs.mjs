/**
 * Checks documents: what they point to exists (lib/documentLinks.mjs), the map of crates is that of the manifests
 * (lib/crateMap.mjs), and they and the page's texts keep to the words of the style guide (lib/words.mjs).
 */
import { crateMapFaults } from './lib/crateMap.mjs';
import { brokenPointers } from './lib/documentLinks.mjs';
import { REPO } from './lib/machine.mjs';
import { wordsToReplace } from './lib/words.mjs';

const faults = [...brokenPointers(REPO), ...crateMapFaults(REPO), ...wordsToReplace(REPO)];
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
