/**
 * Which folders of web/ may import which: a folder is a layer, and imports only point down. Cargo enforces the same in Rust.
 *
 *     app -> panes -> page -> timeline -> gl -> base
 *            page, timeline -> facts -> state, engine; state, engine -> protocol -> base      panes -> components -> base
 *            workers -> engine parts, wasm (nothing else knows the wasm package)
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

/**
 * @typedef {object} Layer
 * @property {string} name
 * @property {readonly string[]} holds Modules, folders with a slash at the end, and beginnings of modules with a star, below web/. The
 *   first layer to hold a module has it, with its test.
 * @property {readonly string[]} imports The layers it may import besides itself.
 * @property {boolean} [react] May import React.
 */

/** @type {readonly Layer[]} */
const LAYERS = [
  { name: 'base', holds: ['base/'], imports: [] },
  { name: 'wasm', holds: ['wasm/'], imports: [] },
  { name: 'protocol', holds: ['engine/protocol*', 'engine/questions'], imports: ['base'] },
  {
    name: 'workers',
    holds: [
      ...[
        'worker',
        'scanWorker',
        'eventsWorker',
        'seekWorker',
        'figuresWorker',
        'callsWorker',
        'studiesWorker',
        'staktauWorker',
        'filesWorker',
      ],
      ...['load', 'sourceFile', 'sample', 'answers*'],
    ].map((name) => `engine/${name}`),
    imports: ['compiling', 'engine parts', 'protocol', 'base', 'wasm'],
  },
  // The modules as files: the page compiles the first one for its workers, and calls none of its functions.
  { name: 'compiling', holds: ['engine/wasmModule'], imports: ['engine parts', 'protocol', 'base', 'wasm'] },
  {
    name: 'engine',
    holds: ['engine/client', 'engine/staktauText'],
    imports: ['compiling', 'engine parts', 'protocol', 'base'],
  },
  { name: 'engine parts', holds: ['engine/'], imports: ['protocol', 'base'] },
  { name: 'state', holds: ['state/'], imports: ['protocol', 'base'] },
  // What is asked of the engine for the timeline and the panes alike.
  { name: 'facts', holds: ['facts/'], imports: ['state', 'engine', 'protocol', 'base'] },
  { name: 'gl', holds: ['gl/'], imports: ['base'] },
  { name: 'timeline', holds: ['timeline/'], imports: ['gl', 'facts', 'state', 'engine', 'protocol', 'base'] },
  { name: 'page', holds: ['page/'], imports: ['timeline', 'facts', 'state', 'engine', 'protocol', 'base'] },
  { name: 'components', holds: ['components/'], imports: ['base'], react: true },
  {
    name: 'panes',
    holds: ['panes/'],
    imports: ['components', 'page', 'timeline', 'facts', 'state', 'engine', 'protocol', 'base'],
    react: true,
  },
  {
    name: 'app',
    holds: [''],
    imports: ['panes', 'components', 'page', 'timeline', 'facts', 'state', 'engine', 'protocol', 'base'],
    react: true,
  },
];

const SOURCE = /\.tsx?$/;
const REACT = /^react(-dom)?(\/|$)/;

/**
 * Every import that breaks the rules, as `file: why`.
 * @param {string} web The folder that holds the layers.
 * @param {readonly Layer[]} [layers]
 */
export function importViolations(web, layers = LAYERS) {
  return sources(web, '').flatMap((file) => {
    const layer = layerOf(file, layers);
    return importsOf(readFileSync(join(web, file), 'utf8'))
      .map((specifier) => violation(file, layer, specifier, layers))
      .filter((why) => why !== undefined)
      .map((why) => `web/${file}: ${why}`);
  });
}

/**
 * The imports of a source, including types. The address of a worker's script (`./worker?worker&url`) starts a program and
 * shares nothing with it, so it is no import.
 * @param {string} source
 */
export function importsOf(source) {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  const found = code.matchAll(
    /(?:^|[;}])\s*(?:import|export)\s(?:[^'"`;]*?\sfrom\s*)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm,
  );
  return [...found].map((match) => match[1] ?? match[2] ?? '').filter((specifier) => !specifier.includes('?worker'));
}

/**
 * @param {string} file
 * @param {Layer} layer
 * @param {string} specifier
 * @param {readonly Layer[]} layers
 */
function violation(file, layer, specifier, layers) {
  if (!specifier.startsWith('.')) {
    return REACT.test(specifier) && !layer.react ? `${layer.name} must not know React ('${specifier}')` : undefined;
  }
  const target = posix.normalize(posix.join(dirname(file), specifier.replace(/\?.*$/, '')));
  if (target.startsWith('..')) return `imports '${specifier}' from outside web/`;
  const targetLayer = layerOf(target, layers);
  if (targetLayer === layer || layer.imports.includes(targetLayer.name)) return undefined;
  return `${layer.name} must not import ${targetLayer.name} ('${specifier}')`;
}

/**
 * @param {string} path With or without its extension.
 * @param {readonly Layer[]} layers
 */
function layerOf(path, layers) {
  const module = path.replace(/(\.test)?\.tsx?$/, '');
  const layer = layers.find(({ holds }) =>
    holds.some((place) => (/(^|[*/])$/.test(place) ? module.startsWith(place.replace('*', '')) : module === place)),
  );
  if (!layer) throw new Error(`no layer holds web/${path}`);
  return layer;
}

/**
 * @param {string} web
 * @param {string} folder
 * @returns {string[]}
 */
function sources(web, folder) {
  return readdirSync(join(web, folder))
    .map((name) => posix.join(folder, name))
    .flatMap((path) => {
      if (path === 'wasm' || path.startsWith('wasm.')) return [];
      if (statSync(join(web, path)).isDirectory()) return sources(web, path);
      return SOURCE.test(path) ? [path] : [];
    });
}
