/** Checks within seconds that all lock files match their manifests: lib/lockFiles.mjs. */
import { checkLockFiles } from './lib/lockFiles.mjs';
import { main } from './lib/main.mjs';

await main(checkLockFiles);
