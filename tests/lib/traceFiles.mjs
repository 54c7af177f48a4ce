// @ts-check
// Trace files of a folder: as they are, or compressed with brotli, which Node reads by itself, or with zstd.

import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

/**
 * The names of the traces in a folder, without `.dat`.
 *
 * @param {string} folder
 */
export function traceNames(folder) {
  return readdirSync(folder)
    .map((file) => /^(.*)\.dat(?:\.br|\.zst)?$/.exec(file)?.[1])
    .filter((name) => name !== undefined)
    .sort();
}

/**
 * The size of a trace in bytes as it is stored.
 *
 * @param {string} folder
 * @param {string} name
 */
export function traceSize(folder, name) {
  const stored = ['', '.br', '.zst'].map((packed) => path.join(folder, `${name}.dat${packed}`)).find(existsSync);
  return stored === undefined ? 0 : statSync(stored).size;
}

/**
 * Returns the path of the trace.dat file; `dispose` deletes what had to be unpacked.
 *
 * @param {string} folder
 * @param {string} name
 */
export function unpack(folder, name) {
  const plain = path.join(folder, `${name}.dat`);
  if (existsSync(plain)) return { trace: plain, dispose: () => {} };
  const { trace, dispose } = scratchFile(`${name}.dat`);
  if (existsSync(`${plain}.br`)) writeFileSync(trace, brotliDecompressSync(readFileSync(`${plain}.br`)));
  else {
    // zstd refuses links.
    const packed = realpathSync(`${plain}.zst`);
    execFileSync('zstd', ['-dqc', packed], { stdio: ['ignore', openSync(trace, 'w'), 'inherit'] });
  }
  return { trace, dispose };
}

/** @param {string} name */
export function scratchFile(name) {
  const folder = mkdtempSync(path.join(tmpdir(), 'corelane-test-'));
  return { trace: path.join(folder, name), dispose: () => rmSync(folder, { recursive: true }) };
}
