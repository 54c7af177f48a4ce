/** The seeds of the fuzzers: parts of recorded traces, and small files that tracegen writes. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { SetupError } from '../lib/machine.mjs';
import { takeApart } from './smallTrace.mjs';

/** A recorded trace of version 6. */
const RECORDED = 'tests/fixtures/b510-barrier-8cpu.dat.br';

/** Recordings of Perfetto. */
const PERFETTO = ['lost-4cpu.pftrace', 'full-4cpu.pftrace', 'compact-mix-4cpu.pftrace.gz'];

/** Files of other tools, by target. */
const IMPORTED = {
  container: [
    'sched-record-4cpu.perf.data.gz',
    'containers/atrace-z.ctrace',
    'containers/json-system-trace-events.json',
    'containers/quoted-printable.txt',
    'containers/utf16.txt',
  ],
  perf_data: ['pipe-4cpu.perf.data', 'record-z-4cpu.perf.data'],
  text: ['mail.txt', 'tracefs-latency.txt'],
  schedviz: ['ebpf_trace.tar.gz'],
};

/** Texts of odd forms, below the folder of the files of other tools. */
const CASES = 'cases';

/** Files of version 7, which is compressed: nothing could be cut out of a real one without compressing it again. */
const WRITTEN = ['none', 'zlib', 'zstd'];

/** A record of the event that print_fmt.rs and filter.rs in fuzz/inputs make up, and with which pair.rs begins, with a string and three numbers behind its fields. */
const RECORD = Buffer.concat([
  Buffer.from([1, 0, 0, 0, 7, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0xe8, 3, 0, 0, 0, 0, 0, 0]),
  Buffer.from('abcdefghijklmno\0'),
  Buffer.from([1, 0, 2, 0, 3, 0, 4, 0]),
  Buffer.from([64, 0, 6, 0, 14, 0, 12, 0]),
  Buffer.from([0, 0x10, 0, 0x81, 0xff, 0xff, 0xff, 0xff]),
  Buffer.from('hello\0\0\0'),
  Buffer.from([1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]),
]);

/**
 * The targets of fuzz/, with the most bytes of an input.
 * @type {Readonly<Record<string, {maxLength: number}>>}
 */
export const fuzzTargets = {
  format_text: { maxLength: 8192 },
  print_fmt: { maxLength: 4096 },
  filter: { maxLength: 1024 },
  pair: { maxLength: 1024 },
  staktau: { maxLength: 8192 },
  page: { maxLength: 4097 },
  trace_file: { maxLength: 65536 },
  cut: { maxLength: 65536 },
  perfetto: { maxLength: 65536 },
  perf_data: { maxLength: 160_000 },
  text: { maxLength: 65536 },
  schedviz: { maxLength: 65536 },
  switches: { maxLength: 480 },
  workload: { maxLength: 4096 },
  workload_list: { maxLength: 1024 },
};

/**
 * @param {import('../lib/machine.mjs').Machine} machine
 * @param {string} folder
 */
export function writeSeeds(machine, folder) {
  const recorded = brotliDecompressSync(readFileSync(join(machine.repo, RECORDED)));
  const { formats, pages, file } = takeApart(recorded);
  const write = (/** @type {string} */ target, /** @type {string} */ name, /** @type {string | Buffer} */ bytes) => {
    mkdirSync(join(folder, target), { recursive: true });
    writeFileSync(join(folder, target, name), bytes);
  };
  for (const [index, text] of formats.entries()) {
    write('format_text', `seed-${index}`, text);
  }
  const printFmts = readFileSync(join(machine.repo, 'fuzz/print_fmts.txt'), 'utf8').trimEnd().split('\n');
  for (const [index, printFmt] of printFmts.entries()) {
    write('print_fmt', `seed-${index}`, Buffer.concat([Buffer.from(`${printFmt}\0`), RECORD]));
  }
  const filters = readFileSync(join(machine.repo, 'fuzz/filters.txt'), 'utf8').trimEnd().split('\n');
  for (const [index, filter] of filters.entries()) {
    write('filter', `seed-${index}`, Buffer.concat([Buffer.from(`${filter}\0`), RECORD]));
  }
  const pairs = readFileSync(join(machine.repo, 'fuzz/pairs.txt'), 'utf8').trimEnd().split('\n');
  for (const [index, pair] of pairs.entries()) {
    write('pair', `seed-${index}`, Buffer.concat([Buffer.from(`${pair.replaceAll('|', '\n')}\0`), RECORD, RECORD]));
  }
  write('staktau', 'seed-records', readFileSync(join(machine.repo, 'crates/staktau/tests/sample.txt')));
  write('staktau', 'seed-table', '----- TID 7 -----\ncall | time\n-----------\nSTaKTAU application | 5\nread | 3\n');
  // Task 2 is switched in on CPU 0 while it is current on CPU 1: eight bytes a row, as fuzz/inputs/switches.rs reads them.
  write('switches', 'seed-0', Buffer.from('0000020014004000010202001400400000020301140040000102020114004000', 'hex'));
  for (const target of ['workload', 'workload_list']) {
    const texts = readFileSync(join(machine.repo, `fuzz/${target}s.txt`), 'utf8').split(/^---$/m);
    for (const [index, text] of texts.entries()) write(target, `seed-${index}`, text.trimStart());
  }
  for (const [index, page] of pages.entries()) {
    write('page', `seed-${index}`, Buffer.concat([Buffer.of(0), page]));
  }
  for (const name of PERFETTO) {
    write('perfetto', `seed-${name}`, readFileSync(join(machine.repo, 'crates/traceimport/tests/samples', name)));
  }
  for (const target of ['trace_file', 'cut']) write(target, 'seed-v6', file);
  const imported = join(machine.repo, 'tests/fixtures/import');
  const cases = readdirSync(join(imported, CASES)).filter((name) => name.endsWith('.txt'));
  const texts = [...IMPORTED.text, ...cases.map((name) => join(CASES, name))];
  for (const [target, names] of Object.entries({ ...IMPORTED, text: texts })) {
    for (const name of names) write(target, `seed-${name.replaceAll('/', '-')}`, readFileSync(join(imported, name)));
  }
  const generate = (/** @type {string} */ name, /** @type {string[]} */ ...args) => {
    const output = join(folder, 'trace_file', name);
    const run = ['run', '--quiet', '--locked', '--package', 'tracegen', '--'];
    const { ok, err } = machine.capture('cargo', [...run, ...args, '--output', output]);
    if (!ok) throw new SetupError(`tracegen could not write ${output}: ${err}`);
    copyFileSync(output, join(folder, 'cut', name));
  };
  for (const compression of WRITTEN) {
    const options = ['--cpus', '2', '--events', '300', '--version', '7', '--compression', compression];
    generate(`seed-v7-${compression}`, 'large', ...options);
  }
  generate('seed-calls', 'scenario', join(machine.repo, 'fuzz/calls.scenario'));
}
