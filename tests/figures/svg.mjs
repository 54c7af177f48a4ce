// @ts-check
// Reads an SVG as shapes and texts in millimetres. It knows nothing of traces, and of SVG only what figures use;
// anything else it refuses.

import sax from 'sax';

/** @typedef {[number, number, number, number, number, number]} Matrix as in `matrix(a b c d e f)` */
/** @typedef {[number, number]} Point */

/**
 * @typedef {object} Element
 * @property {string} name
 * @property {Record<string, string>} attributes
 * @property {Element[]} children
 * @property {Element | undefined} parent
 * @property {string} text directly in it
 */

/** Elements that contain no shapes. */
const SILENT = new Set(['title', 'desc', 'metadata', 'style', 'defs']);
const GROUPS = new Set(['svg', 'g', 'text', 'path', 'rect', 'line', 'polyline', 'polygon']);

/**
 * The tree of elements; throws if anything is not well-formed.
 *
 * @param {string} source
 * @returns {Element}
 */
export function parse(source) {
  // Paths are attributes of any length.
  Object.assign(sax, { MAX_BUFFER_LENGTH: Number.POSITIVE_INFINITY });
  const parser = sax.parser(true, { xmlns: false });
  /** @type {Element | undefined} */
  let root;
  /** @type {Element | undefined} */
  let open;
  parser.onerror = (error) => {
    throw error;
  };
  parser.onopentag = ({ name, attributes }) => {
    /** @type {Element} */
    const element = { name, attributes: /** @type {any} */ (attributes), children: [], parent: open, text: '' };
    open?.children.push(element);
    root ??= element;
    open = element;
  };
  parser.onclosetag = () => {
    open = open?.parent;
  };
  parser.ontext = parser.oncdata = (text) => {
    if (open) open.text += text;
  };
  parser.write(source).close();
  if (root?.name !== 'svg') throw new Error('no svg element');
  return root;
}

/**
 * The elements of a class, in the order of the file.
 *
 * @param {Element} root
 * @param {string} name
 * @returns {Element[]}
 */
export function ofClass(root, name) {
  return [...walk(root)].filter((element) => classes(element).includes(name));
}

/** @param {Element} element */
export function classes({ attributes }) {
  return (attributes.class ?? '').split(/\s+/).filter((word) => word !== '');
}

/**
 * Every element that can be seen.
 *
 * @param {Element} element
 * @returns {Generator<Element>}
 */
export function* walk(element) {
  if (SILENT.has(element.name)) return;
  if (!GROUPS.has(element.name)) throw new Error(`<${element.name}> is not known`);
  yield element;
  for (const child of element.children) yield* walk(child);
}

/**
 * An attribute of an element, or of the nearest group around it that has it.
 *
 * @param {Element | undefined} element
 * @param {string} name
 */
export function inherited(element, name) {
  for (let at = element; at; at = at.parent) {
    if (at.attributes[name] !== undefined) return at.attributes[name];
  }
  return undefined;
}

/**
 * The matrix from an element's own coordinates to those of the whole drawing.
 *
 * @param {Element | undefined} element
 * @returns {Matrix}
 */
export function matrixOf(element) {
  /** @type {Matrix} */
  let matrix = [1, 0, 0, 1, 0, 0];
  for (let at = element; at; at = at.parent) {
    const transform = at.attributes.transform;
    if (transform !== undefined) matrix = times(transformOf(transform), matrix);
  }
  return matrix;
}

/** @param {string} text */
function transformOf(text) {
  /** @type {Matrix} */
  let matrix = [1, 0, 0, 1, 0, 0];
  const rest = text.replace(/\s*([a-z]+)\(([^)]*)\)/g, (_, name, list) => {
    matrix = times(
      matrix,
      step(
        name,
        list
          .trim()
          .split(/[\s,]+/)
          .map(number),
      ),
    );
    return '';
  });
  if (rest.trim() !== '') throw new Error(`transform ${text} is not known`);
  return matrix;
}

/**
 * @param {string} name
 * @param {number[]} list
 * @returns {Matrix}
 */
function step(name, list) {
  if (name === 'matrix' && list.length === 6) return /** @type {Matrix} */ (list);
  if (name === 'translate') return [1, 0, 0, 1, list[0], list[1] ?? 0];
  if (name === 'scale') return [list[0], 0, 0, list[1] ?? list[0], 0, 0];
  if (name === 'rotate') {
    const turn = (list[0] * Math.PI) / 180;
    const [sin, cos] = [Math.sin(turn), Math.cos(turn)];
    /** @type {Matrix} */
    const rotation = [cos, sin, -sin, cos, 0, 0];
    if (list.length === 1) return rotation;
    return times(times([1, 0, 0, 1, list[1], list[2]], rotation), [1, 0, 0, 1, -list[1], -list[2]]);
  }
  throw new Error(`transform ${name} is not known`);
}

/**
 * @param {Matrix} outer
 * @param {Matrix} inner
 * @returns {Matrix}
 */
