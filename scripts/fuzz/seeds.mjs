/** What the fuzzers start from: parts of recorded traces, and small files that tracegen writes. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { SetupError } from '../lib/machine.mjs';
import { takeApart } from './smallTrace.mjs';

/** A recorded trace of version 6. */
const RECORDED = 'tests/fixtures/b510-barrier-8cpu.dat.br';

/** Files of version 7, which is packed: nothing of a real one could be cut out without packing it again. */
const WRITTEN = ['none', 'zlib', 'zstd'];

/**
 * The targets of fuzz/, with the most bytes of an input.
 * @type {Readonly<Record<string, {maxLength: number}>>}
 */
export const fuzzTargets = {
  format_text: { maxLength: 8192 },
  page: { maxLength: 4097 },
  trace_file: { maxLength: 65536 },
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
  for (const [index, page] of pages.entries()) {
    write('page', `seed-${index}`, Buffer.concat([Buffer.of(0), page]));
  }
  write('trace_file', 'seed-v6', file);
  for (const compression of WRITTEN) {
    const output = join(folder, 'trace_file', `seed-v7-${compression}`);
    const options = ['--cpus', '2', '--events', '300', '--version', '7', '--compression', compression];
    const { ok, err } = machine.capture('cargo', [
      ...['run', '--quiet', '--locked', '--package', 'tracegen', '--', 'large'],
      ...[...options, '--output', output],
    ]);
    if (!ok) throw new SetupError(`tracegen could not write ${output}: ${err}`);
  }
}
