// @ts-check
// Checks that two pictures of a figure, made by programs that share no code, show the same.  Programs differ at edges:
// each computes pixels that are partly covered in its own way, and where two shapes meet in a pixel browsers let the
// paper show. They agree where nothing changes from pixel to pixel. So a pixel whose neighbours are all alike in one of
// the pictures has the same colour in both. If something is lost, even one mark as wide as a dot, such pixels show it,
// because the ground below is alike everywhere. The total of all ink is the same, too.

import { apply, matrixOf, texts } from '../svg.mjs';

/**
 * @typedef {import('../png.mjs').Pixels} Pixels
 * @typedef {import('../svg.mjs').Element} Element
 */

/** By how much of 255 alike neighbours may differ, and the same colour in two programs. */
const ALIKE = 3;
const SAME = 6;
/** The same if only one picture is flat: a pixel that the other covers by a fourth or less is no loss. */
const FAINT = 64;
/** How many mm around a text are ignored, because each program draws it with its own fonts. */
const TEXT_MARGIN = 0.4;

/**
 * @typedef {object} Comparison
 * @property {number} ink all colour in the picture of the file, as a share of that in the reference
 * @property {number} compared pixels
 * @property {number} lost comparable pixels that show something else
 * @property {[number, number] | undefined} first of them
 */

/**
 * @param {Pixels} reference
 * @param {Pixels} picture of the same size
 * @param {Uint8Array} masked pixels that are ignored
 * @returns {Comparison}
 */
export function compareInk(reference, picture, masked) {
  const { width, height } = reference;
  const [flat, alsoFlat] = [flatPixels(reference), flatPixels(picture)];
  const inks = [0, 0];
  let [lost, compared] = [0, 0];
  /** @type {[number, number] | undefined} */
  let first;
  for (let at = 0; at < width * height; at++) {
    if (masked[at]) continue;
    inks[0] += chroma(reference.rgb, at * 3);
    inks[1] += chroma(picture.rgb, at * 3);
    if (!flat[at] && !alsoFlat[at]) continue;
    compared++;
    const off = difference(reference.rgb, picture.rgb, at * 3);
    if (off <= (flat[at] && alsoFlat[at] ? SAME : FAINT)) continue;
    lost++;
    first ??= [at % width, Math.floor(at / width)];
  }
  return { ink: inks[1] / inks[0], compared, lost, first };
}

/**
 * Finds the pixels that are like all eight around them.
 *
 * @param {Pixels} picture
 */
function flatPixels({ width, height, rgb }) {
  // First along rows, then down columns.
  const along = new Uint8Array(width * height);
  const flat = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      along[at] = Number(alike(rgb, at, at - 1) && alike(rgb, at, at + 1));
    }
  }
  for (let at = width; at < width * (height - 1); at++) {
    const whole = along[at - width] && along[at] && along[at + width];
    flat[at] = Number(whole && alike(rgb, at, at - width) && alike(rgb, at, at + width));
  }
  return flat;
}

/** @param {Buffer} rgb @param {number} a @param {number} b */
function alike(rgb, a, b) {
  return (
    Math.abs(rgb[a * 3] - rgb[b * 3]) <= ALIKE &&
    Math.abs(rgb[a * 3 + 1] - rgb[b * 3 + 1]) <= ALIKE &&
    Math.abs(rgb[a * 3 + 2] - rgb[b * 3 + 2]) <= ALIKE
  );
}

/** @param {Buffer} a @param {Buffer} b @param {number} at */
function difference(a, b, at) {
  return Math.max(Math.abs(a[at] - b[at]), Math.abs(a[at + 1] - b[at + 1]), Math.abs(a[at + 2] - b[at + 2]));
}

/** How colourful a pixel is; axes have no colour. @param {Buffer} rgb @param {number} at */
function chroma(rgb, at) {
  const [r, g, b] = [rgb[at], rgb[at + 1], rgb[at + 2]];
  return Math.max(r, g, b) - Math.min(r, g, b);
}

/**
 * The places of texts.
 *
 * @param {Element} svg
 * @param {{width: number, height: number, scale: number}} size pixels, and pixels of a mm
 */
export function textMask(svg, { width, height, scale }) {
  const mask = new Uint8Array(width * height);
  for (const { element, x, y, anchor } of texts(svg)) {
    const [size, length] = ['font-size', 'textLength'].map((name) => Number(element.attributes[name] ?? 0));
    const before = length * ({ start: 0, middle: 0.5, end: 1 }[anchor] ?? 0);
    const matrix = matrixOf(element);
    const [ax, ay] = element.attributes.transform === undefined ? [x, y] : [0, 0];
    const corners = [
      [ax - before, ay - size],
      [ax - before + length, ay + size * 0.35],
    ].map(([left, top]) => apply(matrix, [left, top]));
    const [left, right] = [Math.min(corners[0][0], corners[1][0]), Math.max(corners[0][0], corners[1][0])];
    const [top, bottom] = [Math.min(corners[0][1], corners[1][1]), Math.max(corners[0][1], corners[1][1])];
    const pixels = (/** @type {number} */ mm, /** @type {number} */ limit) =>
      Math.min(limit, Math.max(0, Math.round(mm * scale)));
    const [from, to] = [pixels(left - TEXT_MARGIN, width), pixels(right + TEXT_MARGIN, width)];
    for (let row = pixels(top - TEXT_MARGIN, height); row < pixels(bottom + TEXT_MARGIN, height); row++) {
      mask.fill(1, row * width + from, row * width + to);
    }
  }
  return mask;
}