function times([a, b, c, d, e, f], [g, h, i, j, k, l]) {
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

/**
 * @param {Matrix} matrix
 * @param {Point} point
 * @returns {Point}
 */
export function apply([a, b, c, d, e, f], [x, y]) {
  return [a * x + c * y + e, b * x + d * y + f];
}

/** @param {string} text */
function number(text) {
  const value = Number(text);
  if (text === '' || !Number.isFinite(value)) throw new Error(`${JSON.stringify(text)} is no number`);
  return value;
}

/**
 * The outlines of the shapes of an element and of those in it, in each shape's own coordinates.
 *
 * @param {Element} root
 * @returns {Generator<{element: Element, outline: Point[], closed: boolean}>}
 */
export function* outlines(root) {
  for (const element of walk(root)) {
    const at = element.attributes;
    switch (element.name) {
      case 'path':
        for (const { outline, closed } of subpaths(at.d ?? '')) yield { element, outline, closed };
        break;
      case 'rect': {
        const [x, y, width, height] = [at.x ?? '0', at.y ?? '0', at.width, at.height].map(number);
        /** @type {Point[]} */
        const outline = [
          [x, y],
          [x + width, y],
          [x + width, y + height],
          [x, y + height],
        ];
        yield { element, outline, closed: true };
        break;
      }
      case 'line': {
        const [x1, y1, x2, y2] = [at.x1, at.y1, at.x2, at.y2].map((text) => number(text ?? '0'));
        /** @type {Point[]} */
        const outline = [
          [x1, y1],
          [x2, y2],
        ];
        yield { element, outline, closed: false };
        break;
      }
      case 'polyline':
      case 'polygon': {
        const flat = (at.points ?? '')
          .trim()
          .split(/[\s,]+/)
          .map(number);
        const outline = flat.flatMap((x, index) =>
          index % 2 === 0 ? [/** @type {Point} */ ([x, flat[index + 1]])] : [],
        );
        yield { element, outline, closed: element.name === 'polygon' };
        break;
      }
      default:
        break;
    }
  }
}

/** Rounds sums of decimals, so that they are as exact as they are written. @param {number} sum */
const exact = (sum) => Math.round(sum * 1e9) / 1e9;

/** Firefox leaves out a path that begins beyond 2^24 of its own units, Chromium one beyond 2^31. */
const FARTHEST = 2 ** 23;

/**
 * The outlines of a path of straight lines: M, L, H, V and Z; throws for coordinates that a browser does not draw.
 *
 * @param {string} data
 * @returns {Generator<{outline: Point[], closed: boolean}>}
 */
export function* subpaths(data) {
  /** @type {Point[]} */
  let outline = [];
  let [x, y] = [0, 0];
  let command = '';
  const tokens = data.match(/[A-Za-z]|[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/g) ?? [];
  if (data.replace(/[A-Za-z]|[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/g, '').replace(/[\s,]+/g, '') !== '')
    throw new Error(`path ${data.slice(0, 100)} is not known`);
  let index = 0;
  const next = () => number(tokens[index++] ?? '');
  while (index < tokens.length) {
    if (/[A-Za-z]/.test(tokens[index])) command = tokens[index++];
    // Further pairs after a moveto are lines.
    else if (command === 'M') command = 'L';
    else if (command === 'm') command = 'l';
    const [fromX, fromY] = command === command.toLowerCase() ? [x, y] : [0, 0];
    switch (command.toUpperCase()) {
      case 'M':
        if (outline.length > 0) yield { outline, closed: false };
        [x, y] = [fromX + next(), fromY + next()];
        outline = [[x, y]];
        break;
      case 'L':
        [x, y] = [fromX + next(), fromY + next()];
        outline.push([x, y]);
        break;
      case 'H':
        x = fromX + next();
        outline.push([x, y]);
        break;
      case 'V':
        y = fromY + next();
        outline.push([x, y]);
        break;
      case 'Z':
        if (outline.length === 0) throw new Error('a path is closed that was not begun');
        yield { outline, closed: true };
        [x, y] = outline[0];
        outline = [];
        command = '';
        // What follows without a moveto begins where this outline did.
        if (index < tokens.length && tokens[index].toUpperCase() !== 'M') outline = [[x, y]];
        break;
      default:
        throw new Error(`path command ${command || tokens[index]} is not known`);
    }
    [x, y] = [exact(x), exact(y)];
    if (outline.length > 0) outline[outline.length - 1] = [x, y];
    if (Math.max(Math.abs(x), Math.abs(y)) > FARTHEST) throw new Error(`browsers do not draw what is at ${x}, ${y}`);
  }
  if (outline.length > 0) yield { outline, closed: false };
}

/**
 * The box of an outline that is a rectangle with upright sides; throws for any other.
 *
 * @param {Point[]} outline
 */
export function box(outline) {
  const xs = outline.map(([x]) => x);
  const ys = outline.map(([, y]) => y);
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const corners = new Set(outline.map(([x, y]) => `${x} ${y}`));
  const turns = outline.every(([x, y], index) => {
    const [nextX, nextY] = outline[(index + 1) % outline.length];
    return (x === nextX) !== (y === nextY) || (index === outline.length - 1 && x === nextX && y === nextY);
  });
  if (corners.size !== 4 || !turns) throw new Error(`no rectangle: ${JSON.stringify(outline.slice(0, 8))}`);
  return { left, top, right, bottom };
}

/**
 * The texts as they can be read, with the places of their anchors in the drawing.
 *
 * @param {Element} root
 */
export function texts(root) {
  return [...walk(root)]
    .filter(({ name }) => name === 'text')
    .map((element) => {
      const { x = '0', y = '0' } = element.attributes;
      const [left, top] = apply(matrixOf(element), [number(x), number(y)]);
      return { element, x: left, y: top, anchor: inherited(element, 'text-anchor') ?? 'start', text: element.text };
    });
}

/**
 * The size in mm, and the scale of the drawing's own coordinates.
 *
 * @param {Element} root
 */
export function paper({ attributes }) {
  /** @param {string | undefined} text */
  const mm = (text) => {
    const found = /^([\d.]+)mm$/.exec(text ?? '');
    if (!found) throw new Error(`width and height are not in mm: ${text}`);
    return Number(found[1]);
  };
  const [left, top, width, height] = (attributes.viewBox ?? '').split(/[\s,]+/).map(number);
  return { width: mm(attributes.width), height: mm(attributes.height), viewBox: { left, top, width, height } };
}
