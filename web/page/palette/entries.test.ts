import { expect, test } from 'vitest';
import { createStore } from '../../state/store';
import { KEY_COMMANDS, openPalette, type PageUi } from '../keys';
import type { Page } from '../page';
import { actions } from './entries';

const keysOf = (press: (key: unknown) => void = () => {}) =>
  actions({ store: createStore() } as Page, {} as PageUi, press);

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
