// @ts-check
// A PNG of 8 bits a channel, without a library that its writer could share: chunks, filters, texts.

import { crc32, inflateSync } from 'node:zlib';

/**
 * @typedef {object} Pixels
 * @property {number} width
 * @property {number} height
 * @property {number} perMetre pixels
 * @property {Map<string, string>} texts
 * @property {(x: number, y: number) => [number, number, number]} at red, green, blue
 */

/**
 * @param {Buffer} file
 * @returns {Pixels}
 */
export function readPng(file) {
  if (file.toString('latin1', 1, 4) !== 'PNG') throw new Error('no PNG');
  let [width, height, perMetre] = [0, 0, 0];
  const texts = new Map();
  const data = [];
  let ended = false;
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    const body = file.subarray(at + 8, at + 8 + length);
    if (crc32 && file.readUInt32BE(at + 8 + length) !== crc32(file.subarray(at + 4, at + 8 + length)))
      throw new Error(`checksum of ${type}`);
    if (type === 'IHDR') {
      [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
      if (body.toString('hex', 8) !== '0802000000') throw new Error('not RGB of 8 bits, or interlaced');
    } else if (type === 'pHYs') {
      if (body.readUInt32BE(0) !== body.readUInt32BE(4) || body[8] !== 1) throw new Error('pixels are not square');
      perMetre = body.readUInt32BE(0);
    } else if (type === 'iTXt') {
      // Keyword, whether compressed and how, language, translated keyword: each but the second ends in a zero.
      const found = /^([^\0]+)\0\0\0[^\0]*\0[^\0]*\0(.*)$/s.exec(body.toString('utf8'));
      if (!found) throw new Error('iTXt');
      texts.set(found[1], found[2]);
    } else if (type === 'IDAT') data.push(body);
    else if (type === 'IEND') ended = true;
    at += length + 12;
  }
  if (!ended) throw new Error('no end');
  const pixels = unfiltered(inflateSync(Buffer.concat(data)), width * 3, height);
  return {
    width,
    height,
    perMetre,
    texts,
    at(x, y) {
      if (x < 0 || y < 0 || x >= width || y >= height) throw new Error(`no pixel ${x}, ${y}`);
      const [r, g, b] = pixels.subarray((y * width + x) * 3);
      return [r, g, b];
    },
  };
}

/**
 * Undoes what predicts a byte by its neighbours to the left, above, and above to the left.
 *
 * @param {Buffer} raw
 * @param {number} stride
 * @param {number} height
 */
function unfiltered(raw, stride, height) {
  const out = Buffer.alloc(stride * height);
  for (let row = 0; row < height; row++) {
    const filter = raw[row * (stride + 1)];
    for (let column = 0; column < stride; column++) {
      const at = row * stride + column;
      const left = column >= 3 ? out[at - 3] : 0;
      const up = row > 0 ? out[at - stride] : 0;
      const corner = column >= 3 && row > 0 ? out[at - stride - 3] : 0;
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      out[at] = raw[row * (stride + 1) + 1 + column] + predicted;
    }
  }
  return out;
}

/**
 * @param {number} left
 * @param {number} up
 * @param {number} corner
 */
function paeth(left, up, corner) {
  const estimate = left + up - corner;
  const [toLeft, toUp, toCorner] = [left, up, corner].map((value) => Math.abs(estimate - value));
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
