/** How every command starts: an error that a person can solve is printed plainly, any other is a bug, with a stack. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Machine, SetupError } from './machine.mjs';
import { isOlder } from './versions.mjs';

/** @param {(machine: Machine) => void | Promise<void>} command */
export async function main(command) {
  try {
    const machine = new Machine();
    requireNode(machine);
    await command(machine);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(`\n${error.message}`);
    process.exitCode = 1;
  }
}

/** @param {Machine} machine */
function requireNode(machine) {
  if (machine.platform === 'win32') {
    throw new SetupError('these scripts are for Linux and macOS; on Windows, run them in WSL');
  }
  const { engines } = JSON.parse(readFileSync(join(machine.repo, 'package.json'), 'utf8'));
  const needed = engines.node.replace('>=', '');
  if (isOlder(process.versions.node, needed)) {
    throw new SetupError(`Node is ${process.versions.node}, Corelane needs at least ${needed}: https://nodejs.org`);
  }
}
