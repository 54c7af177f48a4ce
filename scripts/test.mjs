/**
 * Runs the checks, the quick ones first, and installs what they need.
 *
 *     npm run check      format, lints, types, import rules, documents, subjects of commits and unit tests
 *     npm test           everything that needs nothing but the repository
 *     npm run test:all   that, and what takes long or needs more: recordings in another folder (--traces FOLDER, or
 *                        ../shared/traces if it exists), random stories and sweeps that trace-cmd has to print,
 *                        windows of every size, and fuzzing
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBrowsers } from './lib/browser.mjs';
import { main } from './lib/main.mjs';
import { ensurePackages } from './lib/npmPackages.mjs';
import { buildPage } from './lib/pageBuild.mjs';
import { repositoryOnly } from './lib/repositoryOnly.mjs';
import { ensureRust, requireComponent } from './lib/rustTools.mjs';
import { npmScript, preparation, runSteps } from './lib/steps.mjs';

/**
 * What `npm run test:all` adds to the steps of `npm test`, and the environment of both.
 * @typedef {object} More
 * @property {string[]} rust
 * @property {string[]} derive
 * @property {string[]} report
 * @property {string[]} figures
 * @property {string[]} formats
 * @property {NodeJS.ProcessEnv} env
 */

/** Minutes that a run may take on two cores with warm caches; one that takes longer says so. */
const BUDGET = { quick: 2, thorough: 12 };

await main(async (machine) => {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      all: { type: 'boolean', default: false },
      traces: { type: 'string' },
    },
  });
  const more = values.all ? everything(machine.repo, values.traces) : nothingMore(machine);
  const component = (/** @type {'clippy' | 'rustfmt'} */ name) => ({
    require: (/** @type {import('./lib/machine.mjs').Machine} */ machine) => requireComponent(machine, name),
  });
  const quick = [
    preparation('npm packages', 'npm ci', ensurePackages),
    preparation('Rust', 'cargo --version && cc --version', ensureRust),
    [
      npmScript('format and lint', 'lint'),
      npmScript('lock files', 'check:locks'),
      npmScript('import rules', 'check:imports'),
      npmScript('documents', 'check:docs'),
      npmScript('subjects of commits', 'check:subjects'),
      npmScript('Rust format', 'check:rustfmt', component('rustfmt')),
    ],
    // The modules are linked on one core.
    [npmScript('wasm modules', 'build:wasm:bench'), npmScript('clippy', 'check:clippy', component('clippy'))],
    [
      npmScript('unit tests', 'test:unit', { env: more.env }),
      npmScript('types', 'types'),
      npmScript('dead code', 'check:unused'),
    ],
  ];
  const thorough = [
    npmScript('Rust tests', 'test:rust', { args: more.rust, env: more.env }),
    preparation('page', 'npm run build', buildPage),
    preparation('browsers', 'npx playwright install chromium firefox', ensureBrowsers),
    [
      npmScript('derivation', 'test:derive', { args: more.derive, env: more.env }),
      npmScript('figures', 'test:figures', { args: more.figures, env: more.env }),
      npmScript('report', 'test:report', { args: more.report, env: more.env }),
      npmScript('figures in browsers', 'test:browsers', { env: more.env }),
    ],
    npmScript('end-to-end tests', 'test:e2e', { env: more.env }),
    npmScript('main stories in Firefox', 'test:firefox', { env: more.env }),
  ];
  const fuzzing = values.all
    ? [npmScript('other formats', 'test:formats', { args: more.formats, env: more.env }), npmScript('fuzzing', 'fuzz')]
    : [];
  const stages = values.quick ? quick : [...quick, ...thorough, ...fuzzing];
  const minutes = values.all ? undefined : values.quick ? BUDGET.quick : BUDGET.thorough;
  if (!(await runSteps(machine, stages, { minutes }))) process.exitCode = 1;
});

/**
 * @param {import('./lib/machine.mjs').Machine} machine
 * @returns {More}
 */
function nothingMore(machine) {
  return { rust: [], derive: [], report: [], figures: [], formats: [], env: repositoryOnly(machine) };
}

/**
 * @param {string} repo
 * @param {string} [traces]
 * @returns {More}
 */
function everything(repo, traces) {
  const folder = traces === undefined ? join(repo, '../shared/traces') : resolve(traces);
  const folders = [folder, join(folder, 'public')].filter((folder) => existsSync(folder));
  const samples = [join(folder, '../samples')].filter((folder) => existsSync(folder));
  const corpus = (/** @type {string[]} */ folders) => folders.flatMap((folder) => ['--corpus', folder]);
  return {
    // Tests that need trace-cmd, and, if there are recordings, those that read them.
    rust: ['--', '--include-ignored', ...(folders.length > 0 ? [] : ['--skip', 'every_trace_'])],
    derive: [...corpus([join(repo, 'public'), ...folders]), '--stories', '40'],
    report: [...corpus(folders), '--sweeps', '10'],
    figures: corpus(folders),
    formats: [...corpus(folders), ...samples.flatMap((folder) => ['--samples', folder])],
    env: { CORELANE_TEST_ALL: '1', CORELANE_CACHE: '', ...(folders.length > 0 ? { CORELANE_TRACES: folder } : {}) },
  };
}
