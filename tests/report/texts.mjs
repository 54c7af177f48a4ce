// @ts-check
// The texts of a trace in one file, compressed with brotli: a line of JSON, then the lines of all texts in turn,
// because lines of the same record are similar.

import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/**
 * @typedef {object} Header
 * @property {Record<string, number>} lines of each mode's text
 * @property {{of: string, args: string[], sha256: string} | undefined} [sweep] how tracegen makes the trace: of which recording, with
 *   which options; and what it is to make
 */

/**
 * @param {string} file
 * @param {Record<string, Buffer>} texts the texts by mode
 * @param {Header['sweep']} [sweep]
 */
export function writeTexts(file, texts, sweep) {
  const split = Object.entries(texts).map(([mode, text]) => ({ mode, lines: linesOf(text) }));
  /** @type {Header} */
  const header = { lines: Object.fromEntries(split.map(({ mode, lines }) => [mode, lines.length])), sweep };
  const all = [JSON.stringify(header)];
  const longest = Math.max(...split.map(({ lines }) => lines.length));
  for (let index = 0; index < longest; index++) {
    for (const { lines } of split) if (index < lines.length) all.push(lines[index]);
  }
  const plain = Buffer.from(all.join('\n'), 'latin1');
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length };
  writeFileSync(file, brotliCompressSync(plain, { params }));
}

/**
 * @param {string} file
 * @returns {{header: Header, texts: Record<string, Buffer>}}
 */
export function readTexts(file) {
  const [first, ...all] = brotliDecompressSync(readFileSync(file)).toString('latin1').split('\n');
  /** @type {Header} */
  const header = JSON.parse(first);
  const modes = Object.entries(header.lines).map(([mode, count]) => ({
    mode,
    count,
    lines: /** @type {string[]} */ ([]),
  }));
  let at = 0;
  const longest = Math.max(...modes.map(({ count }) => count));
  for (let index = 0; index < longest; index++) {
    for (const { count, lines } of modes) if (index < count) lines.push(all[at++]);
  }
  const texts = modes.map(({ mode, lines }) => [
    mode,
    Buffer.from(lines.map((line) => `${line}\n`).join(''), 'latin1'),
  ]);
  return { header, texts: Object.fromEntries(texts) };
}

/** @param {Buffer} text */
function linesOf(text) {
  const lines = text.toString('latin1').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
