/** Checks that imports between the layers of web/ point down: the rules are in lib/importRules.mjs. */
import { join } from 'node:path';
import { importViolations } from './lib/importRules.mjs';
import { REPO } from './lib/machine.mjs';

const violations = importViolations(join(REPO, 'web'));
for (const violation of violations) console.error(violation);
if (violations.length > 0) {
  console.error(
    `${violations.length} imports point up or across; scripts/lib/importRules.mjs says who may import whom`,
  );
  process.exitCode = 1;
}
