import { expect, test } from 'vitest';
import { cssPx, ns } from '../../../base/units';
import type { EngineClient } from '../../../engine/client';
import { createStore, type Store } from '../../../state/store';
import { layoutLanes } from '../../frame/laneLayout';
import type { TrackPlace } from '../../input/trackPlace';
import { Bands, isOnBand } from './irqPick';

test('the bands are at the upper edge of every lane', () => {
  const layout = { ...layoutLanes(4, cssPx(80), 1, 0), top: cssPx(-10), pitch: cssPx(20) };
  const hits = [-10, 0, 9, 10, 13, 14, 29.5, 31].map((y) => isOnBand(layout, 3, y));
  expect(hits).toEqual([true, false, false, true, true, true, false, true]);
  expect(isOnBand(layout, 0, 10)).toBe(false);
  expect(isOnBand({ ...layout, pitch: cssPx(6) }, 3, 2)).toBe(false);
});

const layout = layoutLanes(1, cssPx(80), 1, 0);

/** Clicks on a band; the answer comes after `meanwhile`. Returns the current event then. */
async function clicked(meanwhile: (store: Store, bands: Bands, place: TrackPlace) => unknown) {
  const longest = { cpu: 0, start_ns: ns(500), run: null };
  let answer = (): void => {};
  const query = () =>
    new Promise((resolve) => {
      answer = () => resolve({ kind: 'answer', answer: { type: 'stolen', stolen: { longest } } });
    });
  const bands = new Bands({ query } as unknown as EngineClient, 'cpu');
  bands.height = 3;
  const store = createStore();
  store.setLimits({ span: ns(1000), afterSleep: null, lanes: 1 });
  const place: TrackPlace = {
    track: { trace: 0, kind: 'cpu', key: 0 },
    around: { start: ns(499), end: ns(501) },
  };
  const found = bands.click(place, layout, 0, store);
  void meanwhile(store, bands, place);
  answer();
  return [(await found) === 'superseded', store.getState().event];
}

test('a click on a band goes to its handler, unless the user went elsewhere before the answer', async () => {
  const selection = { cpu: 0, start: ns(7) };
  const event = { cpu: 0, at: ns(9) };
  expect(await clicked(() => {})).toEqual([false, { cpu: 0, at: 500 }]);
  expect(await clicked((store) => store.dispatch({ type: 'select', selection }))).toEqual([true, null]);
  expect(await clicked((store) => store.dispatch({ type: 'event', event }))).toEqual([true, event]);
  // On the lane, below the bands: what is there, if anything, is selected by somebody else.
  expect(await clicked((store, bands, place) => bands.click(place, layout, 40, store))).toEqual([true, null]);
});
