/** How every command starts: what a person can put right is said plainly, anything else is a bug with a stack. */
import { Machine, SetupError } from './machine.mjs';

/** @param {(machine: Machine) => void | Promise<void>} command */
export async function main(command) {
  try {
    await command(new Machine());
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(`\n${error.message}`);
    process.exitCode = 1;
  }
}
