import { expect, test } from 'vitest';
import { observable } from '../../base/observable';
import { ns } from '../../base/units';
import { createStore } from '../../state/store';
import { KEY_COMMANDS, openPalette, type PageUi } from '../keys';
import type { Page } from '../page';
import { actions, matching, recentFirst } from './entries';

function keysOf(press: (key: unknown) => void = () => {}) {
  const [store, theme] = [createStore(), observable<'light' | 'dark'>('light')];
  store.setLimits({ span: ns(100), afterSleep: ns(10), lanes: 4 });
  const page = { store, theme, machine: { topology: observable({}) } };
  const ui: Pick<PageUi, 'control'> = { control: () => () => {} };
  return actions(page as unknown as Page, ui as PageUi, press);
}

test.each([
  ...['dark theme', 'colour scheme', 'copy link', 'compare', 'recent', 'topology', 'counter', 'queues', 'skip sleep'],
  ...['new tasks', 'lens', 'order cpus', 'mark moves', 'task lanes', 'save', 'export', 'filter', 'help'],
])('what the page calls “%s” is found by these words', (words) => {
  expect(matching(keysOf(), words).length).toBeGreaterThan(0);
});

test('what is not on the page is not offered', () => {
  const page = { store: createStore(), theme: observable('dark'), machine: { topology: observable(null) } };
  const texts = actions(page as unknown as Page, { control: () => null } as unknown as PageUi, () => {});
  expect(texts.filter(({ text }) => /^(Compare|Order CPUs|Skip sleep)/.test(text))).toEqual([]);
  expect(matching(texts, 'light theme')).toHaveLength(1);
});

test('every key has an entry of its own, whatever the help says of two together', () => {
  const entries = keysOf();
  for (const { key = '', ctrl, shift, run } of KEY_COMMANDS) {
    // Of one command, another key: Ctrl+Y, Ctrl+S, Ctrl+F, Backspace.
    const isSecond = ctrl === true && !shift && ['y', 's', 'f'].includes(key);
    if (!run || run === openPalette || isSecond || key === 'Backspace') continue;
    const name = `${ctrl ? 'Ctrl+' : ''}${shift ? 'Shift+' : ''}${key.length === 1 ? key.toUpperCase() : key}`;
    const known: Readonly<Record<string, string>> = { Escape: 'Esc', '/': '/' };
    const found = entries.filter(({ keys }) => keys.includes(known[name] ?? name));
    expect([name, found.length]).toEqual([name, 1]);
  }
  const texts = entries.map(({ text }) => text);
  expect(new Set(texts).size).toBe(texts.length);
});

test('what cannot work now says what to do first', () => {
  const first = (text: string) => keysOf().find((entry) => entry.text === text)?.first;
  expect(first('Go back along the wakeup chain')).toBe('Select a run first');
  expect(first('Next event that passes the filter')).toBe('Type a filter first');
  expect(first('Zoom in')).toBeNull();
});

test('actions that were chosen last come first', () => {
  const texts = recentFirst(keysOf(), ['Zoom out', 'Next finding']).map(({ text }) => text);
  expect(texts.slice(0, 2)).toEqual(['Zoom out', 'Next finding']);
  expect(texts).toHaveLength(keysOf().length);
});

test('what has a way back has a way forth', () => {
  const texts = keysOf().map(({ text }) => text);
  for (const [back, forth] of [
    [/^Previous /, 'Next '],
    [/event before/, 'event after'],
    [/above$/, 'below'],
  ] as const) {
    const there = texts.filter((text) => back.test(text));
    expect(there.length).toBeGreaterThan(0);
    for (const text of there) expect(texts).toContain(text.replace(back, forth));
  }
});

test('keys of the time axis are pressed with Shift where they need it', () => {
  const pressed: unknown[] = [];
  keysOf((key) => pressed.push(key))
    .find(({ keys }) => keys.includes('Shift+↑'))
    ?.run();
  expect(pressed).toEqual([{ key: 'ArrowUp', shiftKey: true }]);
});
