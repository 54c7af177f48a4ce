/**
 * Machines made of stub programs, for tests of the scripts' decisions. The PATH has only the stubs, so a test cannot
 * install anything.
 */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Machine } from './machine.mjs';

/**
 * @typedef {object} Stub
 * @property {Machine} machine
 * @property {string} root
 * @property {() => string[]} calls The command lines of the stubs that ran.
 * @property {string[]} said
 * @property {(path: string, text?: string) => void} addFile
 */

/**
 * A machine that is deleted when the test ends.
 * @param {object} options
 * @param {Record<string, string>} [options.programs] Shell scripts, by absolute path, or by name for one on the PATH.
 * @param {readonly string[]} [options.files] Absolute paths.
 * @param {string} [options.os] ID in /etc/os-release.
 * @param {boolean} [options.asRoot]
 * @param {NodeJS.ProcessEnv} [options.env]
 * @returns {Stub}
 */
export function stubMachine({ programs = {}, files = [], os = 'arch', asRoot = false, env = {} }) {
  const root = mkdtempSync(join(tmpdir(), 'corelane-stub-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const log = join(root, 'calls');
  writeFileSync(log, '');
  const addFile = (/** @type {string} */ path, text = '') => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  addFile('/etc/os-release', `NAME=Stub\nID=${os}\n`);
  for (const path of files) addFile(path);
  for (const [name, script] of Object.entries(programs)) {
    const path = name.startsWith('/') ? name : `/path/${name}`;
    addFile(path, `#!/bin/sh\necho "${name} $*" >> "$STUB_LOG"\n${script}\n`);
    chmodSync(join(root, path), 0o755);
  }
  /** @type {string[]} */
  const said = [];
  const machine = new Machine({
    root,
    repo: root,
    env: { ...env, STUB_ROOT: root, STUB_LOG: log, PATH: join(root, 'path') },
    uid: asRoot ? 0 : 1000,
    platform: 'linux',
    say: (text) => said.push(text),
  });
  return {
    machine,
    root,
    calls: () => readFileSync(log, 'utf8').trim().split('\n').filter(Boolean),
    said,
    addFile,
  };
}
