#!/usr/bin/env node
// @ts-check
// Writes the tables of crates/sysnames: which number is which system call on which machine, and which error. These are facts
// of the kernel's user ABI, taken from the macros of its `asm/unistd.h` and `asm-generic/errno.h`, as Debian packages them:
//
//   npm run tables:syscalls FOLDER            FOLDER: where linux-libc-dev-{arm64,armhf,ppc64el,riscv64,s390x}-cross and
//                                             linux-libc-dev of amd64 are unpacked (dpkg-deb -x), or / for the latter
//   npm run tables:syscalls -- FOLDER --check    compares instead, and writes nothing
//
// Calls that are newer than those headers are in NEWER, as the kernel's scripts/syscall.tbl has them.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Where a machine's headers are, which one declares the calls, and what its compiler defines. */
const MACHINES = {
  x86_64: { include: 'usr/include/x86_64-linux-gnu', header: 'asm/unistd_64.h', defines: ['__x86_64__'] },
  i386: { include: 'usr/include/x86_64-linux-gnu', header: 'asm/unistd_32.h', defines: ['__i386__'] },
  x32: { include: 'usr/include/x86_64-linux-gnu', header: 'asm/unistd_x32.h', defines: ['__x86_64__', '__ILP32__'] },
  aarch64: { include: 'usr/aarch64-linux-gnu/include', header: 'asm/unistd.h', defines: ['__aarch64__', '__LP64__'] },
  arm: { include: 'usr/arm-linux-gnueabihf/include', header: 'asm/unistd.h', defines: ['__arm__', '__ARM_EABI__'] },
  riscv64: {
    include: 'usr/riscv64-linux-gnu/include',
    header: 'asm/unistd.h',
    // Its asm/bitsperlong.h takes the width from the size of a pointer; without it the names are those of 32 bits.
    defines: ['__riscv', '__LP64__', '__SIZEOF_POINTER__=8'],
  },
  s390x: { include: 'usr/s390x-linux-gnu/include', header: 'asm/unistd_64.h', defines: ['__s390x__'] },
  s390: { include: 'usr/s390x-linux-gnu/include', header: 'asm/unistd_32.h', defines: ['__s390__'] },
  ppc64: { include: 'usr/powerpc64le-linux-gnu/include', header: 'asm/unistd_64.h', defines: ['__powerpc64__'] },
};

/**
 * Since the headers' 6.1: the same numbers everywhere, and those of one machine. All tables agree with the constants of the crate
 * linux-raw-sys 0.12.1, which others made from later headers.
 */
const NEWER = [
  'cachestat fchmodat2 map_shadow_stack futex_wake futex_wait futex_requeue statmount listmount lsm_get_self_attr',
  'lsm_set_self_attr lsm_list_modules mseal setxattrat getxattrat listxattrat removexattrat open_tree_attr file_getattr',
  'file_setattr',
].flatMap((line) => line.split(' '));
const FIRST_NEWER = 451;
/** @type {Record<string, [number, string][]>} */
const NEWER_OF = {
  x86_64: [[335, 'uretprobe']],
  x32: [[335, 'uretprobe']],
  riscv64: [[258, 'riscv_hwprobe']],
  s390x: [[447, 'memfd_secret']],
};

/** Macros that are no calls. */
const NO_CALL = new Set([
  'syscalls',
  'arch_specific_syscall',
  'SYSCALL_BASE',
  'OABI_SYSCALL_BASE',
  'BASE',
  'SYSCALL_MASK',
]);

const [folder = '/', mode] = process.argv.slice(2);
const tables = path.join(import.meta.dirname, '../crates/sysnames/src/tables');

/**
 * What the preprocessor makes of a text that includes a header.
 *
 * @param {{include: string, defines: string[]}} machine
 * @param {string[]} args
 * @param {string} input
 */
function preprocess({ include, defines }, args, input) {
  const own = existsSync(path.join(folder, include)) ? folder : '/';
  const includes = [path.join(own, include), path.join(own, 'usr/include')].flatMap((at) => ['-I', at]);
  const options = ['-E', '-P', '-undef', '-nostdinc', '-x', 'c', ...includes, ...defines.map((name) => `-D${name}`)];
  return execFileSync('gcc', [...options, ...args, '-'], { input, encoding: 'utf8', maxBuffer: 2 ** 26 });
}

/** Numbers and names of a machine, by number. @param {keyof typeof MACHINES} name */
function calls(name) {
  const machine = MACHINES[name];
  // The bit that tells x32's calls is left out.
  const include = `#include <${machine.header}>\n#define __X32_SYSCALL_BIT 0\n`;
  const macros = [...preprocess(machine, ['-dM'], include).matchAll(/^#define (__(?:ARM_)?NR_(\w+)) /gm)];
  const wanted = macros.filter(([, , call = '']) => !NO_CALL.has(call));
  const asked = wanted.map(([, macro, call]) => `CALL "${call}" ${macro}\n`).join('');
  const found = [...preprocess(machine, [], include + asked).matchAll(/^CALL "(\w+)" (.+)$/gm)];
  const numbers = found.map(([, call, value = '']) => /** @type {[number, string]} */ ([evaluate(value), call]));
  const newer = NEWER.map((call, index) => /** @type {[number, string]} */ ([FIRST_NEWER + index, call]));
  const known = new Set(numbers.map(([number]) => number));
  const more = [...newer, ...(NEWER_OF[name] ?? [])].filter(([number]) => !known.has(number));
  // Two names for one number: the one without a version or a prefix of its own comes first, by length.
  const all = [...numbers, ...more].sort(([a, one], [b, other]) => a - b || one.length - other.length);
  return all.filter(([number], index) => number !== all[index - 1]?.[0]);
}

/** A sum of numbers in parentheses. @param {string} value */
function evaluate(value) {
  const terms = value
    .replace(/[()\s]/g, '')
    .split('+')
    .map(Number);
  if (terms.some(Number.isNaN)) throw new Error(`no number: ${value}`);
  return terms.reduce((sum, term) => sum + term, 0);
}

/** Numbers and names of errors. */
function errors() {
  const own = existsSync(path.join(folder, 'usr/include/asm-generic')) ? folder : '/';
  const read = (/** @type {string} */ name) => readFileSync(path.join(own, 'usr/include/asm-generic', name), 'utf8');
  const text = read('errno-base.h') + read('errno.h');
  return [...text.matchAll(/^#define\s+(E\w+)\s+(\d+)\b/gm)].map(([, name, number]) => [Number(number), name]);
}

let different = 0;
const files = Object.keys(MACHINES).map((name) => [name, calls(/** @type {keyof typeof MACHINES} */ (name))]);
for (const [name, rows] of [...files, ['errors', errors()]]) {
  const file = path.join(tables, `${name}.txt`);
  const text = /** @type {[number, string][]} */ (rows).map(([number, call]) => `${number} ${call}\n`).join('');
  if (mode !== '--check') writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    console.log(`${file} is not what the headers say`);
    different++;
  }
}
process.exitCode = different === 0 ? 0 : 1;
