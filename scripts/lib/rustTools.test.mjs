import { expect, test } from 'vitest';
import { ensureRust, requireComponent } from './rustTools.mjs';
import { stubMachine } from './stubMachine.mjs';

/**
 * @param {Record<string, string>} programs
 * @param {{os?: string, asRoot?: boolean}} [options]
 */
function stub(programs, { os = 'arch', asRoot = false } = {}) {
  const made = stubMachine({ programs, os, asRoot });
  made.addFile('Cargo.toml', '[workspace.package]\nrust-version = "1.85"\n');
  return made;
}

test('accepts the cargo that the workspace asks for, and newer ones', () => {
  expect(() => ensureRust(stub({ cargo: 'echo "cargo 1.85.0 (abc 2025-01-01)"', cc: '' }).machine)).not.toThrow();
  expect(() => ensureRust(stub({ cargo: 'echo "cargo 1.100.0"', cc: '' }).machine)).not.toThrow();
});

test('points to rustup when there is no cargo', () => {
  expect(() => ensureRust(stub({}).machine)).toThrow('https://rustup.rs');
});

test('refuses an old cargo', () => {
  const { machine } = stub({ cargo: 'echo "cargo 1.63.0"' });
  expect(() => ensureRust(machine)).toThrow('cargo is 1.63, Corelane needs at least 1.85');
});

test('installs a linker on Debian as root', () => {
  const { machine, calls } = stub({ cargo: 'echo "cargo 1.90.0"', 'apt-get': '' }, { os: 'debian', asRoot: true });
  ensureRust(machine);
  expect(calls()).toContain('apt-get install -y -qq --no-install-recommends gcc libc6-dev');
});

test('says what is missing when there is no linker', () => {
  const cargo = 'echo "cargo 1.90.0"';
  expect(() => ensureRust(stub({ cargo }).machine)).toThrow('install gcc or clang');
  expect(() => ensureRust(stub({ cargo }, { os: 'debian' }).machine)).toThrow(
    'sudo apt-get install --no-install-recommends gcc libc6-dev',
  );
});

test('adds a component that a minimal rustup lacks', () => {
  const { machine, calls } = stub({
    cargo: 'test -e "$STUB_ROOT/clippy"',
    rustup: ': > "$STUB_ROOT/clippy"',
  });
  requireComponent(machine, 'clippy');
  expect(calls()).toContain('rustup component add clippy');
});

test('says how to add a component that it cannot add', () => {
  const { machine } = stub({ cargo: 'exit 1', rustup: 'exit 1' });
  expect(() => requireComponent(machine, 'rustfmt')).toThrow(
    'cargo fmt is missing. Run\n    rustup component add rustfmt',
  );
});
