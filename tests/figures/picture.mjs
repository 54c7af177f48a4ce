// @ts-check
// Reads from a figure's SVG what it shows, as `docs/figures.md` describes its parts.

import { apply, box, inherited, matrixOf, ofClass, outlines, paper, parse, texts } from './svg.mjs';

/** @typedef {import('./svg.mjs').Element} Element */

/**
 * @typedef {object} Piece a rectangle on a lane
 * @property {string} kind its class
 * @property {number} cpu
 * @property {bigint} start absolute, ns
 * @property {bigint} end
 * @property {string | undefined} pid
 * @property {string | undefined} generation
 * @property {string | undefined} comm
 * @property {string | undefined} parent
 * @property {[number, number]} busy the least and the greatest share of time that a merged one stands for
 * @property {string} fill
 * @property {{left: number, right: number, top: number, bottom: number}} mm on paper
 */

/**
 * @typedef {object} Lanes
 * @property {number[]} rows CPU numbers, the top row first
 * @property {bigint} start absolute, ns
 * @property {bigint} end
 * @property {number} precision the precision of times in ns
 * @property {number | undefined} dot mm, where runs are merged
 * @property {(t: bigint) => number} mm the place of an instant on paper
 * @property {(y: number) => number} y mm of a hundredth of a lane from the top
 * @property {Piece[]} pieces
 */

/** @typedef {{start: bigint, end: bigint, value: number}} Step */

/**
 * @typedef {object} Curve
 * @property {bigint} start absolute, ns
 * @property {bigint} end
 * @property {number} precision the precision of times in ns
 * @property {Map<string, Step[]>} areas by class
 * @property {(Step & {top: number})[]} waiting red over the areas: its height in tasks, and its upper edge in mm
 * @property {(tasks: number) => number} mm the place of a number of tasks on paper
 */

/** @typedef {{of: string, rows: {comm: string, cells: string[]}[], more: string | undefined}} Legend */

/** @typedef {{kind: string, file: string, element: Element}} Panel */

export class Picture {
  /** @param {string} source */
  constructor(source) {
    this.root = parse(source);
    this.paper = paper(this.root);
    this.texts = texts(this.root).map(({ element, ...text }) => ({ ...text, kind: inherited(element, 'class') ?? '' }));
  }

  /**
   * The texts of a class.
   *
   * @param {string} kind
   * @param {Element} [within]
   */
  said(kind, within = this.root) {
    return ofClass(within, kind).flatMap((element) => texts(element).map(({ text }) => text));
  }

  /** The file's `title`, `desc` or `metadata`, without tags. @param {string} name */
  about(name) {
    const found = this.root.children.find((child) => child.name === name);
    /** @type {(element: Element) => string} */
    const all = ({ text, children }) => text + children.map(all).join('');
    return found === undefined ? undefined : all(found);
  }

  /** @returns {Panel[]} of all files, in the order of the file */
  panels() {
    return ofClass(this.root, 'panel').map((element) => ({
      kind: need(element, 'kind'),
      file: need(element, 'file'),
      element,
    }));
  }

  /** @param {Element} [within] */
  lanes(within = this.root) {
    return ofClass(within, 'lanes').map(readLanes);
  }

  /** @param {Element} [within] */
  curves(within = this.root) {
    return ofClass(within, 'curve').map(readCurve);
  }

  /** @param {Element} [within] @returns {Legend[]} */
  legends(within = this.root) {
    return ofClass(within, 'legend').map((element) => ({
      of: need(element, 'of'),
      rows: ofClass(element, 'legend-row').map((row) => ({
        comm: need(row, 'comm'),
        cells: texts(row).map(({ text }) => text),
      })),
      more: this.said('legend-more', element)[0],
    }));
  }
}

/** @param {Element} element @param {string} name */
export function need(element, name) {
  const value = inherited(element, `data-${name}`);
  if (value === undefined) throw new Error(`${element.name}.${element.attributes.class}: no data-${name}`);
  return value;
}

/**
 * The times that a group states.
 *
 * @param {Element} element
 */
export function timeOf(element) {
  const start = BigInt(need(element, 'start-ns'));
  const [unit, precision] = ['unit-ns', 'precision-ns'].map((name) => Number(need(element, name)));
  return {
    start,
    end: BigInt(need(element, 'end-ns')),
    unit,
    precision,
    /** @param {number} x of which every decimal counts */
    at(x) {
      const times = (x * unit) / precision;
      const nearest = Math.round(times);
      if (!(Math.abs(times - nearest) < 0.1)) throw new Error(`${x} is no whole number of ${precision} ns`);
      return start + BigInt(nearest) * BigInt(precision);
    },
  };
}

