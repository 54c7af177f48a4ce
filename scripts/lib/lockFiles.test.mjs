import { expect, test } from 'vitest';
import { cargoLocks, checkLockFiles } from './lockFiles.mjs';
import { stubMachine } from './stubMachine.mjs';

/** Cargo's message for a lock file that is out of date. */
const STALE = [
  '    Updating crates.io index',
  '     Locking 1 package to latest compatible version',
  '      Adding anyhow v1.0.104',
  'error: cannot update the lock file /x/Cargo.lock because --locked was passed to prevent this',
]
  .map((line) => `echo "${line}" >&2`)
  .concat('exit 101')
  .join('\n');

/**
 * A repository with a workspace at its root and one in fuzz/; `inFuzz` is the script that stands in for Cargo there.
 * @param {string} inFuzz
 */
function stub(inFuzz) {
  const made = stubMachine({ programs: { cargo: `case "$*" in *fuzz*) ${inFuzz} ;; esac` } });
  for (const path of ['Cargo.lock', 'fuzz/Cargo.lock', 'node_modules/x/Cargo.lock', 'target/package/y/Cargo.lock']) {
    made.addFile(path);
  }
  made.addFile('package.json', JSON.stringify({ dependencies: { react: '19.3.1' } }));
  made.addFile('package-lock.json', JSON.stringify({ packages: { '': { dependencies: { react: '19.3.1' } } } }));
  return made;
}

test('every workspace is found, and none of others', () => {
  expect(cargoLocks(stub('').root)).toEqual(['.', 'fuzz']);
});

test('what is up to date costs one look each, without the network', () => {
  const { machine, calls } = stub('exit 0');
  checkLockFiles(machine);
  expect(calls()).toEqual([
    'cargo update --workspace --manifest-path Cargo.toml --locked --offline',
    'cargo update --workspace --manifest-path fuzz/Cargo.toml --locked --offline',
  ]);
});

test('a lock file that fell behind is named, with what would change and what to type', () => {
  const { machine } = stub(STALE);
  expect(() => checkLockFiles(machine)).toThrow(
    'fuzz/Cargo.lock is not what the manifests ask for:\nAdding anyhow v1.0.104\nRun\n' +
      '    cargo update --workspace --manifest-path fuzz/Cargo.toml',
  );
});

test('on a new machine, whose cache is empty, the registry is asked', () => {
  const { machine, calls } = stub(`case "$*" in *offline*) echo 'error: no matching package' >&2; exit 101 ;; esac`);
  checkLockFiles(machine);
  expect(calls()).toHaveLength(3);
});

test('without a network Cargo’s own words are said', () => {
  const { machine } = stub(`echo 'error: failed to get anyhow: could not resolve host' >&2; exit 101`);
  expect(() => checkLockFiles(machine)).toThrow(/cannot tell whether fuzz\/Cargo.lock.*could not resolve host/s);
});

test('package-lock.json has to ask for what package.json asks for', () => {
  const { machine, addFile } = stub('');
  addFile('package.json', JSON.stringify({ dependencies: { react: '19.3.2' }, devDependencies: { sax: '1.6.1' } }));
  expect(() => checkLockFiles(machine)).toThrow(
    'package-lock.json is not what package.json asks for: react, sax. Run\n    npm install --package-lock-only',
  );
});
