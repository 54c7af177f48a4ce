// @ts-check
// A recording's enters and exits, as trace-cmd prints them, written as STaKTAU writes them: in dumps without order that repeat
// records. `corelane syscalls --compare` must find the same sums in that text as in the recording.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { build, ROOT } from '../lib/build.mjs';

const corelane = build('tracecore-cli', 'corelane');
const FIXTURES = path.join(ROOT, 'tests/fixtures');
const folder = mkdtempSync(path.join(tmpdir(), 'corelane-staktau-'));
after(() => rmSync(folder, { recursive: true }));

/** @param {string[]} args */
const ask = (args) =>
  JSON.parse(execFileSync(corelane, ['--quiet', ...args, '--json'], { maxBuffer: 2 ** 28 }).toString());

/** @param {string} name */
const reportOf = (name) => brotliDecompressSync(readFileSync(path.join(FIXTURES, `${name}.report.br`))).toString();

/**
 * Its raw events: `comm-pid cpu-flags time: sys_enter: id=5 args=...`. An exit without a number has that of the thread's last
 * enter: SystemTap's probe of a return knows its call.
 *
 * @param {string} name
 */
function recordsOf(name) {
  const text = reportOf(name);
  /** @type {Map<string, string>} */
  const last = new Map();
  return [...text.matchAll(/-(\d+) +\S+ +(\d+)\.(\d{9}): +sys_(enter|exit): +id=(-?\d+)/g)].map(
    ([, tid, seconds, fraction, what, id]) => {
      const enters = what === 'enter';
      const own = BigInt.asIntN(32, BigInt(id)) === -1n ? (last.get(tid) ?? id) : id;
      if (enters) last.set(tid, id);
      return { tid: Number(tid), ns: BigInt(seconds + fraction), enters, id: BigInt(own) };
    },
  );
}

/** Thread ids that an exec gave up for those of their leaders. */
function takenOver(/** @type {string} */ name) {
  const execs = reportOf(name).matchAll(/sched_process_exec: .* pid=(\d+) old_pid=(\d+)/g);
  return [...execs].filter(([, pid, old]) => pid !== old).map(([, , old]) => old);
}

/** @param {ReturnType<typeof recordsOf>} records @param {(id: bigint) => string} name */
function staktauText(records, name) {
  const lines = records.map(
    ({ tid, ns, enters, id }) =>
      `${enters ? 0 : 1} ${name(id)}(1, ") [9] 5", 2) [${tid}] ${ns} \nKERNEL backtrace ${name(id)}:\n 0xffff : sys+0x0/0x9\n\n` +
      `USER backtrace ${name(id)}:\n\n------\n`,
  );
  const dumps = [];
  for (let from = 0; from < lines.length; from += 1024) {
    // The last records of the dump before come again; within a dump, the order is any.
    const dump = lines.slice(Math.max(0, from - 10), from + 1024);
    dumps.push(...dump.filter((_, at) => at % 2 === 1), ...dump.filter((_, at) => at % 2 === 0));
  }
  return { text: dumps.join(''), repeated: dumps.length - lines.length };
}

test("a recording's calls written as STaKTAU does have the recording's times", () => {
  const trace = path.join(FIXTURES, 'sysmix-4cpu.dat');
  const { rows } = ask(['syscalls', trace]);
  const names = new Map(rows.map((/** @type {{nr: number, call: string}} */ { nr, call }) => [BigInt(nr), call]));
  const records = recordsOf('sysmix-4cpu');
  assert.ok(1000 < records.length);
  const { text, repeated } = staktauText(records, (id) => names.get(id) ?? `nr_${id}`);
  const file = path.join(folder, 'sysmix.txt');
  writeFileSync(file, text);
  const found = ask(['syscalls', trace, '--compare', file]);
  assert.equal(found.text.repeated, repeated);
  assert.equal(found.text.records, records.length);
  assert.equal(found.text.damaged, 0);

  // A thread that takes over its leader's pid in exec enters with one id and exits with another: a text has no such call.
  const taken = takenOver('sysmix-4cpu').map((old) => `${old} execve`);
  assert.equal(taken.length, 1);
  let equal = 0;
  /** @type {string[]} */
  const others = [];
  for (const { pid, calls } of found.threads) {
    for (const { call, ns } of calls) {
      if (ns.trace === ns.text) equal += 1;
      else others.push(`${pid} ${call}`);
    }
  }
  assert.ok(100 < equal);
  assert.deepEqual(others, taken);
});
