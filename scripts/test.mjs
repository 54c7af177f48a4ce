/** `npm test`: installs what is missing and runs every check, the quick ones first. */
import { ensureBrowsers } from './lib/browser.mjs';
import { main } from './lib/main.mjs';
import { ensurePackages } from './lib/npmPackages.mjs';
import { buildPage } from './lib/pageBuild.mjs';
import { ensureRust, requireComponent } from './lib/rustTools.mjs';
import { npmScript, preparation, runSteps } from './lib/steps.mjs';
import { buildWasm } from './lib/wasmBuild.mjs';

await main(async (machine) => {
  const ok = await runSteps(machine, [
    preparation('npm packages', 'npm ci', ensurePackages),
    preparation('Rust', 'cargo --version && cc --version', ensureRust),
    npmScript('lock files', 'check:locks'),
    npmScript('format and lint', 'lint'),
    npmScript('import rules', 'check:imports'),
    npmScript('Rust format', 'check:rustfmt', (machine) => requireComponent(machine, 'rustfmt')),
    preparation('wasm module', 'npm run build:wasm', buildWasm),
    npmScript('types', 'types'),
    npmScript('dead code', 'check:unused'),
    npmScript('unit tests', 'test:unit'),
    npmScript('clippy', 'check:clippy', (machine) => requireComponent(machine, 'clippy')),
    npmScript('Rust tests', 'test:rust'),
    npmScript('derivation', 'test:derive'),
    npmScript('report', 'test:report'),
    npmScript('figures', 'test:figures'),
    npmScript('fuzzing', 'fuzz'),
    preparation('page', 'npm run build', buildPage),
    preparation('browsers', 'npx playwright install chromium firefox', ensureBrowsers),
    npmScript('figures in browsers', 'test:browsers'),
    npmScript('end-to-end tests', 'test:e2e'),
  ]);
  if (!ok) process.exitCode = 1;
});