/** The kinds of rectangles on lanes. */
const PIECES = ['runs', 'inferred', 'unknown', 'ticks', 'merged'];

/** @param {Element} element @returns {Lanes} */
function readLanes(element) {
  const time = timeOf(element);
  const rows = need(element, 'rows').split(' ').filter(Boolean).map(Number);
  const dot = inherited(element, 'data-merged-dot-mm');
  /** @type {Piece[]} */
  const pieces = [];
  /** @type {import('./svg.mjs').Matrix | undefined} */
  let space;
  for (const kind of PIECES) {
    for (const group of ofClass(element, kind)) {
      const data = (/** @type {string} */ name) => inherited(group, `data-${name}`);
      const said = {
        pid: data('pid'),
        generation: data('generation'),
        comm: data('comm'),
        parent: data('parent'),
        busy: shares(data('busy') ?? '1-1'),
      };
      for (const { element: shape, outline } of outlines(group)) {
        const { left, right, top, bottom } = box(outline);
        const cpu = rows[Math.floor((top + bottom) / 200)];
        if (cpu === undefined) throw new Error(`a rectangle at y ${top} is on no lane`);
        const matrix = matrixOf(shape);
        space ??= matrix;
        const [mmLeft, mmTop] = apply(matrix, [left, top]);
        const [mmRight, mmBottom] = apply(matrix, [right, bottom]);
        pieces.push({
          kind,
          cpu,
          start: time.at(left),
          end: time.at(right),
          fill: inherited(shape, 'fill') ?? '',
          mm: { left: mmLeft, right: mmRight, top: mmTop, bottom: mmBottom },
          ...said,
        });
      }
    }
  }
  const [left, scale, top, scaleY] = space ? [space[4], space[0], space[5], space[3]] : [0, 0, 0, 0];
  return {
    rows,
    start: time.start,
    end: time.end,
    precision: time.precision,
    dot: dot === undefined ? undefined : Number(dot),
    mm: (t) => left + (Number(t - time.start) / time.unit) * scale,
    y: (y) => top + y * scaleY,
    pieces,
  };
}

/** @param {string} text @returns {[number, number]} */
function shares(text) {
  const [low, high] = text.split('-').map(Number);
  return [low, high];
}

/** @param {Element} element @returns {Curve} */
function readCurve(element) {
  const time = timeOf(element);
  /** @type {Map<string, Step[]>} */
  const areas = new Map();
  for (const kind of ['runnable', 'running', 'runnable-max', 'running-max', 'running-min']) {
    for (const group of ofClass(element, kind)) {
      const steps = [...outlines(group)].flatMap(({ outline, closed }) => (closed ? staircase(outline, time.at) : []));
      if (steps.length > 0) areas.set(kind, steps);
    }
  }
  const shape = outlines(element).next().value;
  const matrix = shape ? matrixOf(shape.element) : undefined;
  const waiting = ofClass(element, 'waiting').flatMap((group) =>
    [...outlines(group)].map(({ element, outline }) => {
      const { left, right, top, bottom } = box(outline);
      const [, mmTop] = apply(matrixOf(element), [left, top]);
      return { start: time.at(left), end: time.at(right), value: bottom - top, top: mmTop };
    }),
  );
  return { ...time, areas, waiting, mm: (tasks) => (matrix ? apply(matrix, [0, tasks])[1] : 0) };
}

/**
 * The heights of an area whose lower edge is at y = 0.
 *
 * @param {import('./svg.mjs').Point[]} outline
 * @param {(x: number) => bigint} at
 */
function staircase(outline, at) {
  /** @type {Step[]} */
  const steps = [];
  for (const [index, [x, y]] of outline.entries()) {
    const [nextX, nextY] = outline[(index + 1) % outline.length];
    if (nextX === x) continue;
    if (nextY !== y) throw new Error(`an edge from ${x},${y} to ${nextX},${nextY} is no stair`);
    if (x < nextX) steps.push({ start: at(x), end: at(nextX), value: y });
    else if (y !== 0) throw new Error(`an area's lower edge is at ${y}`);
  }
  return steps;
}
