/** Reads Chromium's screenshots: PNG, 8 bits per channel, not interlaced. */
import { inflateSync } from 'node:zlib';

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** The pixels as RGBA. */
  readonly data: Uint8Array;
}

export type Colour = readonly [number, number, number];

export function decodePng(png: Buffer): Picture {
  let width = 0;
  let height = 0;
  let channels = 4;
  const chunks: Buffer[] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const body = png.subarray(at + 8, at + 8 + length);
    switch (png.toString('latin1', at + 4, at + 8)) {
      case 'IHDR':
        width = body.readUInt32BE(0);
        height = body.readUInt32BE(4);
        if (body[8] !== 8 || body[12] !== 0) throw new Error('expected 8 bits per channel, not interlaced');
        channels = body[9] === 2 ? 3 : 4;
        break;
      case 'IDAT':
        chunks.push(body);
        break;
    }
    at += length + 12;
  }
  return { width, height, data: unfilter(inflateSync(Buffer.concat(chunks)), width, height, channels) };
}

/** Each row begins with the number of its filter, which predicts a byte from its neighbours. */
function unfilter(raw: Uint8Array, width: number, height: number, channels: number): Uint8Array {
  const stride = width * channels;
  const rows = new Uint8Array(stride * height);
  const data = new Uint8Array(4 * width * height).fill(255);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x;
      const left = x < channels ? 0 : (rows[at - channels] ?? 0);
      const up = y === 0 ? 0 : (rows[at - stride] ?? 0);
      const corner = y === 0 || x < channels ? 0 : (rows[at - stride - channels] ?? 0);
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
      const value = (raw[y * (stride + 1) + 1 + x] ?? 0) + guess;
      rows[at] = value;
      data[4 * (y * width + Math.floor(x / channels)) + (x % channels)] = value;
    }
  }
  return data;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

export function colourAt({ width, data }: Picture, x: number, y: number): Colour {
  const at = 4 * (Math.floor(y) * width + Math.floor(x));
  return [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
}

/** The greatest difference of a channel. */
export function difference(a: Colour, b: Colour): number {
  return Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1]), Math.abs(a[2] - b[2]));
}

export function parseColour(hex: string): Colour {
  const value = Number.parseInt(hex.slice(1, 7), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** How many pixels differ by more than rounding: graphics processors round some channels differently. */
export function farPixels(a: Picture, b: Picture): number {
  if (a.width !== b.width || a.height !== b.height) return Number.POSITIVE_INFINITY;
  let count = 0;
  for (let y = 0; y < a.height; y++) {
    for (let x = 0; x < a.width; x++) {
      if (difference(colourAt(a, x, y), colourAt(b, x, y)) > 2) count++;
    }
  }
  return count;
}

/** How many pixels differ. */
export function differingPixels(a: Picture, b: Picture): number {
  if (a.width !== b.width || a.height !== b.height) return Number.POSITIVE_INFINITY;
  let count = 0;
  for (let at = 0; at < a.data.length; at += 4) {
    if (a.data[at] !== b.data[at] || a.data[at + 1] !== b.data[at + 1] || a.data[at + 2] !== b.data[at + 2]) count++;
  }
  return count;
}

/** How many pixels of a picture have this colour. */
export function pixels(picture: Picture, hex: string): number {
  const wanted = parseColour(hex);
  let found = 0;
  for (let at = 0; at < picture.data.length; at += 4) {
    if (wanted.every((channel, index) => picture.data[at + index] === channel)) found++;
  }
  return found;
}
