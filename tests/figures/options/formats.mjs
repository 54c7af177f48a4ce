// @ts-check
// Compares PDF and PNG, each read by a reader that shares no code with its writer, with the SVG of the same figure.

import { readPdf } from '../pdf.mjs';
import { readPng } from '../png.mjs';
import { apply, inherited, matrixOf, outlines, parse, texts } from '../svg.mjs';

/**
 * @typedef {import('./index.mjs').Case} Case
 * @typedef {import('../bench.mjs').Bench} Bench
 * @typedef {import('../pdf.mjs').Box} Box
 * @typedef {import('../pdf.mjs').Shape} Shape
 * @typedef {import('../svg.mjs').Element} Element
 * @typedef {Shape & {kind: 'fill' | 'stroke' | 'hatch', edges: Box[]}} Part
 */

/** By how many mm rounding to thousandths of a point and of a mm may move something. */
const NEAR = 0.003;
/** The same for texts, because widths of glyphs are rounded to thousandths of the font's size. */
const NEAR_TEXT = 0.05;
/** The distance in mm between the pixels that are examined. */
const STEP = 1.35;

/** @type {[string, string[], ...string[]][]} */
const FIGURES = [
  ['lanes', ['barrier32-badplace'], 'timeline', '--color-by', 'command', '--title', 'Łódź & <"Ω中">', '--moves'],
  ['curves', ['barrier32-badplace'], 'running-waiting'],
  ['merged lanes and curves', ['barrier128-after-sleep'], 'timeline', '--dot', '0.2', '--with', 'running-waiting'],
  ['two files', ['forkpipe-8cpu', 'offline-4cpu'], 'timeline', '--width', '85'],
];

/** @type {Case[]} */
export const formatCases = FIGURES.flatMap(([name, traces, kind, ...options]) => {
  /** @param {Bench} bench */
  const args = async (bench) => {
    const files = await Promise.all(traces.map((trace) => bench.trace(trace)));
    return [kind, ...files.map(({ path }) => path), ...options];
  };
  return [
    {
      name: `PDF shows what SVG shows: ${name}`,
      test: async (bench) => {
        const all = await args(bench);
        comparePdf(
          bench,
          parse((await bench.file('svg', ...all)).toString()),
          await readPdf(await bench.file('pdf', ...all)),
        );
      },
    },
    {
      name: `PNG shows what SVG shows: ${name}`,
      test: async (bench) => {
        const all = await args(bench);
        const png = readPng(await bench.file('png', ...all, '--dpi', '254'));
        comparePng(bench, parse((await bench.file('svg', ...all)).toString()), png);
      },
    },
  ];
});

/**
 * @param {Bench} bench
 * @param {Element} svg
 * @param {import('../pdf.mjs').Page} pdf
 */
