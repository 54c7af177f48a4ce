/** Checks that docs/page.md lists every key, gesture and URL field. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DETAILS_TABS } from '../state/details';
import { FIELDS } from '../state/url/fields';
import { GESTURES, KEY_COMMANDS } from './keys';

const sections = new Map(
  readFileSync(new URL('../../docs/page.md', import.meta.url), 'utf8')
    .split(/^## /m)
    .map((section): [string, string] => [section.split('\n', 1)[0] ?? '', section]),
);

/** The texts in backticks in the first column of a section's table. */
function listed(heading: string): string[] {
  const rows = (sections.get(heading) ?? '').matchAll(/^\| ([^|]*`[^|]*) \|/gm);
  return [...rows].flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text));
}

test('the page about the page has every key', () => {
  const keys = new Set(listed('Keys'));
  const names = KEY_COMMANDS.flatMap((command) => command.names);
  expect(names.length).toBeGreaterThan(40);
  // The page explains Shift alone beside the keys that it changes.
  expect(names.filter((name) => !keys.has(name) && name !== 'Shift')).toEqual([]);
});

test('the page about the page has every gesture', () => {
  const text = (sections.get('Gestures') ?? '').replaceAll('`', '').toLowerCase();
  expect(text).not.toBe('');
  expect(GESTURES.flatMap(({ names }) => names).filter((name) => !text.includes(name.toLowerCase()))).toEqual([]);
});

test('the page about the page has the fields of the URL, and no others', () => {
  const names = ['v', 'trace', 'fp', 'beside', ...FIELDS.map(({ name }) => name)];
  expect(listed('The URL').sort()).toEqual([...new Set(names)].sort());
});

test('the page about the page has every tab of the details', () => {
  const details = (sections.get('Panes') ?? '').split('### ').find((part) => part.startsWith('Details')) ?? '';
  const tabs = [...details.matchAll(/^\| \*(\w+)\* \|/gm)].map(([, name = '']) => name.toLowerCase());
  expect(tabs).toEqual([...DETAILS_TABS]);
  const [, field = ''] = /^\| `tab` \| (.*)/m.exec(sections.get('The URL') ?? '') ?? [];
  expect([...field.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual([...DETAILS_TABS]);
});
