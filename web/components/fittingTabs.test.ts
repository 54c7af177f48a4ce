import { expect, test } from 'vitest';
import { fittingTabs } from './fittingTabs';

const WIDTHS = [60, 50, 40, 70];

test('all tabs are shown if they have room, without a place for more', () => {
  expect(fittingTabs(WIDTHS, 0, 220, 60)).toEqual([0, 1, 2, 3]);
});

test('the first tabs that have room beside more are shown', () => {
  expect(fittingTabs(WIDTHS, 0, 219, 60)).toEqual([0, 1, 2]);
  expect(fittingTabs(WIDTHS, 0, 209, 60)).toEqual([0, 1]);
});

test('the active tab takes the place of others', () => {
  expect(fittingTabs(WIDTHS, 3, 219, 60)).toEqual([0, 3]);
  expect(fittingTabs(WIDTHS, 3, 10, 60)).toEqual([3]);
});
