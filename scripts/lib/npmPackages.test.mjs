import { expect, test } from 'vitest';
import { ensurePackages, isInstalled } from './npmPackages.mjs';
import { stubMachine } from './stubMachine.mjs';

const LOCK = {
  packages: {
    '': { version: '1.0.0' },
    'node_modules/vite': { version: '8.3.8' },
    'node_modules/@bundler/darwin-arm64': { version: '2.0.0', optional: true },
  },
};
const INSTALLED = { packages: { 'node_modules/vite': { version: '8.3.8' } } };

/** @param {Parameters<typeof stubMachine>[0]} options */
function stub(options) {
  const made = stubMachine(options);
  made.addFile('package-lock.json', JSON.stringify(LOCK));
  return made;
}

test('binaries for other platforms need not be there', () => {
  expect(isInstalled(LOCK, INSTALLED)).toBe(true);
});

test('a missing package, another version and an empty folder are out of date', () => {
  expect(isInstalled(LOCK, { packages: {} })).toBe(false);
  expect(isInstalled(LOCK, { packages: { 'node_modules/vite': { version: '8.3.7' } } })).toBe(false);
  expect(isInstalled(LOCK, {})).toBe(false);
});

test('installs into an empty folder', () => {
  const { machine, calls } = stub({ programs: { npm: '' } });
  ensurePackages(machine);
  expect(calls()).toEqual(['npm ci --no-audit --no-fund']);
});

test('leaves what is up to date alone', () => {
  const { machine, calls, addFile } = stub({ programs: { npm: '' } });
  addFile('node_modules/.package-lock.json', JSON.stringify(INSTALLED));
  ensurePackages(machine);
  expect(calls()).toEqual([]);
});

test('says what to do when npm fails', () => {
  const { machine } = stub({ programs: { npm: 'exit 1' } });
  expect(() => ensurePackages(machine)).toThrow('npm ci');
});
