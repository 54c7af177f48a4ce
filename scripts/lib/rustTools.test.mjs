import { expect, test } from 'vitest';
import { requireCargo, requireComponent } from './rustTools.mjs';
import { stubMachine } from './stubMachine.mjs';

/** @param {Record<string, string>} programs */
function stub(programs) {
  const made = stubMachine({ programs });
  made.addFile('Cargo.toml', '[workspace.package]\nrust-version = "1.85"\n');
  return made;
}

test('accepts the cargo that the workspace asks for, and newer ones', () => {
  expect(() => requireCargo(stub({ cargo: 'echo "cargo 1.85.0 (abc 2025-01-01)"' }).machine)).not.toThrow();
  expect(() => requireCargo(stub({ cargo: 'echo "cargo 1.100.0"' }).machine)).not.toThrow();
});

test('points to rustup when there is no cargo', () => {
  expect(() => requireCargo(stub({}).machine)).toThrow('https://rustup.rs');
});

test('refuses an old cargo', () => {
  const { machine } = stub({ cargo: 'echo "cargo 1.63.0"' });
  expect(() => requireCargo(machine)).toThrow('cargo is 1.63, Corelane needs at least 1.85');
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
