/**
 * What documents point to: links to files and headings, and, where a document describes the tree, the paths and names
 * in its backticks.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

/** Folders without sources of ours: packages, and what is built. */
const SKIPPED = /^(?:\.git|node_modules|target.*|dist|wasm.*|test-results|playwright-report)$/;

/** Documents whose backticks name files, folders, functions and types of the tree. */
const ABOUT_THE_TREE = [
  'ARCHITECTURE.md',
  'docs/adding.md',
  'docs/data-flow.md',
  'docs/dependencies.md',
  'docs/figures-internals.md',
  'docs/internals.md',
  'docs/testing.md',
];

const SOURCE = /\.(rs|ts|tsx|mjs|py|sh|toml|yml|css|html)$/;
const LANGUAGE = /\.(rs|tsx?|mjs|py|sh|toml|json|yml|css|html|md|txt|js)$/;

/**
 * A line for each thing that a document or a source points to and that is not there.
 * @param {string} repo
 * @returns {string[]}
 */
export function brokenPointers(repo) {
  const files = walk(repo, repo);
  const documents = files.filter((file) => file.endsWith('.md'));
  const text = new Map(documents.map((file) => [file, readFileSync(join(repo, file), 'utf8')]));
  const anchors = new Map([...text].map(([file, text]) => [file, anchorsOf(text)]));
  const broken = (/** @type {string} */ file, /** @type {string} */ target) => {
    const [path = '', anchor] = target.split('#');
    const there = path === '' ? file : normalize(join(dirname(file), decodeURIComponent(path)));
    if (!existsSync(join(repo, there))) return true;
    return anchor !== undefined && there.endsWith('.md') && !anchors.get(there)?.has(anchor);
  };
  const links = [...text].flatMap(([file, text]) =>
    linksOf(text)
      .filter((target) => broken(file, target))
      .map((target) => `${file}: no ${target}`),
  );
  const sources = files
    .filter((file) => SOURCE.test(file) && !file.endsWith('.test.mjs'))
    .map((file) => ({ file, text: readFileSync(join(repo, file), 'utf8') }));
  const named = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/(?<![\w./-])docs\/[\w/-]+\.md(?:#[\w-]+)?/g)]
      .filter(([target]) => broken('', target))
      .map(([target]) => `${file}: no ${target}`),
  );
  const code = sources.filter(({ file }) => /\.(rs|tsx?|mjs)$/.test(file));
  const words = new Set(code.flatMap(({ text }) => text.match(/\w+/g) ?? []));
  const tree = treeOf(files);
  const absent = ABOUT_THE_TREE.flatMap((file) =>
    [...prose(text.get(file) ?? '').matchAll(/`([^`\n]+)`/g)]
      .map(([, token = '']) => token)
      .filter((token) => !exists(token, tree, words))
      .map((token) => `${file}: nothing is called \`${token}\``),
  );
  return [...links, ...named, ...absent];
}

/**
 * @param {string} repo
 * @param {string} folder
 * @returns {string[]} relative to the repository
 */
export function walk(repo, folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.test(entry.name) ? [] : walk(repo, path);
    return entry.isFile() ? [relative(repo, path)] : [];
  });
}

/**
 * A document without blocks of code; lines keep their numbers.
 * @param {string} text
 */
export function prose(text) {
  const lines = (/** @type {string} */ code) => code.replace(/[^\n]/g, '');
  return text.replace(/^(`{3,})[\s\S]*?^\1/gm, lines).replace(/^ {4}.*$/gm, '');
}

/**
 * Targets of links within the repository.
 * @param {string} text
 */
export function linksOf(text) {
  return [...prose(text).matchAll(/\]\(<?([^)\s>]+)>?\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}

/**
 * The anchors that GitHub gives to headings.
 * @param {string} text
 */
export function anchorsOf(text) {
  const seen = new Map();
  return new Set(
    [...prose(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
      const slug = heading
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_ -]/gu, '')
        .trim()
        .replaceAll(' ', '-');
      const count = seen.get(slug) ?? 0;
      seen.set(slug, count + 1);
      return count === 0 ? slug : `${slug}-${count}`;
    }),
  );
}

/**
 * Every end of every path, with and without `src`, folders too: `spec.rs`, `choices/spec.rs`, `schedfigure/choices`.
 * @param {readonly string[]} files
 */
function treeOf(files) {
  const ends = new Set();
  for (const file of files) {
    for (const path of [file, file.replace(/\/src\//, '/')]) {
      const steps = path.split('/');
      for (let end = steps.length; end > 0; end--) {
        for (let begin = 0; begin < end; begin++) ends.add(steps.slice(begin, end).join('/'));
      }
    }
  }
  return ends;
}

/**
 * Whether a token of a document is in the tree; true for one that is neither a path nor a name.
 * @param {string} token
 * @param {Set<string>} tree
 * @param {Set<string>} words
 * @returns {boolean}
 */
function exists(token, tree, words) {
  const alternatives = /^(.*)\{([^{}]+)\}(.*)$/.exec(token);
  if (alternatives) {
    const [, before, list = '', after] = alternatives;
    return list.split(/, ?/).every((one) => exists(`${before}${one}${after}`, tree, words));
  }
  const path = token.replace(/\/$/, '');
  if (/^[\w.@-]+(\/[\w.@-]+)+$/.test(path) || (/^[\w.-]+$/.test(path) && LANGUAGE.test(path))) {
    return /NAME/.test(path) || tree.has(path);
  }
  if (/^[A-Za-z_]\w*(::\w+)+!?$/.test(token))
    return token
      .replace('!', '')
      .split('::')
      .every((word) => words.has(word));
  if (/^\w*([a-z][A-Z]|[A-Z]+_[A-Z]|[a-z]_[a-z])\w*(\(\))?$/.test(token)) return words.has(token.replace('()', ''));
  return true;
}
