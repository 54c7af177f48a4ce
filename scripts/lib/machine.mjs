/**
 * The machine on which the scripts run. Everything that decides what to install takes one, so that a test can pass
 * another: with another root folder, another PATH with stub programs, another user.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root folder. */
export const REPO = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** A problem that only a person can solve: what is wrong, and the commands to type. */
export class SetupError extends Error {
  /**
   * @param {string} what
   * @param {readonly string[]} [how]
   */
  constructor(what, how = []) {
    super([what, ...how.map((line) => `    ${line}`)].join('\n'));
    this.name = 'SetupError';
  }
}

/**
 * @typedef {object} MachineOptions
 * @property {string} [root] The folder that holds `/usr` and `/etc`.
 * @property {string} [repo]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {number} [uid] -1 where there are no user ids.
 * @property {NodeJS.Platform} [platform]
 * @property {(text: string) => void} [say]
 */

export class Machine {
  /** @param {MachineOptions} [options] */
  constructor({
    root = '/',
    repo = REPO,
    env = process.env,
    uid = process.getuid?.() ?? -1,
    platform = process.platform,
    say = (text) => console.log(text),
  } = {}) {
    this.root = root;
    this.repo = repo;
    this.env = env;
    this.isRoot = uid === 0;
    this.platform = platform;
    this.say = say;
  }

  /** @param {string} path Absolute. */
  path(path) {
    return join(this.root, path);
  }

  /** @param {string} path Absolute. */
  has(path) {
    return existsSync(this.path(path));
  }

  /** Whether this is Debian itself: its derivatives have other package names. */
  get isDebian() {
    return this.has('/etc/os-release') && /^ID=debian$/m.test(readFileSync(this.path('/etc/os-release'), 'utf8'));
  }

  /**
   * The program's path as a shell would find it, or undefined.
   * @param {string} program
   */
  which(program) {
    return (this.env.PATH ?? '')
      .split(delimiter)
      .map((folder) => join(folder, program))
      .find((path) => existsSync(path));
  }

  /**
   * Runs a program quietly and returns what it printed.
   * @param {string} command
   * @param {readonly string[]} args
   * @param {{env?: NodeJS.ProcessEnv, timeoutMs?: number}} [options]
   */
  capture(command, args, { env = {}, timeoutMs } = {}) {
    const done = spawnSync(command, args, {
      cwd: this.repo,
      env: { ...this.env, ...env },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
    });
    return { ok: done.status === 0, out: (done.stdout ?? '').trim(), err: (done.stderr ?? '').trim() };
  }

  /**
   * Runs a program with its output on the terminal; true if it succeeded.
   * @param {string} command
   * @param {readonly string[]} args
   * @param {{env?: NodeJS.ProcessEnv, timeoutMs?: number}} [options]
   */
  run(command, args, { env = {}, timeoutMs } = {}) {
    const done = spawnSync(command, args, {
      cwd: this.repo,
      env: { ...this.env, ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
      timeout: timeoutMs,
    });
    return done.status === 0;
  }

  /**
   * Runs a program while others may run, and keeps what it prints; shows it on the terminal only for `show`.
   * @param {string} command
   * @param {readonly string[]} args
   * @param {{env?: NodeJS.ProcessEnv, show?: boolean}} [options]
   * @returns {Promise<{ok: boolean, output: string}>}
   */
  gather(command, args, { env = {}, show = false } = {}) {
    return new Promise((settle) => {
      const child = spawn(command, args, {
        cwd: this.repo,
        env: { ...this.env, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      for (const [stream, terminal] of /** @type {const} */ ([
        [child.stdout, process.stdout],
        [child.stderr, process.stderr],
      ])) {
        stream.setEncoding('utf8').on('data', (text) => {
          output += text;
          if (show) terminal.write(text);
        });
      }
      child.on('error', (error) => settle({ ok: false, output: `${output}${error.message}\n` }));
      child.on('close', (status) => settle({ ok: status === 0, output }));
    });
  }
}
