/** Debian packages: installed if we are root, otherwise named so that root can install them. Never a silent sudo. */
import { SetupError } from './machine.mjs';

/**
 * The command that installs packages, for a person to type.
 * @param {readonly string[]} packages
 */
export function aptCommand(packages) {
  return `sudo apt-get update && sudo apt-get install --no-install-recommends ${packages.join(' ')}`;
}

/**
 * Installs Debian packages as root; throws with the command to type otherwise.
 * @param {import('./machine.mjs').Machine} machine
 * @param {readonly string[]} packages
 * @param {string} purpose What they are needed for: `compiling to wasm`.
 */
export function aptInstall(machine, packages, purpose) {
  const names = packages.join(' ');
  if (!machine.isRoot) {
    throw new SetupError(`${purpose} needs Debian's ${names}, and only root can install packages. Run`, [
      aptCommand(packages),
    ]);
  }
  machine.say(`apt-get install ${names} (${purpose})`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  // A failing update may be one broken source among several; the install is what counts.
  machine.run('apt-get', ['update', '-qq'], { env });
  if (!machine.run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env })) {
    throw new SetupError(`apt-get could not install ${names} (${purpose}). By hand:`, [aptCommand(packages)]);
  }
}
