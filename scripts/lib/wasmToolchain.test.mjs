import { expect, test } from 'vitest';
import { SetupError } from './machine.mjs';
import { stubMachine } from './stubMachine.mjs';
import { wasmToolchain } from './wasmToolchain.mjs';

const RUSTC = `
case "$*" in
  "--print target-libdir"*) echo "$STUB_ROOT/rustup/wasm-libraries" ;;
  "--print sysroot") echo "$STUB_ROOT/rustup" ;;
  -vV) printf 'rustc 1.90.0\\nhost: x86_64-unknown-linux-gnu\\n' ;;
esac`;
const RUSTUP_ONLINE = '/bin/mkdir -p "$STUB_ROOT/rustup/wasm-libraries"';
const RUSTUP_OFFLINE = 'echo "info: downloading" >&2; echo "error: could not download" >&2; exit 1';
const APT_ONLINE = `
case "$*" in
  *rustc-web*)
    /bin/mkdir -p "$STUB_ROOT/usr/bin" "$STUB_ROOT/usr/lib/rustlib/src/rust/library/std"
    : > "$STUB_ROOT/usr/bin/rustc"; : > "$STUB_ROOT/usr/bin/cargo"
    : > "$STUB_ROOT/usr/lib/rustlib/src/rust/library/std/Cargo.toml" ;;
esac`;
const DEBIAN_FILES = ['/usr/bin/rustc', '/usr/bin/cargo', '/usr/lib/rustlib/src/rust/library/std/Cargo.toml'];
const RUST_LLD = '/rustup/lib/rustlib/x86_64-unknown-linux-gnu/bin/rust-lld';

/** @param {import('./machine.mjs').Machine} machine */
function refusal(machine) {
  try {
    wasmToolchain(machine);
  } catch (error) {
    if (error instanceof SetupError) return error.message;
    throw error;
  }
  throw new Error('found a tool-chain');
}

test('takes the compiler that has the target, and installs nothing', () => {
  const { machine, calls } = stubMachine({
    programs: { rustc: RUSTC, rustup: RUSTUP_ONLINE },
    files: ['/rustup/wasm-libraries/libcore.rlib'],
  });
  expect(wasmToolchain(machine)).toEqual({ name: 'rustup', cargo: 'cargo', args: [], env: {} });
  expect(calls().filter((call) => call.startsWith('rustup'))).toEqual([]);
});

test('has rustup add the target', () => {
  const { machine, calls } = stubMachine({ programs: { rustc: RUSTC, rustup: RUSTUP_ONLINE } });
  expect(wasmToolchain(machine).name).toBe('rustup');
  expect(calls()).toContain('rustup target add wasm32-unknown-unknown');
});

test('prefers rustup on Debian too', () => {
  const { machine } = stubMachine({
    programs: { rustc: RUSTC, rustup: RUSTUP_ONLINE },
    files: [...DEBIAN_FILES, RUST_LLD],
    os: 'debian',
  });
  expect(wasmToolchain(machine).name).toBe('rustup');
});

test('falls back to the packages of Debian, with the linker of rustup', () => {
  const { machine, root } = stubMachine({
    programs: { rustc: RUSTC, rustup: RUSTUP_OFFLINE },
    files: [...DEBIAN_FILES, RUST_LLD],
    os: 'debian',
  });
  expect(wasmToolchain(machine)).toEqual({
    name: 'debian',
    cargo: `${root}/usr/bin/cargo`,
    args: ['-Z', 'build-std=std,panic_abort'],
    env: {
      RUSTC: `${root}/usr/bin/rustc`,
      RUSTC_BOOTSTRAP: '1',
      CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER: `${root}${RUST_LLD}`,
    },
  });
});

test('does not ask rustup when told to use Debian', () => {
  const { machine, calls } = stubMachine({
    programs: { rustc: RUSTC, rustup: RUSTUP_ONLINE },
    files: [...DEBIAN_FILES, RUST_LLD],
    os: 'debian',
    env: { CORELANE_WASM_TOOLCHAIN: 'debian' },
  });
  expect(wasmToolchain(machine).name).toBe('debian');
  expect(calls().filter((call) => call.startsWith('rustup'))).toEqual([]);
});

test('installs the packages of Debian as root, and a linker when there is none', () => {
  const { machine, calls } = stubMachine({
    programs: { rustc: RUSTC, rustup: RUSTUP_OFFLINE, 'apt-get': APT_ONLINE },
    files: ['/usr/bin/apt-get'],
    os: 'debian',
    asRoot: true,
  });
  expect(wasmToolchain(machine).env.CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER).toBe('wasm-ld');
  expect(calls().filter((call) => call.startsWith('apt-get install'))).toEqual([
    'apt-get install -y -qq --no-install-recommends rustc-web cargo-web rust-web-src',
    'apt-get install -y -qq --no-install-recommends lld',
  ]);
});

test('prints the commands instead of becoming root', () => {
  const { machine, calls } = stubMachine({
    programs: { rustc: RUSTC, rustup: RUSTUP_OFFLINE, 'apt-get': APT_ONLINE, sudo: '' },
    files: ['/usr/bin/apt-get'],
    os: 'debian',
  });
  const message = refusal(machine);
  expect(message).toContain('only root can install packages');
  expect(message).toContain('sudo apt-get install --no-install-recommends rustc-web cargo-web rust-web-src');
  expect(calls().filter((call) => /^(sudo|apt-get)/.test(call))).toEqual([]);
});

test('says what apt-get could not install', () => {
  const { machine } = stubMachine({
    programs: { rustc: RUSTC, rustup: RUSTUP_OFFLINE, 'apt-get': 'exit 100' },
    files: ['/usr/bin/apt-get'],
    os: 'debian',
    asRoot: true,
  });
  expect(refusal(machine)).toContain('apt-get could not install rustc-web cargo-web rust-web-src');
});

test('elsewhere than on Debian, says why rustup could not and what to type', () => {
  const { machine } = stubMachine({ programs: { rustc: RUSTC, rustup: RUSTUP_OFFLINE }, os: 'fedora' });
  const message = refusal(machine);
  expect(message).toContain('error: could not download');
  expect(message).toContain('    rustup target add wasm32-unknown-unknown');
});

test('without rustup, says so', () => {
  const { machine } = stubMachine({ programs: { rustc: RUSTC }, os: 'fedora' });
  expect(refusal(machine)).toContain('there is no rustup to add it');
});

test('refuses a tool-chain that it does not know', () => {
  const { machine } = stubMachine({ env: { CORELANE_WASM_TOOLCHAIN: 'nightly' } });
  expect(refusal(machine)).toContain("CORELANE_WASM_TOOLCHAIN is 'nightly', expected auto, rustup or debian");
});
