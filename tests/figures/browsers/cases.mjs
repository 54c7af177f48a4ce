// @ts-check
// Figures of every kind, over windows from microseconds to hours.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build, ROOT } from '../../lib/build.mjs';
import { unpack } from '../../lib/traceFiles.mjs';

/** @typedef {{name: string, args: string[]}} Case */

/**
 * Three hours of two CPUs that now and then build what four tasks wait for: no machine records that long for a test.
 * Times are in minutes.
 */
function hours() {
  const lines = ['cpus 2', '0ns cpu0 switch swapper/0:0 R -> make:10', '0ns cpu1 switch swapper/1:0 R -> ld:9'];
  const minute = (/** @type {number} */ at) => `${Math.round(at * 60)}s`;
  for (let at = 1; at < 180; at += 3) {
    const task = `cc:${11 + (at % 8)}`;
    lines.push(
      `${minute(at)} cpu0 waking ${task} on 0`,
      `${minute(at)} cpu0 wakeup ${task} on 0`,
      `${minute(at + 0.6)} cpu0 switch make:10 S -> ${task}`,
      `${minute(at + 1.2)} cpu1 waking make:10 on 0`,
      `${minute(at + 1.2)} cpu1 wakeup make:10 on 0`,
      `${minute(at + 1.9)} cpu0 switch ${task} S -> make:10`,
    );
  }
  return `${lines.join('\n')}\n`;
}

/**
 * The cases, and a function that deletes the traces that they needed.
 *
 * @returns {{cases: Case[], dispose: () => void}}
 */
export function prepared() {
  const folder = mkdtempSync(path.join(tmpdir(), 'corelane-browsers-'));
  /** @type {(() => void)[]} */
  const disposals = [() => rmSync(folder, { recursive: true })];
  const trace = (/** @type {string} */ name) => {
    const unpacked = unpack(path.join(ROOT, 'tests/fixtures'), name);
    disposals.push(unpacked.dispose);
    return unpacked.trace;
  };
  const long = path.join(folder, 'hours.dat');
  execFileSync(build('tracegen', 'tracegen'), ['scenario', '-', '-o', long], { input: hours() });
  const [fast, slow] = ['default-6', 'default-8'].map((name) => path.join(ROOT, `docs/guide/traces/${name}.dat`));
  const [forks, barrier, crowd] = ['forkpipe-8cpu', 'barrier32-badplace', 'barrier128-after-sleep'].map(trace);
  const others = ['offline-4cpu', 'pinned-4cpu', 'lost-s390x'].map(trace);
  const sockets = ['--after-sleep', '--socket-order', '4x8x1'];
  const between = (/** @type {string} */ min, /** @type {string} */ max) => ['--min', min, '--max', max];
  const dispose = () => {
    for (const one of disposals) one();
  };
  const cases = [
    { name: 'timeline by PID', args: ['timeline', slow, ...sockets] },
    { name: 'timeline by PID, barriers', args: ['timeline', barrier] },
    { name: 'timeline by command', args: ['timeline', forks, '--color-by', 'command'] },
    { name: 'timeline by parent', args: ['timeline', forks, '--color-by', 'parent'] },
    { name: 'timeline of a target', args: ['timeline', slow, ...sockets, '--target', 'steps'] },
    { name: 'unknown times', args: ['timeline', others[2], '--with', 'running-waiting'] },
    { name: 'running and waiting', args: ['running-waiting', slow, '--after-sleep', '--comm', 'steps'] },
    {
      name: 'curves and a cascade',
      args: [
        'timeline',
        slow,
        ...sockets,
        ...between('1.94', '2.44'),
        '--with',
        'running-waiting',
        '--cascade',
        '30@173.85',
      ],
    },
    { name: 'merged', args: ['timeline', crowd, '--dot', '0.2', '--with', 'running-waiting'] },
    { name: 'task lanes', args: ['timeline', forks, '--with', 'tasks', '--task', 'ls', '--task', 'seq'] },
    { name: 'wakeup', args: ['wakeup', slow, '--after-sleep', '--cpu', '0', '--at', '173.95'] },
    {
      name: 'run times',
      args: ['run-times', fast, slow, barrier, crowd, '--group', 'Steps=default', '--group', 'Others=barrier'],
    },
    { name: 'grid', args: ['timeline', fast, slow, ...others, '--columns', '2'] },
    { name: 'runqueues', args: ['timeline', slow, ...sockets, ...between('1.94', '2.44'), '--runqueues'] },
    {
      name: 'moves and a cascade',
      args: ['timeline', slow, ...sockets, ...between('1.48', '1.62'), '--moves', '--cascade', '10@173.08'],
    },
    {
      name: 'microseconds',
      args: ['timeline', slow, ...sockets, ...between('1.95', '1.95005'), '--with', 'running-waiting'],
    },
    {
      name: 'milliseconds',
      args: ['timeline', slow, ...sockets, ...between('1.95', '1.96'), '--with', 'running-waiting'],
    },
    {
      name: 'hours',
      args: ['timeline', long, '--with', 'tasks', '--with', 'running-waiting', '--task', 'cc', '--runqueues'],
    },
  ];
  return { cases, dispose };
}