function comparePdf(bench, svg, pdf) {
  const { width, height } = size(svg);
  bench.expect('pages', 1, pdf.pages);
  bench.expect('size', true, Math.hypot(pdf.paper.width - width, pdf.paper.height - height) < NEAR);
  bench.expect('fonts', [{ name: 'CORELN+Arimo-Regular', embedded: true }], pdf.fonts);
  // The first shape is the paper.
  const [, ...painted] = shapes(svg);
  compareShapes(
    bench,
    'filled',
    painted.filter(({ kind }) => kind === 'fill'),
    pdf.filled,
  );
  compareShapes(
    bench,
    'stroked',
    painted.filter(({ kind }) => kind === 'stroke'),
    pdf.stroked,
  );
  const said = texts(svg);
  bench.expect('some texts', true, said.length > 5);
  bench.expect(
    'texts',
    said.map(({ text }) => drawn(text)),
    pdf.texts.map(({ text }) => text),
  );
  for (const [index, { text, x, y, anchor, element }] of said.entries()) {
    const found = pdf.texts[index];
    if (!found) break;
    const share = { start: 0, middle: 0.5, end: 1 }[anchor] ?? Number.NaN;
    const upwards = element.attributes.transform !== undefined;
    const [foundX, foundY] = found.upwards
      ? [found.x, found.y - share * found.width]
      : [found.x + share * found.width, found.y];
    bench.expect(`"${text}" is read upwards`, upwards, found.upwards);
    const off = Math.hypot(foundX - x, foundY - y);
    bench.expect(`"${text}" is at its place`, true, off < NEAR_TEXT || `${off} mm beside it`);
    bench.expect(`"${text}" can be selected`, true, squeezed(pdf.selected).includes(squeezed(drawn(text))));
  }
  const about = metadata(svg);
  const { Title, Creator, Custom } =
    /** @type {{Title?: string, Creator?: string, Custom?: Record<string, string>}} */ (pdf.info);
  bench.expect('title', about.title, Title);
  bench.expect('made by', true, /^Corelane \d/.test(Creator ?? ''));
  bench.expect('command', about.command.replace('figure.svg', 'figure.pdf'), Custom?.Command);
  bench.expect(
    'views',
    about.views,
    about.views.map((_, index) => Custom?.[`View${index + 1}`]),
  );
  bench.expect(
    'no dates',
    [],
    Object.keys(pdf.info).filter((key) => key.endsWith('Date')),
  );
  const xmp = metadata(parse(`<svg><metadata>${pdf.xmp.replace(/<\?.*?\?>/g, '')}</metadata></svg>`));
  bench.expect('XMP', [about.command.replace('figure.svg', 'figure.pdf'), about.views], [xmp.command, xmp.views]);
}

/**
 * @param {Bench} bench
 * @param {Element} svg
 * @param {import('../png.mjs').Pixels} png at ten pixels a mm
 */
function comparePng(bench, svg, png) {
  const { width, height } = size(svg);
  bench.expect('pixels', [Math.round(width * 10), Math.round(height * 10)], [png.width, png.height]);
  bench.expect('pixels of a metre', 10_000, png.perMetre);
  const { title, command, views } = metadata(svg);
  bench.expect('title', title || undefined, png.texts.get('Title'));
  bench.expect('command', command.replace('figure.svg', 'figure.png --dpi 254'), unordered(png.texts.get('Command')));
  bench.expect(
    'views',
    views,
    views.map((_, index) => png.texts.get(`View${index + 1}`)),
  );
  const seen = shapes(svg).reverse();
  const said = texts(svg);
  let coloured = 0;
  for (let y = STEP; y < height; y += STEP) {
    for (let x = STEP; x < width; x += STEP) {
      const colour = topmost(seen, x, y);
      if (
        colour === undefined ||
        said.some((text) => Math.abs(text.y - y) < 4 && Math.abs(text.x - x) < 2 * text.text.length)
      )
        continue;
      const found = png.at(Math.floor(x * 10), Math.floor(y * 10));
      const expected = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
      const off = Math.max(...found.map((channel, at) => Math.abs(channel - expected[at])));
      bench.expect(`colour at ${x}, ${y} mm`, true, off <= 2 || `${found}, not ${expected}`);
      if (colour !== '#ffffff') coloured++;
    }
  }
  bench.expect('some colours', true, coloured >= 10 || coloured);
  bench.expect('a corner', [255, 255, 255], png.at(0, 0));
  for (const { text, x, y, anchor, element } of said) {
    if (element.attributes.transform !== undefined || text.trim() === '') continue;
    // Somewhere in a square on the base line, where the text is anchored.
    const high = Number(element.attributes['font-size']);
    const from = { start: x, middle: x - high / 2, end: x - high }[anchor] ?? x;
    let darkest = 255;
    for (let row = Math.floor((y - high) * 10); row < y * 10; row++) {
      for (let column = Math.floor(from * 10); column < (from + high) * 10; column++)
        darkest = Math.min(darkest, ...png.at(column, row));
    }
    bench.expect(`"${text}" can be seen`, true, darkest < 200);
  }
}

/**
 * The colour of everything around a place, or undefined if there is an edge nearby.
 *
 * @param {Part[]} seen the topmost first
 * @param {number} x mm
 * @param {number} y
 */
