/**
 * The wasm modules and their bindings. Each is crates/tracecore with one of its features: `engine`, `io` and `figures`, which the
 * page loads from web/wasm, and `replay`, which only the bench loads.
 */
import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fingerprint, readStamp } from './fingerprint.mjs';
import { SetupError } from './machine.mjs';
import { ensureRust } from './rustTools.mjs';
import { WASM_TARGET, wantedToolchain, wasmToolchain } from './wasmToolchain.mjs';

/**
 * @typedef {object} Modules
 * @property {readonly string[]} features Of crates/tracecore: a module of that name for each.
 * @property {string} folder Where they go.
 */

/** @type {Modules} */
export const PAGE_MODULES = { features: ['engine', 'io', 'figures'], folder: 'web/wasm' };
/** @type {Modules} */
export const BENCH_MODULES = { features: ['replay'], folder: 'bench/wasm' };

/** The crates that make up the modules, and the tool that makes the bindings. */
export const WASM_CRATES = [
  'traceevent',
  'eventfilter',
  'eventpairs',
  'schedrows',
  'sysnames',
  'staktau',
  'tracedat',
  'schedtext',
  'containers',
  'traceimport',
  'tracetext',
  'formats',
  'topology',
  'schedmodel',
  'schedindex',
  'schedquery',
  'paper',
  'schedfigure',
  'replay',
  'traceexport',
  'fileask',
  'tracecore',
  'xtask',
];
/** @param {string} name Of a module. */
const outputsOf = (name) => ['.js', '.d.ts', '_bg.wasm', '_bg.wasm.d.ts'].map((end) => name + end);
const INPUTS = [
  'Cargo.toml',
  'Cargo.lock',
  'scripts/lib/wasmBuild.mjs',
  ...WASM_CRATES.flatMap((name) => ['Cargo.toml', 'build.rs', 'src', 'assets'].map((part) => `crates/${name}/${part}`)),
];

/**
 * Builds what is out of date; without a change in Rust this takes milliseconds.
 * @param {import('./machine.mjs').Machine} machine
 * @param {Modules} modules
 */
export function buildWasm(machine, { features, folder } = PAGE_MODULES) {
  const out = join(machine.repo, folder);
  const stampPath = join(out, '.stamp');
  const inputs = fingerprint(machine.repo, INPUTS);
  const outputs = features.flatMap(outputsOf);
  if (isCurrent(out, outputs, readStamp(stampPath), inputs, wantedToolchain(machine))) {
    machine.say('wasm: up to date');
    return;
  }
  const started = Date.now();
  ensureRust(machine);
  const toolchain = wasmToolchain(machine);
  const targetDir = resolve(machine.repo, machine.env.CARGO_TARGET_DIR || 'target', `wasm-${toolchain.name}`);
  machine.say(`wasm: compiling with the ${toolchain.name} tool-chain`);
  // Beside the final folder, so that a server that watches that never sees half of them.
  const fresh = `${out}.${process.pid}`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  try {
    for (const feature of features) {
      compile(machine, toolchain, targetDir, feature);
      makeBindings(machine, join(targetDir, WASM_TARGET, 'wasm/tracecore.wasm'), fresh, feature);
    }
    rmSync(out, { recursive: true, force: true });
    renameSync(fresh, out);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  writeFileSync(stampPath, stamp(inputs, toolchain.name));
  const size = (/** @type {string} */ name) => (statSync(join(out, `${name}_bg.wasm`)).size / 1024).toFixed(0);
  const sizes = features.map((name) => `${name} ${size(name)} KiB`).join(', ');
  machine.say(`wasm: ${sizes} in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

/**
 * Compiles one module: built together they would be one, with all features.
 * @param {import('./machine.mjs').Machine} machine
 * @param {ReturnType<typeof wasmToolchain>} toolchain
 * @param {string} targetDir
 * @param {string} feature
 */
function compile(machine, toolchain, targetDir, feature) {
  const compiled = machine.run(
    toolchain.cargo,
    [
      ...['build', '--profile', 'wasm', '--locked', '--package', 'tracecore', '--lib'],
      ...['--no-default-features', '--features', feature],
      ...['--target', WASM_TARGET, '--target-dir', targetDir, ...toolchain.args],
      ...['--config', `target.${WASM_TARGET}.rustflags=${JSON.stringify(withoutPaths(machine))}`],
    ],
    { env: toolchain.env },
  );
  if (!compiled) throw new SetupError('the wasm modules do not compile: see above');
}

/**
 * Where this machine keeps sources is no part of a module: the same ones give the same everywhere.
 * @param {import('./machine.mjs').Machine} machine
 */
function withoutPaths({ env, root }) {
  const crates = join(env.CARGO_HOME || join(env.HOME ?? root, '.cargo'), 'registry/src');
  const std = join(root, 'usr/lib/rustlib/src/rust');
  return [crates, std].map((folder) => `--remap-path-prefix=${folder}=`);
}

/**
 * @param {string} out
 * @param {readonly string[]} outputs
 * @param {string | undefined} found The stamp of the last build.
 * @param {string} inputs
 * @param {'auto' | 'rustup' | 'debian'} wanted
 */
function isCurrent(out, outputs, found, inputs, wanted) {
  const good = wanted === 'auto' ? [stamp(inputs, 'rustup'), stamp(inputs, 'debian')] : [stamp(inputs, wanted)];
  return found !== undefined && good.includes(found) && outputs.every((name) => existsSync(join(out, name)));
}

/**
 * @param {string} inputs
 * @param {'rustup' | 'debian'} toolchain
 */
function stamp(inputs, toolchain) {
  return `${toolchain} ${inputs}\n`;
}

/**
 * @param {import('./machine.mjs').Machine} machine
 * @param {string} compiled The compiled module.
 * @param {string} folder
 * @param {string} name
 */
function makeBindings(machine, compiled, folder, name) {
  const made = machine.run('cargo', [
    ...['run', '--quiet', '--locked', '--package', 'xtask', '--profile', 'tool', '--'],
    ...[compiled, folder, name],
  ]);
  if (!made) throw new SetupError('the JavaScript bindings could not be made: see above');
}
