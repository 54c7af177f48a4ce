import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { REPO } from './machine.mjs';
import { stubMachine } from './stubMachine.mjs';
import { buildWasm, WASM_CRATES } from './wasmBuild.mjs';

const CARGO = `
case "$1" in
  --version) echo "cargo 1.90.0" ;;
  run) while [ "$1" != -- ]; do shift; done
    for end in .js .d.ts _bg.wasm _bg.wasm.d.ts; do : > "$3/$4$end"; done ;;
esac`;
const RUSTC = 'echo "$STUB_ROOT/libraries"';

/** @param {string} [cargo] */
function stub(cargo = CARGO) {
  const made = stubMachine({ programs: { cargo, rustc: RUSTC, cc: '' }, files: ['/libraries/libcore.rlib'] });
  made.addFile('Cargo.toml', 'rust-version = "1.85"\n');
  made.addFile('crates/tracecore/src/lib.rs', 'fn one() {}');
  made.addFile('web/engine/protocol.ts');
  // Each build compiles all modules, and each of them once.
  const builds = () => made.calls().filter((call) => /^cargo build .*--features engine /.test(call)).length;
  return { ...made, builds };
}

test('builds once, and again only when a Rust source changes', () => {
  const { machine, builds, addFile, said } = stub();
  buildWasm(machine);
  expect(builds()).toBe(1);
  buildWasm(machine);
  expect(builds()).toBe(1);
  expect(said.at(-1)).toBe('wasm: up to date');
  addFile('web/engine/protocol.ts', 'changed');
  buildWasm(machine);
  expect(builds()).toBe(1);
  addFile('crates/tracecore/src/lib.rs', 'fn two() {}');
  buildWasm(machine);
  expect(builds()).toBe(2);
});

test('builds again when an output is gone, or another tool-chain is asked for', () => {
  const { machine, builds, root } = stub();
  buildWasm(machine);
  machine.env.CORELANE_WASM_TOOLCHAIN = 'rustup';
  buildWasm(machine);
  expect(builds()).toBe(1);
  machine.env.CORELANE_WASM_TOOLCHAIN = 'debian';
  expect(() => buildWasm(machine)).toThrow('needs a Debian');
  machine.env.CORELANE_WASM_TOOLCHAIN = 'auto';
  machine.capture('/bin/rm', [join(root, 'web/wasm/engine.js')]);
  buildWasm(machine);
  expect(builds()).toBe(2);
});

test('leaves the previous module when a build fails', () => {
  const { machine, addFile, root } = stub();
  buildWasm(machine);
  addFile('path/cargo', '#!/bin/sh\ncase "$1" in --version) echo "cargo 1.90.0" ;; *) exit 101 ;; esac\n');
  addFile('crates/tracecore/src/lib.rs', 'fn broken(');
  expect(() => buildWasm(machine)).toThrow('do not compile');
  expect(readFileSync(join(root, 'web/wasm/.stamp'), 'utf8')).toMatch(/^rustup /);
});

test('knows every crate that goes into the modules', () => {
  const names = new Set(WASM_CRATES);
  for (const name of WASM_CRATES) {
    const manifest = readFileSync(join(REPO, 'crates', name, 'Cargo.toml'), 'utf8');
    const dependencies = /^\[dependencies\]\n((?:(?!\[).*\n?)*)/m.exec(manifest)?.[1] ?? '';
    for (const [, own] of dependencies.matchAll(/^(?!wasm-bindgen|ts-rs)([\w-]+)(?=\.workspace| = \{ workspace)/gm)) {
      expect(names).toContain(own);
    }
  }
});
