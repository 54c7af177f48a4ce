import { expect, it } from 'vitest';
import { keyCommand } from './keys';

const press = (key: string, change: { shift?: boolean; ctrl?: boolean; alt?: boolean } = {}) =>
  keyCommand({ key, ctrl: false, alt: false, meta: false, shift: false, ...change });

it('moves along time', () => {
  expect(press('a')).toEqual({ type: 'pan', share: -0.125 });
  expect(press('ArrowRight')).toEqual({ type: 'pan', share: 0.125 });
  expect(press('D', { shift: true })).toEqual({ type: 'pan', share: 0.5 });
  expect(press('w')).toMatchObject({ type: 'zoom', factor: 1 / 1.4 });
  expect(press('-')).toMatchObject({ type: 'zoom', factor: 1.4 });
});

it('steps, focuses and fits', () => {
  expect([',', '.', 'f', '0', 'Enter'].map((key) => press(key)?.type)).toEqual([
    'step',
    'step',
    'focus',
    'fit',
    'zoomToRange',
  ]);
});

it('goes from lane to lane with Shift, and scrolls without', () => {
  expect(press('ArrowDown')).toEqual({ type: 'scroll', lanes: 1 });
  expect(press('ArrowDown', { shift: true })).toEqual({ type: 'lane', direction: 1 });
  expect(press('ArrowUp', { shift: true })).toEqual({ type: 'lane', direction: -1 });
});

it('leaves other keys, and those of the browser, alone', () => {
  expect([press('q'), press('f', { ctrl: true }), press('ArrowLeft', { alt: true })]).toEqual([null, null, null]);
});

it('leaves Shift+A to the marks', () => {
  expect(press('A', { shift: true })).toBeNull();
});
