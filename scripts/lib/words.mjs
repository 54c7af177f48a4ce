/** Words that CONTRIBUTING.md's style guide replaces by plainer ones, looked for in documents and in texts of the page. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { prose, walk } from './documentLinks.mjs';

/** Each with what to write instead. */
const INSTEAD = {
  told: 'reported, known',
  tells: 'reports, says',
  untold: 'unknown',
  stands: 'is',
  lies: 'is',
  'so many': 'a number',
  'as it was': 'before, unchanged',
  'of its own': 'separate',
  'of their own': 'separate',
  nobody: 'nothing, unused',
  somebody: 'another, a user',
  whoever: 'the caller',
  whom: 'which',
  'goes on': 'continues',
  'said once': 'defined in one place',
};
const PATTERN = new RegExp(`\\b(?:${Object.keys(INSTEAD).join('|').replaceAll(' ', '\\s+')})\\b`, 'gi');

/** Where the words themselves are shown. */
const EXCEPT = new Set(['CONTRIBUTING.md']);

/**
 * A line for each such word.
 * @param {string} repo
 * @returns {string[]}
 */
export function wordsToReplace(repo) {
  return walk(repo, repo).flatMap((file) => {
    if (EXCEPT.has(file)) return [];
    const read = file.endsWith('.md') ? documentText : isOfPage(file) ? pageText : undefined;
    if (!read) return [];
    return wordsIn(read(readFileSync(join(repo, file), 'utf8'))).map(
      ({ line, word }) => `${file}:${line}: "${word}": write for example ${INSTEAD[word]}`,
    );
  });
}

/**
 * @param {string} text
 * @returns {{line: number, word: keyof typeof INSTEAD}[]}
 */
export function wordsIn(text) {
  return [...text.matchAll(PATTERN)].map(({ 0: found, index }) => ({
    line: text.slice(0, index).split('\n').length,
    word: /** @type {keyof typeof INSTEAD} */ (found.toLowerCase().replace(/\s+/g, ' ')),
  }));
}

/** @param {string} file */
function isOfPage(file) {
  return /^web\/.*\.tsx?$/.test(file) && !/\.test\.tsx?$|^web\/engine\/protocol\/generated/.test(file);
}

/**
 * Prose of a document, line by line: without code, and without the targets of links.
 * @param {string} text
 */
export function documentText(text) {
  return prose(text)
    .replace(/`[^`\n]*`/g, '')
    .replace(/\]\([^)\s]*\)/g, ']');
}

/**
 * Strings and texts of elements, each on its line; neither comments nor what only the code reads (modules, classes, keys).
 * @param {string} source
 */
export function pageText(source) {
  const strings = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\\n]|\\.)*`/;
  const lines = (/** @type {string} */ text) => text.replace(/[^\n]/g, '');
  const code = source.replace(new RegExp(`${strings.source}|/\\*[\\s\\S]*?\\*/|//.*`, 'g'), (token) =>
    token.startsWith('/') ? lines(token) : token,
  );
  const texts = new RegExp(
    `(?<!from |import\\(|className=|key=)(?:${strings.source})|(?<=[}>])[^<>{}=;()?&|]+(?=[<{])`,
    'g',
  );
  let shown = '';
  let end = 0;
  for (const { 0: text, index } of code.matchAll(texts)) {
    shown += `${lines(code.slice(end, index))} ${text.replace(/\$\{[^}]*\}/g, '')} `;
    end = index + text.length;
  }
  return shown;
}
