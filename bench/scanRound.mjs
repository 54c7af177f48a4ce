/**
 * Opens and scans a file of any format in wasm, in Node, on one thread: prints the milliseconds of processor time.
 *
 *     node bench/scanRound.mjs FILE engine|io
 */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { argv, stdout } from 'node:process';
import { cpuMs } from './clock.mjs';

/** How many bytes are read at a time, as in the scan workers. */
const PIECE = 1 << 20;

const [, , path, name] = argv;
if (path === undefined || name === undefined) throw new Error('usage: node bench/scanRound.mjs FILE MODULE');
const module = await import(`../web/wasm/${name}.js`);
await module.default({ module_or_path: readFileSync(new URL(`../web/wasm/${name}_bg.wasm`, import.meta.url)) });
const file = openSync(path, 'r');
const bytes = {
  size: fstatSync(file).size,
  /** @param {number} offset @param {number} length */
  readAt(offset, length) {
    const buffer = new Uint8Array(length);
    return buffer.subarray(0, readSync(file, buffer, 0, length, offset));
  },
};
const started = cpuMs();
const source = (module.openTrace ?? module.openSource)(bytes);
const piece = new Uint8Array(PIECE);
for (const { index, start, end } of JSON.parse(source.jobs())) {
  const scanner = source.scanner(index);
  for (let at = start; at < end; ) {
    const got = readSync(file, piece, 0, Math.min(PIECE, end - at), at);
    if (got === 0) break;
    scanner.push(piece.subarray(0, got));
    at += got;
  }
  const scanned = scanner.finish();
  while (scanned.takeScan() !== undefined);
}
const ms = cpuMs() - started;
closeSync(file);
stdout.write(JSON.stringify({ ms }));
