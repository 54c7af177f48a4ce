// @ts-check
// `corelane replay -o`: of the trace.dat that it writes trace-cmd prints what Corelane prints, and KernelShark's library loads it.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { hasTraceCmd } from '../derive/traceCmd.mjs';
import { build } from '../lib/build.mjs';
import { scratchFile } from '../lib/traceFiles.mjs';
import { unpackFixture } from './sources.mjs';

const corelane = build('tracecore-cli', 'corelane');
const installed = await hasTraceCmd();
const KSHARK = path.join(import.meta.dirname, 'kshark.py');
/** Exit statuses of the shell, and of the script, that mean: there is no Python, or no library. */
const ABSENT = [127, 3];

/** @param {string} command @param {string[]} args */
function run(command, args) {
  return execFileSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
}

/** Of tasks that are renamed, execs by threads, lost events, another machine, and what is made. */
const INPUTS = ['forkpipe-8cpu', 'execthread-4cpu', 'barrier32-badplace', 'lost-s390x', 'sysmix-4cpu', 'responsebench'];

for (const name of INPUTS) {
  const made = name === 'responsebench';
  const policies = ['fcfs', 'cfs', 'eevdf', ...(made ? [] : ['recorded'])];
  test(`replays of ${name} are traces for trace-cmd and KernelShark`, () => {
    const { trace, dispose } = made ? { trace: name, dispose: () => {} } : unpackFixture(name);
    const out = scratchFile('replay.dat');
    try {
      for (const policy of policies) {
        const args = ['--policy', policy, ...(made ? ['--until', '2'] : []), '-o', out.trace];
        run(corelane, ['--quiet', 'replay', trace, ...args]);
        const lines = run(corelane, ['--quiet', 'report', out.trace]);
        if (installed) assert.equal(run('trace-cmd', ['report', '-i', out.trace]), lines, policy);
        assert.match(lines, /corelane replay .* --policy /);
        const shark = spawnSync('python3', [KSHARK, out.trace], { encoding: 'utf8' });
        if (shark.status === null || ABSENT.includes(shark.status)) continue;
        const { records } = JSON.parse(run(corelane, ['--quiet', 'info', '--json', out.trace]));
        assert.equal(Number(shark.stdout), records, policy);
      }
    } finally {
      dispose();
      out.dispose();
    }
  });
}
