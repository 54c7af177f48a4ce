/** What is loaded: sizes of the wasm modules, and of a first visit. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const WASM = join(import.meta.dirname, '../web/wasm');

/** @typedef {{ name: string, bytes: number, gzip: number, brotli: number }} Size */

/**
 * @param {string} name
 * @param {Buffer} data
 * @returns {Size}
 */
export const sizeOf = (name, data) => ({
  name,
  bytes: data.length,
  gzip: gzipSync(data, { level: 9 }).length,
  brotli: brotliCompressSync(data).length,
});

export const wasmSizes = () =>
  readdirSync(WASM)
    .filter((name) => name.endsWith('.wasm'))
    .map((name) => sizeOf(name, readFileSync(join(WASM, name))));
