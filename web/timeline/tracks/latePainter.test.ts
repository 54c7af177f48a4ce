import { expect, test } from 'vitest';
import { devPx } from '../../base/units';
import type { EngineClient } from '../../engine/client';
import { hitsOf } from '../../facts/hits';
import type { SceneModel } from '../frame/sceneModel';
import { hitsLane } from './hits/hitsLane';
import { latePainter } from './latePainter';

test('a painter that comes when its pane is gone is not made', async () => {
  let [loaded, made] = [(): void => {}, 0];
  const late = latePainter({
    kind: 'hits',
    isWanted: () => true,
    load: async () => {
      await new Promise<void>((resolve) => {
        loaded = resolve;
      });
      return (client, arrived, ask) => {
        made++;
        return hitsLane(client, arrived, ask);
      };
    },
  });
  const ignored = (): void => {};
  const painter = late({} as EngineClient, ignored, ignored);
  painter.request({ trace: null } as SceneModel, devPx(100));
  painter.dispose?.();
  loaded();
  await expect.poll(() => painter.idle).toBe(true);
  expect(made).toBe(0);
});

test('a painter whose pane is gone listens no more', async () => {
  const engine = { session: 1, on: () => () => {}, query: () => new Promise(() => {}) } as unknown as EngineClient;
  const { state } = hitsOf(engine);
  let asked = 0;
  const make = latePainter({
    kind: 'hits',
    isWanted: () => true,
    load: async () => (client, arrived, ask) => hitsLane(client, arrived, ask),
  });
  const painter = make(
    engine,
    () => {},
    () => asked++,
  );
  painter.request({ trace: null } as SceneModel, devPx(100));
  await expect.poll(() => asked).toBe(1);
  const change = (): void => state.set({ ...state.get(), revision: state.get().revision + 1 });
  change();
  expect(asked).toBe(2);
  painter.dispose?.();
  change();
  expect(asked).toBe(2);
});
