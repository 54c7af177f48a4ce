// @ts-check
// Reads a PNG of 8 bits per channel without a library that its writer could share: chunks, filters, texts.

import { crc32, inflateSync } from 'node:zlib';

/**
 * @typedef {object} Pixels
 * @property {number} width
 * @property {number} height
 * @property {number} perMetre pixels
 * @property {Map<string, string>} texts
 * @property {(x: number, y: number) => [number, number, number]} at red, green, blue
 * @property {Buffer} rgb all pixels, row by row
 */

/**
 * @param {Buffer} file
 * @returns {Pixels}
 */
export function readPng(file) {
  if (file.toString('latin1', 1, 4) !== 'PNG') throw new Error('no PNG');
  let [width, height, perMetre, channels] = [0, 0, 0, 3];
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
      const kind = body.toString('hex', 8);
      if (kind !== '0802000000' && kind !== '0806000000') throw new Error('not RGB of 8 bits, or interlaced');
      channels = kind === '0802000000' ? 3 : 4;
    } else if (type === 'pHYs') {
      if (body.readUInt32BE(0) !== body.readUInt32BE(4) || body[8] !== 1) throw new Error('pixels are not square');
      perMetre = body.readUInt32BE(0);
    } else if (type === 'iTXt') {
      // Keyword, whether compressed and how, language, translated keyword: all but the second end in a zero.
      const found = /^([^\0]+)\0\0\0[^\0]*\0[^\0]*\0(.*)$/s.exec(body.toString('utf8'));
      if (!found) throw new Error('iTXt');
      texts.set(found[1], found[2]);
    } else if (type === 'IDAT') data.push(body);
    else if (type === 'IEND') ended = true;
    at += length + 12;
  }
  if (!ended) throw new Error('no end');
  const pixels = unfiltered(inflateSync(Buffer.concat(data)), width * channels, height, channels);
  return pixelsOf({ width, height, perMetre, texts, rgb: channels === 3 ? pixels : opaque(pixels) });
}

/**
 * @param {Omit<Pixels, 'at'>} image
 * @returns {Pixels}
 */
function pixelsOf(image) {
  const { width, height, rgb } = image;
  return {
    ...image,
    at(x, y) {
      if (x < 0 || y < 0 || x >= width || y >= height) throw new Error(`no pixel ${x}, ${y}`);
      const [r, g, b] = rgb.subarray((y * width + x) * 3);
      return [r, g, b];
    },
  };
}

/**
 * Cuts rows of a given width out of an image.
 *
 * @param {Pixels} image
 * @param {{top: number, width: number, height: number}} part
 */
export function cut(image, { top, width, height }) {
  if (width > image.width || top + height > image.height)
    throw new Error(`${image.width} x ${image.height} pixels do not hold ${width} x ${height} from ${top} on`);
  const rgb = Buffer.alloc(width * height * 3);
  for (let row = 0; row < height; row++) {
    const from = (top + row) * image.width * 3;
    image.rgb.copy(rgb, row * width * 3, from, from + width * 3);
  }
  return pixelsOf({ width, height, perMetre: image.perMetre, texts: image.texts, rgb });
}

/** @param {Buffer} rgba */
function opaque(rgba) {
  const rgb = Buffer.alloc((rgba.length / 4) * 3);
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += 3) {
    if (rgba[from + 3] !== 255) throw new Error('a pixel is transparent');
    rgb[to] = rgba[from];
    rgb[to + 1] = rgba[from + 1];
    rgb[to + 2] = rgba[from + 2];
  }
  return rgb;
}

/**
 * Undoes the prediction of bytes from their neighbours to the left, above, and above to the left.
 *
 * @param {Buffer} raw
 * @param {number} stride
 * @param {number} height
 * @param {number} channels
 */
function unfiltered(raw, stride, height, channels) {
  const out = Buffer.alloc(stride * height);
  for (let row = 0; row < height; row++) {
    const filter = raw[row * (stride + 1)];
    for (let column = 0; column < stride; column++) {
      const at = row * stride + column;
      const left = column >= channels ? out[at - channels] : 0;
      const up = row > 0 ? out[at - stride] : 0;
      const corner = column >= channels && row > 0 ? out[at - stride - channels] : 0;
      out[at] = raw[row * (stride + 1) + 1 + column] + predicted(filter, left, up, corner);
    }
  }
  return out;
}

/**
 * @param {number} filter
 * @param {number} left
 * @param {number} up
 * @param {number} corner
 */
function predicted(filter, left, up, corner) {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return up;
  return filter === 3 ? (left + up) >> 1 : paeth(left, up, corner);
}

/**
 * @param {number} left
 * @param {number} up
 * @param {number} corner
 */
function paeth(left, up, corner) {
  const estimate = left + up - corner;
  const toLeft = Math.abs(estimate - left);
  const toUp = Math.abs(estimate - up);
  const toCorner = Math.abs(estimate - corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
