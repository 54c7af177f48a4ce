/** npm's packages: installs them if node_modules does not match the lock file. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError } from './machine.mjs';

/**
 * @typedef {object} LockedPackage
 * @property {string} [version]
 * @property {boolean} [optional] For example a binary for another platform.
 * @property {boolean} [devOptional]
 */

/** @typedef {{packages?: Record<string, LockedPackage>}} Lock */

/** @param {import('./machine.mjs').Machine} machine */
export function ensurePackages(machine) {
  const lock = readLock(join(machine.repo, 'package-lock.json'));
  // npm records in this file what it has installed.
  if (isInstalled(lock, readLock(join(machine.repo, 'node_modules/.package-lock.json')))) return;
  machine.say('npm ci: installing the packages of package-lock.json');
  if (!machine.run('npm', ['ci', '--no-audit', '--no-fund'])) {
    throw new SetupError('npm could not install the packages: see above. By hand:', ['npm ci']);
  }
}

/**
 * Whether everything in the lock file is installed in its version.
 * @param {Lock} lock
 * @param {Lock} installed
 */
export function isInstalled(lock, installed) {
  return Object.entries(lock.packages ?? {}).every(([path, { version, optional, devOptional }]) => {
    const found = installed.packages?.[path]?.version;
    return path === '' || found === version || (found === undefined && (optional || devOptional));
  });
}

/**
 * @param {string} path
 * @returns {Lock}
 */
function readLock(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
}
