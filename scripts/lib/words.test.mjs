import { expect, test } from 'vitest';
import { documentText, pageText, wordsIn } from './words.mjs';

test('words are found whole, in any case, also across lines, each with its line', () => {
  expect(wordsIn('Nobody is\ntold of its\nown lies, but goldtold and untoldish are others')).toEqual([
    { line: 1, word: 'nobody' },
    { line: 2, word: 'told' },
    { line: 2, word: 'of its own' },
    { line: 3, word: 'lies' },
  ]);
});

test('code of documents and targets of links are left out, lines keep their numbers', () => {
  const text = '`told` [a](told.md)\n\n```\ntold\n```\n    told\ntold\n';
  expect(wordsIn(documentText(text))).toEqual([{ line: 7, word: 'told' }]);
});

test('of sources only what users read counts', () => {
  const source = `
import { Told } from './told';
/** Nobody. */
const told = 'it is told'; // untold
const label = \`\${told} lies here\`;
<p className="untold">
  A list of {many} that stands here
  <Told key="told" />
</p>;
`;
  expect(wordsIn(pageText(source))).toEqual([
    { line: 4, word: 'told' },
    { line: 5, word: 'lies' },
    { line: 7, word: 'stands' },
  ]);
});
