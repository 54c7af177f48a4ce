/**
 * Checks that lock files match their manifests. Each workspace of Cargo has its own; one that is out of date would
 * otherwise only be noticed when its workspace is built.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError } from './machine.mjs';

/** @typedef {import('./machine.mjs').Machine} Machine */

/** Folders whose contents are installed or built. */
const NOT_OURS = new Set(['node_modules', 'target', 'dist']);

/**
 * Throws, with the command to type, if a lock file does not match its manifests.
 * @param {Machine} machine
 */
export function checkLockFiles(machine) {
  const problems = [
    ...npmProblems(machine),
    ...cargoLocks(machine.repo).flatMap((path) => cargoProblems(machine, path)),
  ];
  if (problems.length > 0) {
    throw new SetupError(
      problems.map(({ what }) => what).join('\n'),
      problems.map(({ how }) => how),
    );
  }
}

/**
 * The folders of all workspaces of Cargo, from the root's; `.` is the root itself.
 * @param {string} repo
 * @param {string} folder
 * @returns {string[]}
 */
export function cargoLocks(repo, folder = '.') {
  const entries = readdirSync(join(repo, folder), { withFileTypes: true });
  const below = entries.filter(
    (entry) => entry.isDirectory() && !entry.name.startsWith('.') && !NOT_OURS.has(entry.name),
  );
  return [
    ...(entries.some(({ name }) => name === 'Cargo.lock') ? [folder] : []),
    ...below.flatMap(({ name }) => cargoLocks(repo, join(folder, name))),
  ];
}

/**
 * Lets Cargo resolve the workspace from its cache of the registry's index. What the cache lacks Cargo asks the registry
 * for, as it would on a new machine. No package is downloaded, and nothing is written.
 * @param {Machine} machine
 * @param {string} folder
 */
function cargoProblems(machine, folder) {
  const manifest = join(folder, 'Cargo.toml');
  const update = ['update', '--workspace', '--manifest-path', manifest];
  if (machine.capture('cargo', [...update, '--locked', '--offline']).ok) return [];
  const { ok, err } = machine.capture('cargo', [...update, '--locked']);
  if (ok) return [];
  const lock = join(folder, 'Cargo.lock');
  return err.includes('--locked was passed')
    ? [{ what: `${lock} is not what the manifests ask for:\n${changes(err)}Run`, how: `cargo ${update.join(' ')}` }]
    : [{ what: `cargo cannot tell whether ${lock} is up to date:\n${err}\nTo try again:`, how: 'npm run check:locks' }];
}

/**
 * What Cargo would write: `Adding`, `Removing`, `Downgrading`…
 * @param {string} err
 */
function changes(err) {
  const lines = err.split('\n').filter((line) => /^\s+\S+ing \S+ v\d/.test(line));
  return lines.map((line) => `${line.trim()}\n`).join('');
}

/**
 * npm stores the manifest's requirements in its lock file; they have to be the same.
 * @param {Machine} machine
 */
function npmProblems(machine) {
  const [manifest, lock] = ['package.json', 'package-lock.json'].map((name) => {
    const path = join(machine.repo, name);
    return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  });
  const locked = lock.packages?.[''] ?? {};
  const differing = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'].flatMap((kind) => {
    const names = new Set([...Object.keys(manifest[kind] ?? {}), ...Object.keys(locked[kind] ?? {})]);
    return [...names].filter((name) => manifest[kind]?.[name] !== locked[kind]?.[name]);
  });
  return differing.length === 0
    ? []
    : [
        {
          what: `package-lock.json is not what package.json asks for: ${differing.join(', ')}. Run`,
          how: 'npm install --package-lock-only',
        },
      ];
}
