/** Checks in seconds that all lock files are what their manifests ask for: lib/lockFiles.mjs. */
import { checkLockFiles } from './lib/lockFiles.mjs';
import { main } from './lib/main.mjs';

await main(checkLockFiles);
