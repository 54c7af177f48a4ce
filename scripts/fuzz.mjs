/**
 * `npm run fuzz`: runs libFuzzer on every target of fuzz/, a minute each; `npm run fuzz -- --seconds 3600 page` for
 * longer, or for some of them. Its corpus is kept in target/fuzz/corpus. An input that fails is named, with the command
 * that repeats it.
 */
import { mkdirSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fuzzTargets, writeSeeds } from './fuzz/seeds.mjs';
import { aptInstall } from './lib/apt.mjs';
import { SetupError } from './lib/machine.mjs';
import { main } from './lib/main.mjs';
import { ensureRust } from './lib/rustTools.mjs';

/** How the compiler reports branches and comparisons to libFuzzer: as with `cargo fuzz`, as far as stable Rust can. */
const COVERAGE = [
  '--cfg fuzzing',
  '-Cpasses=sancov-module',
  '-Cllvm-args=-sanitizer-coverage-level=4',
  '-Cllvm-args=-sanitizer-coverage-inline-8bit-counters',
  '-Cllvm-args=-sanitizer-coverage-pc-table',
  '-Cllvm-args=-sanitizer-coverage-trace-compares',
].join(' ');

/** The most time of one input, and the most memory of the process. */
const LIMITS = ['-timeout=10', '-rss_limit_mb=2048', '-malloc_limit_mb=512'];

/** @typedef {import('./lib/machine.mjs').Machine} Machine */

await main(async (machine) => {
  const { values, positionals } = parseArgs({
    options: { seconds: { type: 'string', default: '60' } },
    allowPositionals: true,
  });
  const seconds = Number(values.seconds);
  const unknown = positionals.find((name) => !(name in fuzzTargets));
  if (unknown !== undefined || !(seconds > 0)) {
    throw new SetupError('usage: npm run fuzz -- [--seconds N] [TARGET...], the targets being', [
      Object.keys(fuzzTargets).join(' '),
    ]);
  }
  ensureRust(machine);
  if (!machine.which('c++')) {
    if (!machine.isDebian) throw new SetupError('there is no C++ compiler (c++), which libFuzzer is compiled with');
    aptInstall(machine, ['g++'], 'compiling libFuzzer');
  }
  const folder = join(machine.repo, 'target', 'fuzz');
  const binaries = build(machine, folder);
  writeSeeds(machine, join(folder, 'corpus'));
  const names = positionals.length > 0 ? positionals : Object.keys(fuzzTargets);
  let failed = 0;
  const waiting = [...names];
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      if (!(await fuzz(machine, { name, folder, binaries, seconds }))) failed++;
    }
  };
  await Promise.all(Array.from({ length: Math.min(names.length, availableParallelism()) }, work));
  machine.say(`${names.length - failed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
});

/**
 * @param {Machine} machine
 * @param {string} folder
 */
function build(machine, folder) {
  const host = /^host: (.+)$/m.exec(machine.capture('rustc', ['-vV']).out)?.[1];
  if (host === undefined) throw new SetupError('rustc -vV does not say what machine this is');
  // With a target, the flags apply only to the fuzz targets' code and not to build scripts.
  const args = ['build', '--locked', '--release', '--manifest-path', 'fuzz/Cargo.toml', '--target', host];
  const env = { CARGO_TARGET_DIR: folder, RUSTFLAGS: COVERAGE };
  if (!machine.run('cargo', args, { env })) throw new SetupError('the fuzz targets could not be built');
  return join(folder, host, 'release');
}

/**
 * Runs one target; true if nothing was found.
 * @param {Machine} machine
 * @param {{name: string, folder: string, binaries: string, seconds: number}} options
 */
async function fuzz(machine, { name, folder, binaries, seconds }) {
  const corpus = join(folder, 'corpus', name);
  const found = join(folder, 'found', name);
  mkdirSync(found, { recursive: true });
  const target = fuzzTargets[name];
  const args = [`-max_total_time=${seconds}`, `-max_len=${target?.maxLength}`, ...LIMITS, `-artifact_prefix=${found}/`];
  const started = Date.now();
  const { ok, output } = await machine.gather(join(binaries, name), [...args, corpus]);
  const took = ((Date.now() - started) / 1000).toFixed(0);
  const runs = [...output.matchAll(/^#(\d+)/gm)].at(-1)?.[1] ?? '?';
  const coverage = [...output.matchAll(/cov: (\d+)/g)].at(-1)?.[1] ?? '?';
  machine.say(
    `${name}: ${runs} executions in ${took} s, ${coverage} branches reached, ${ok ? 'nothing found' : 'FAILED'}`,
  );
  if (!ok) {
    machine.say(output.split('\n').slice(-40).join('\n'));
    for (const file of readdirSync(found)) {
      machine.say(`    to repeat: ${join(binaries, name)} ${join(found, file)}`);
      machine.say(`    to keep:   mkdir -p fuzz/crashes/${name} && cp ${join(found, file)} fuzz/crashes/${name}/`);
    }
  }
  return ok;
}
