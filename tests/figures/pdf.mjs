// @ts-check
// Reads a PDF with pdf.js: what is painted, in mm from the upper left corner, and the file's metadata.

import { createRequire } from 'node:module';
import path from 'node:path';
import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** @typedef {{left: number, top: number, right: number, bottom: number}} Box mm */
/** @typedef {{colour: string, box: Box}} Shape */
/** @typedef {{text: string, x: number, y: number, width: number, upwards: boolean}} Text from where its first letter begins */

/**
 * @typedef {object} Page
 * @property {number} pages
 * @property {{width: number, height: number}} paper mm
 * @property {Shape[]} filled every closed part of a path
 * @property {Shape[]} stroked every part of a path, except the stripes of hatches
 * @property {Text[]} texts
 * @property {string} selected the text that selecting everything copies
 * @property {{name: string, embedded: boolean}[]} fonts
 * @property {Record<string, unknown>} info
 * @property {string} xmp
 */

/** The operators in the lists of paths. */
const [MOVE, LINE, CURVE, QUADRATIC, CLOSE] = [0, 1, 2, 3, 4];
const MM = 25.4 / 72;
const FONTS = path.join(
  path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')),
  'standard_fonts/',
);

/**
 * @param {Uint8Array} file
 * @returns {Promise<Page>}
 */
export async function readPdf(file) {
  const task = getDocument({
    data: new Uint8Array(file),
    standardFontDataUrl: FONTS,
    useSystemFonts: false,
    verbosity: 0,
  });
  const document = await task.promise;
  try {
    const page = await document.getPage(1);
    const [, , width, height] = page.view;
    const { fnArray, argsArray } = await page.getOperatorList();
    const painted = new Painted(height);
    for (const [index, operator] of fnArray.entries()) painted.take(operator, argsArray[index]);
    const { info, metadata } = await document.getMetadata();
    const { items } = await page.getTextContent();
    return {
      pages: document.numPages,
      paper: { width: width * MM, height: height * MM },
      filled: painted.filled,
      stroked: painted.stroked,
      texts: painted.texts,
      selected: items.map((item) => ('str' in item ? item.str : '')).join(' '),
      fonts: [...painted.fonts].map((name) => {
        const font = page.commonObjs.get(name);
        return { name: font.name, embedded: font.missingFile === false };
      }),
      info: /** @type {Record<string, unknown>} */ (info),
      xmp: metadata?.getRaw() ?? '',
    };
  } finally {
    await task.destroy();
  }
}

class Painted {
  /** @type {Shape[]} */
  filled = [];
  /** @type {Shape[]} */
  stroked = [];
  /** @type {Text[]} */
  texts = [];
  /** @type {Set<string>} */
  fonts = new Set();
  #fill = '#000000';
  #stroke = '#000000';
  #size = 0;
  /** @type {number[]} */
  #matrix = [1, 0, 0, 1, 0, 0];
  /** Whether a clip is set, within which the stripes of a hatch are drawn. */
  #clipped = false;

  /** @param {number} height of the page, in points */
  constructor(height) {
    this.height = height;
  }

  /**
   * @param {number} operator
   * @param {any} args
   */
  take(operator, args) {
    switch (operator) {
      case OPS.setFillRGBColor:
        this.#fill = args[0];
        break;
      case OPS.setStrokeRGBColor:
        this.#stroke = args[0];
        break;
      case OPS.clip:
        this.#clipped = true;
        break;
      case OPS.restore:
        this.#clipped = false;
        break;
      case OPS.constructPath:
        this.#path(args);
        break;
      case OPS.setFont:
        this.fonts.add(args[0]);
        this.#size = args[1];
        break;
      case OPS.setTextMatrix:
        this.#matrix = [...args[0]];
        break;
      case OPS.showText:
        this.#show(args[0]);
        break;
      default:
        break;
    }
  }

  /** @param {any} args the painting operator, and the path */
  #path([painting, [list]]) {
    const boxes = [...parts(list ?? [])].map((points) => this.#box(points));
    if (painting === OPS.fill) this.filled.push(...boxes.map((box) => ({ colour: this.#fill, box })));
    else if (painting === OPS.stroke && !this.#clipped)
      this.stroked.push(...boxes.map((box) => ({ colour: this.#stroke, box })));
  }

  /** @param {number[][]} points @returns {Box} */
  #box(points) {
    const xs = points.map(([x]) => x * MM);
    const ys = points.map(([, y]) => (this.height - y) * MM);
    return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
  }

  /** @param {({unicode: string, width: number} | number)[]} glyphs */
  #show(glyphs) {
    const [a, b, , , x, y] = this.#matrix;
    let [text, width] = ['', 0];
    for (const glyph of glyphs) {
      if (typeof glyph === 'number') continue;
      text += glyph.unicode;
      width += (glyph.width * this.#size) / 1000;
    }
    this.texts.push({ text, x: x * MM, y: (this.height - y) * MM, width: width * MM, upwards: a === 0 && b === 1 });
  }
}

/**
 * The points of the connected parts of a path.
 *
 * @param {ArrayLike<number>} list
 */
function* parts(list) {
  /** @type {number[][]} */
  let points = [];
  for (let at = 0; at < list.length; ) {
    const verb = list[at++];
    if (verb === MOVE) {
      if (points.length > 0) yield points;
      points = [[list[at++], list[at++]]];
    } else if (verb === LINE) points.push([list[at++], list[at++]]);
    else if (verb !== CLOSE) throw new Error(`${verb === CURVE || verb === QUADRATIC ? 'a curve' : verb} in a figure`);
  }
  if (points.length > 0) yield points;
}
