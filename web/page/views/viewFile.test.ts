import { expect, test } from 'vitest';
import { decodeFragment } from '../../state/url/codec';
import { parseViewFile, viewFileText } from './viewFile';

const isView = (fragment: string): boolean => decodeFragment(fragment).link !== null;

test('a view goes into a file and out again', () => {
  const fragment = '#v=1&trace=a%20b.dat&fp=00ff&mark=3@12.5:late%20%E2%80%9C';
  expect(parseViewFile(viewFileText('a b.dat', fragment), isView)).toEqual({ fragment });
});

test('other files are told apart', () => {
  const problems = [
    '{',
    '[]',
    '{"x":1}',
    '{"corelane":2,"view":"#v=1"}',
    '{"corelane":1}',
    '{"corelane":1,"view":"http://x"}',
    '{"corelane":1,"view":"#v=9&fp=00ff"}',
  ];
  expect(
    problems.map((text) => parseViewFile(text, isView)).map((found) => ('problem' in found ? found.problem : null)),
  ).toEqual([
    'it is no JSON',
    'it has no field “corelane”',
    'it has no field “corelane”',
    'it is of version 2; this page understands version 1',
    'its field “view” is no part of a URL from # on',
    'its field “view” is no part of a URL from # on',
    'its field “view” is no view that this page understands',
  ]);
});
