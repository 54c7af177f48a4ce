/** `npm run build`: builds the page as a folder, dist/, that any web server can host below any path. */
import { main } from './lib/main.mjs';
import { ensurePackages } from './lib/npmPackages.mjs';
import { buildPage } from './lib/pageBuild.mjs';
import { buildWasm } from './lib/wasmBuild.mjs';

await main((machine) => {
  ensurePackages(machine);
  buildWasm(machine);
  buildPage(machine);
});
