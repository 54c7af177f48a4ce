/** Rust on this machine: cargo and a linker for everything, rustfmt and clippy for the checks. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { aptInstall } from './apt.mjs';
import { SetupError } from './machine.mjs';
import { isOlder } from './versions.mjs';

/** @typedef {import('./machine.mjs').Machine} Machine */

/**
 * Makes sure that there is cargo, in a version that the workspace can use, and the C compiler that Rust links with;
 * otherwise throws, with what to do by hand.
 * @param {Machine} machine
 */
export function ensureRust(machine) {
  requireCargo(machine);
  if (machine.which('cc')) return;
  if (machine.isDebian) {
    aptInstall(machine, ['gcc', 'libc6-dev'], 'linking Rust programs');
    return;
  }
  throw new SetupError('there is no C compiler (cc), with which Rust links: install gcc or clang');
}

/** @param {Machine} machine */
function requireCargo(machine) {
  const version = machine.capture('cargo', ['--version']);
  if (!version.ok) {
    throw new SetupError(
      'cargo is missing: Corelane is partly written in Rust. Install it from https://rustup.rs, or run',
      ["curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh"],
    );
  }
  const needed = /^rust-version = "(.+)"$/m.exec(readFileSync(join(machine.repo, 'Cargo.toml'), 'utf8'))?.[1];
  const found = /^cargo (\d+\.\d+)/.exec(version.out)?.[1];
  if (needed && found && isOlder(found, needed)) {
    throw new SetupError(`cargo is ${found}, Corelane needs at least ${needed}. Run`, ['rustup update stable']);
  }
}

/**
 * Throws if a component of the toolchain is missing, as in rustup's minimal profile.
 * @param {Machine} machine
 * @param {'rustfmt' | 'clippy'} component
 */
export function requireComponent(machine, component) {
  const program = component === 'rustfmt' ? 'fmt' : 'clippy';
  if (machine.capture('cargo', [program, '--version']).ok) return;
  if (machine.which('rustup')) {
    machine.say(`rustup component add ${component}`);
    if (machine.run('rustup', ['component', 'add', component]) && machine.capture('cargo', [program, '--version']).ok) {
      return;
    }
  }
  throw new SetupError(`cargo ${program} is missing. Run`, [`rustup component add ${component}`]);
}