function topmost(seen, x, y) {
  const around = { left: x - 0.2, top: y - 0.2, right: x + 0.2, bottom: y + 0.2 };
  /** @param {Box} box */
  const touches = (box) =>
    box.left <= around.right && box.right >= around.left && box.top <= around.bottom && box.bottom >= around.top;
  for (const { kind, colour, box, edges } of seen) {
    if (!touches(box)) continue;
    if (kind === 'hatch' || edges.some(touches)) return undefined;
    const above = edges.filter(({ left, right, top }) => left <= x && x < right && top < y).length;
    if (kind === 'fill' && above % 2 === 1) return colour;
  }
  return undefined;
}

/**
 * @param {Bench} bench
 * @param {string} what
 * @param {Shape[]} expected
 * @param {Shape[]} found
 */
function compareShapes(bench, what, expected, found) {
  bench.expect(`${what}: some`, true, expected.length > 0);
  bench.expect(`${what}: how many`, expected.length, found.length);
  for (const [index, { colour, box }] of expected.entries()) {
    const other = found[index];
    if (!other) return;
    const off = Math.max(...sides(box).map((side, at) => Math.abs(side - sides(other.box)[at])));
    bench.expect(`${what} ${index}`, [colour, true], [other.colour, off < NEAR || `${off} mm off`]);
  }
}

/** @param {Box} box */
function sides({ left, top, right, bottom }) {
  return [left, top, right, bottom];
}

/**
 * The connected parts of everything that is painted, in the order of the file.
 *
 * @param {Element} svg
 * @returns {Part[]}
 */
function shapes(svg) {
  return [...outlines(svg)].map(({ element, outline }) => {
    const fill = inherited(element, 'fill') ?? '#000000';
    const kind = fill === 'none' ? 'stroke' : fill.startsWith('url') ? 'hatch' : 'fill';
    const matrix = matrixOf(element);
    const points = outline.map((point) => apply(matrix, point));
    const edges = points.map(([ax, ay], at) => {
      // The last edge of an open line does not lead back.
      const [bx, by] = points[(at + 1) % points.length || (kind === 'stroke' ? at : 0)];
      return { left: Math.min(ax, bx), top: Math.min(ay, by), right: Math.max(ax, bx), bottom: Math.max(ay, by) };
    });
    const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
    const box = { left: min(xs), top: min(ys), right: -min(xs.map((x) => -x)), bottom: -min(ys.map((y) => -y)) };
    return { kind, colour: (kind === 'stroke' ? inherited(element, 'stroke') : fill) ?? '', box, edges };
  });
}

/** The least of any number of values. @param {number[]} values */
function min(values) {
  return values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
}

/** @param {Element} svg */
function size({ attributes }) {
  return { width: Number.parseFloat(attributes.width), height: Number.parseFloat(attributes.height) };
}

/** Characters without a glyph in the font are drawn as one special sign. @param {string} text */
function drawn(text) {
  return text.replace(/[Ω中]/g, '\ufffd');
}

/** pdf.js maps letters that look the same to one, such as both mus. @param {string} text */
function squeezed(text) {
  return text.replace(/\s+/g, '').normalize('NFKC');
}

/** The command with the option in a fixed place: behind the file's name. @param {string | undefined} command */
function unordered(command) {
  return command?.replace(/ --dpi 254/, '').replace('figure.png', 'figure.png --dpi 254');
}

/** The file's metadata. @param {Element} svg */
function metadata(svg) {
  /** @param {Element} element @param {string} name @returns {Element[]} */
  const all = (element, name) => [
    ...(element.name === name ? [element] : []),
    ...element.children.flatMap((child) => all(child, name)),
  ];
  const [title, command] = ['dc:title', 'corelane:command'].map((name) => all(svg, name)[0]);
  return {
    title: title ? all(title, 'rdf:li')[0]?.text : undefined,
    command: command?.text ?? '',
    views: all(svg, 'corelane:views').flatMap((views) => all(views, 'rdf:li').map(({ text }) => text)),
  };
}
