/**
 * Decides which Rust compiles to wasm on this machine.
 *
 *  - `rustup`: the compiler on the PATH has the target's standard library, or `rustup target add` brings it.
 *  - `debian`: Debian's rustc-web has no such library, but its rust-web-src is the matching source, from which cargo
 *    builds it (`-Z build-std`).
 *
 * CORELANE_WASM_TOOLCHAIN forces one of them; `auto` (the default) tries them in this order.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { aptCommand, aptInstall } from './apt.mjs';
import { SetupError } from './machine.mjs';

export const WASM_TARGET = 'wasm32-unknown-unknown';
const DEBIAN_PACKAGES = ['rustc-web', 'cargo-web', 'rust-web-src'];
const RUSTUP_TIMEOUT_MS = 180_000;

/**
 * @typedef {object} WasmToolchain
 * @property {'rustup' | 'debian'} name
 * @property {string} cargo
 * @property {readonly string[]} args For every `cargo build`.
 * @property {Readonly<Record<string, string>>} env
 */

/** @typedef {import('./machine.mjs').Machine} Machine */

/**
 * The toolchain that CORELANE_WASM_TOOLCHAIN asks for.
 * @param {Machine} machine
 * @returns {'auto' | 'rustup' | 'debian'}
 */
export function wantedToolchain(machine) {
  const wanted = machine.env.CORELANE_WASM_TOOLCHAIN || 'auto';
  if (wanted === 'auto' || wanted === 'rustup' || wanted === 'debian') return wanted;
  throw new SetupError(`CORELANE_WASM_TOOLCHAIN is '${wanted}', expected auto, rustup or debian`);
}

/**
 * Finds the toolchain, and installs what is missing; throws with what to do by hand if there is none.
 * @param {Machine} machine
 * @returns {WasmToolchain}
 */
export function wasmToolchain(machine) {
  const wanted = wantedToolchain(machine);
  /** @type {string[]} */
  const obstacles = [];
  if (wanted !== 'debian') {
    const found = rustup(machine, obstacles);
    if (found) return found;
  }
  if (wanted === 'debian' || (wanted === 'auto' && machine.isDebian)) return debian(machine);
  throw new SetupError(`no Rust here compiles for ${WASM_TARGET}: ${obstacles.join('; ')}. Run`, [
    `rustup target add ${WASM_TARGET}`,
    ...(machine.isDebian ? [`or: ${aptCommand(DEBIAN_PACKAGES)}`] : []),
  ]);
}

/**
 * @param {Machine} machine
 * @param {string[]} obstacles Receives the reasons why this toolchain cannot be used.
 * @returns {WasmToolchain | undefined}
 */
function rustup(machine, obstacles) {
  const toolchain = { name: /** @type {const} */ ('rustup'), cargo: 'cargo', args: [], env: {} };
  if (hasTarget(machine)) return toolchain;
  if (!machine.which('rustup')) {
    obstacles.push('rustc has no standard library for it, and there is no rustup to add it');
    return undefined;
  }
  machine.say(`rustup target add ${WASM_TARGET}`);
  const added = machine.capture('rustup', ['target', 'add', WASM_TARGET], { timeoutMs: RUSTUP_TIMEOUT_MS });
  if (added.ok && hasTarget(machine)) return toolchain;
  const reason = added.err.split('\n').at(-1) || 'no answer within three minutes';
  machine.say(`rustup cannot add the target: ${reason}`);
  obstacles.push(`rustup cannot add it (${reason})`);
  return undefined;
}

/** @param {Machine} machine */
function hasTarget(machine) {
  const libraries = machine.capture('rustc', ['--print', 'target-libdir', '--target', WASM_TARGET]);
  return libraries.ok && existsSync(libraries.out);
}

/**
 * @param {Machine} machine
 * @returns {WasmToolchain}
 */
function debian(machine) {
  const complete = () =>
    ['/usr/bin/rustc', '/usr/bin/cargo', '/usr/lib/rustlib/src/rust/library/std/Cargo.toml'].every((path) =>
      machine.has(path),
    );
  if (!complete()) {
    if (!machine.has('/usr/bin/apt-get')) {
      throw new SetupError(`CORELANE_WASM_TOOLCHAIN=debian needs a Debian with ${DEBIAN_PACKAGES.join(', ')}`);
    }
    aptInstall(machine, DEBIAN_PACKAGES, 'compiling to wasm');
    if (!complete())
      throw new SetupError(`${DEBIAN_PACKAGES.join(', ')} are installed, but not below /usr as expected`);
  }
  return {
    name: 'debian',
    cargo: machine.path('/usr/bin/cargo'),
    args: ['-Z', 'build-std=std,panic_abort'],
    env: {
      RUSTC: machine.path('/usr/bin/rustc'),
      // build-std is unstable, and Debian has no nightly compiler.
      RUSTC_BOOTSTRAP: '1',
      CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER: linker(machine),
    },
  };
}

/**
 * Debian's compiler comes without a linker for wasm. rustup's linker is as old as its compiler; Debian's `lld` works
 * too.
 * @param {Machine} machine
 */
function linker(machine) {
  const sysroot = machine.capture('rustc', ['--print', 'sysroot']);
  const host = /^host: (.+)$/m.exec(machine.capture('rustc', ['-vV']).out)?.[1];
  if (sysroot.ok && host) {
    const rustLld = join(sysroot.out, 'lib/rustlib', host, 'bin/rust-lld');
    if (existsSync(rustLld)) return rustLld;
  }
  if (!machine.which('wasm-ld')) aptInstall(machine, ['lld'], 'linking wasm');
  return 'wasm-ld';
}
