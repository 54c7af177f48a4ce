/**
 * The wasm modules and their bindings, in web/wasm: crates/tracecore-wasm, the engine with trace.dat; and what the page loads
 * after the first picture or only when it is needed: crates/events-wasm, the list of events; crates/formats-wasm, all other
 * formats; crates/figures-wasm, figures; crates/calls-wasm, system calls and interrupts; crates/studies-wasm, relations and other
 * questions about whole traces; crates/files-wasm, exports and sched_ext; and crates/replay-wasm, replays.
 */
import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fingerprint, readStamp } from './fingerprint.mjs';
import { SetupError } from './machine.mjs';
import { ensureRust } from './rustTools.mjs';
import { WASM_TARGET, wantedToolchain, wasmToolchain } from './wasmToolchain.mjs';

/**
 * The module of other formats is made small: it may have 250 kB, packed by brotli. Crates that other modules need to be fast
 * are compiled once more for it. What packs rows (schedrows) and unpacks packets (miniz_oxide) stays as fast as it is, and the text of
 * traces is not made as small as others; these would cost a scan a tenth, and up to two fifths, of its time. The module's size
 * differs by some hundred bytes with the folder in which it is compiled.
 * @type {Record<string, 2 | 's' | 'z'>}
 */
const SMALL_FORMATS = {
  containers: 'z',
  eventfilter: 'z',
  eventpairs: 'z',
  flate2: 'z',
  formats: 'z',
  'formats-wasm': 'z',
  'ftrace-format': 'z',
  memchr: 'z',
  rawzip: 'z',
  miniz_oxide: 2,
  schedrows: 2,
  schedtext: 'z',
  'simd-adler32': 'z',
  tracedat: 'z',
  traceimport: 'z',
  tracetext: 's',
  'zrip-core': 'z',
  'zrip-decode': 'z',
};
/** The packages that are built as modules, the names of their bindings, and levels of optimisation of their own. */
const MODULES = [
  { crate: 'tracecore-wasm', name: 'tracecore', levels: {} },
  { crate: 'events-wasm', name: 'events', levels: {} },
  { crate: 'formats-wasm', name: 'formats', levels: SMALL_FORMATS },
  { crate: 'figures-wasm', name: 'figures', levels: {} },
  { crate: 'calls-wasm', name: 'calls', levels: {} },
  { crate: 'studies-wasm', name: 'studies', levels: {} },
  { crate: 'files-wasm', name: 'files', levels: SMALL_FORMATS },
  { crate: 'replay-wasm', name: 'replay', levels: {} },
];
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
  'tracecore',
  'source-wasm',
  'tracecore-wasm',
  'events-wasm',
  'formats-wasm',
  'figures-wasm',
  'calls-wasm',
  'traceexport',
  'fileask',
  'files-wasm',
  'studies-wasm',
  'replay',
  'replay-wasm',
  'xtask',
];
const OUTPUTS = MODULES.flatMap(({ name }) => ['.js', '.d.ts', '_bg.wasm', '_bg.wasm.d.ts'].map((end) => name + end));
const INPUTS = [
  'Cargo.toml',
  'Cargo.lock',
  'scripts/lib/wasmBuild.mjs',
  ...WASM_CRATES.flatMap((name) => ['Cargo.toml', 'build.rs', 'src', 'assets'].map((part) => `crates/${name}/${part}`)),
];

/**
 * Builds what is out of date; without a change in Rust this takes milliseconds.
 * @param {import('./machine.mjs').Machine} machine
 */
export function buildWasm(machine) {
  const out = join(machine.repo, 'web/wasm');
  const stampPath = join(out, '.stamp');
  const inputs = fingerprint(machine.repo, INPUTS);
  if (isCurrent(out, readStamp(stampPath), inputs, wantedToolchain(machine))) {
    machine.say('wasm: up to date');
    return;
  }
  const started = Date.now();
  ensureRust(machine);
  const toolchain = wasmToolchain(machine);
  const targetDir = resolve(machine.repo, machine.env.CARGO_TARGET_DIR || 'target', `wasm-${toolchain.name}`);
  machine.say(`wasm: compiling with the ${toolchain.name} tool-chain`);
  // They are built one after the other: built together, each would get the other's features.
  for (const { crate, levels } of MODULES) {
    const compiled = machine.run(
      toolchain.cargo,
      [
        ...['build', '--profile', 'wasm', '--locked', '--package', crate, '--lib'],
        ...['--target', WASM_TARGET, '--target-dir', targetDir, ...toolchain.args],
        ...['--config', `target.${WASM_TARGET}.rustflags=${JSON.stringify(withoutPaths(machine))}`],
        ...Object.entries(levels).flatMap(([of, level]) => [
          '--config',
          `profile.wasm.package.${of}.opt-level=${JSON.stringify(level)}`,
        ]),
      ],
      { env: toolchain.env },
    );
    if (!compiled) throw new SetupError('the wasm modules do not compile: see above');
  }
  makeBindings(machine, join(targetDir, WASM_TARGET, 'wasm'), out);
  writeFileSync(stampPath, stamp(inputs, toolchain.name));
  const size = (/** @type {string} */ name) => (statSync(join(out, `${name}_bg.wasm`)).size / 1024).toFixed(0);
  const sizes = MODULES.map(({ name }) => `${name} ${size(name)} KiB`).join(', ');
  machine.say(`wasm: ${sizes} in ${((Date.now() - started) / 1000).toFixed(1)} s`);
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
 * @param {string | undefined} found The stamp of the last build.
 * @param {string} inputs
 * @param {'auto' | 'rustup' | 'debian'} wanted
 */
function isCurrent(out, found, inputs, wanted) {
  const good = wanted === 'auto' ? [stamp(inputs, 'rustup'), stamp(inputs, 'debian')] : [stamp(inputs, wanted)];
  return found !== undefined && good.includes(found) && OUTPUTS.every((name) => existsSync(join(out, name)));
}

/**
 * @param {string} inputs
 * @param {'rustup' | 'debian'} toolchain
 */
function stamp(inputs, toolchain) {
  return `${toolchain} ${inputs}\n`;
}

/**
 * Makes the bindings in a folder beside the final one, so that a server that watches it never sees half of them.
 * @param {import('./machine.mjs').Machine} machine
 * @param {string} compiled The folder of the compiled modules.
 * @param {string} out
 */
function makeBindings(machine, compiled, out) {
  const fresh = `${out}.${process.pid}`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  for (const { crate, name } of MODULES) {
    const made = machine.run('cargo', [
      ...['run', '--quiet', '--locked', '--package', 'xtask', '--profile', 'tool', '--'],
      ...[join(compiled, `${crate.replaceAll('-', '_')}.wasm`), fresh, name],
    ]);
    if (made) continue;
    rmSync(fresh, { recursive: true, force: true });
    throw new SetupError('the JavaScript bindings could not be made: see above');
  }
  rmSync(out, { recursive: true, force: true });
  renameSync(fresh, out);
}
