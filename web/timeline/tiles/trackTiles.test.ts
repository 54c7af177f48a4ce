import { expect, test } from 'vitest';
import { devPx, ns } from '../../base/units';
import type { EngineClient, Outcome } from '../../engine/client';
import type { TileAnswer, TileQuery } from '../../engine/protocolTracks';
import type { SceneModel } from '../frame/sceneModel';
import { Timescale } from '../frame/timescale';
import type { TraceInfo } from '../frame/traceInfo';
import { earlyOf, type TilesSpec, TrackTiles } from './trackTiles';

const SPAN = ns(1000);
const ALL = { start: ns(0), end: SPAN };
const WIDTH = devPx(1000);
const SCALE = new Timescale(ALL, WIDTH, 1);

const EARLY = earlyOf('comm');

const SPEC: TilesSpec<'cpu', string> = {
  kind: 'cpu',
  early: true,
  room: () => ({ kept: 8, asked: 4 }),
  read: ({ values }) => `${values[0]}`,
};

/** An engine whose answers come when the test says so. */
function setUp(spec = SPEC) {
  const asked: { readonly variant: unknown; readonly settle: (value: number) => Promise<void> }[] = [];
  const engine = {
    isOpen: false,
    query: (_: string, { variant }: TileQuery<'cpu'>) =>
      new Promise<Outcome<TileAnswer>>((resolve) => {
        const settle = async (value: number) => {
          const answer = { type: 'tile', values: Uint32Array.of(value), most: 0 } as unknown as TileAnswer;
          resolve({ kind: 'answer', answer });
          await new Promise((done) => setTimeout(done));
        };
        asked.push({ variant, settle });
      }),
  };
  const tiles = new TrackTiles(engine as unknown as EngineClient, spec, () => {});
  const model = (stage: TraceInfo['stage'], revision: number) => {
    const trace = { session: 1, stage, span: SPAN } as TraceInfo;
    return { trace, target: ALL, everything: ALL, revision } as SceneModel;
  };
  const request = (stage: TraceInfo['stage'], revision: number, variant: 'comm' | 'task' = 'comm') =>
    tiles.request(model(stage, revision), [0], WIDTH, variant);
  /** Variant and data of what covers the screen. */
  const covered = (stage: TraceInfo['stage'], revision: number) =>
    tiles
      .cover(model(stage, revision), SCALE, ['comm', 'task'])
      .flatMap((stretch) => stretch.tiles.map(({ variant, data }) => [variant, data]));
  return { engine, asked, request, covered };
}

test('what came while a trace loaded is told from what comes later, and stands in for it', async () => {
  const { asked, request, covered } = setUp();
  request('preview', 1);
  expect(asked.map(({ variant }) => variant)).toEqual(['comm']);
  await asked[0]?.settle(7);
  expect(covered('preview', 1)).toEqual([[EARLY, '7']]);

  request('opened', 2);
  expect(covered('opened', 2)).toEqual([[EARLY, '7']]);
  await asked[1]?.settle(8);
  expect(covered('opened', 2)).toEqual([['comm', '8']]);
});

test('what was asked while a trace loaded and answered from the open one is asked again', async () => {
  const { engine, asked, request, covered } = setUp();
  request('preview', 1);
  engine.isOpen = true;
  await asked[0]?.settle(7);
  expect(covered('preview', 1)).toEqual([]);
  request('opened', 2);
  await asked[1]?.settle(8);
  expect(covered('opened', 2)).toEqual([['comm', '8']]);
});

test('of another kind of key all is asked anew while a trace loads, too, and what was there stands in', async () => {
  const { asked, request, covered } = setUp();
  request('preview', 1, 'task');
  await asked[0]?.settle(7);
  request('preview', 1);
  expect(asked.map(({ variant }) => variant)).toEqual(['task', 'comm']);
  expect(covered('preview', 1)).toEqual([[earlyOf('task'), '7']]);
  await asked[1]?.settle(8);
  expect(covered('preview', 1)).toEqual([[EARLY, '8']]);
});

test('with each preview what is in sight is asked again, and nothing beside it', async () => {
  const { asked, request, covered } = setUp();
  request('preview', 1);
  await asked[0]?.settle(1);
  request('preview', 2);
  expect(asked).toHaveLength(2);
  await asked[1]?.settle(2);
  expect(covered('preview', 2)).toEqual([[EARLY, '2']]);
  request('preview', 2);
  expect(asked).toHaveLength(2);
  request('opened', 3);
  await asked[2]?.settle(3);
  // The next coarser level.
  expect(asked).toHaveLength(4);
});

test('what cannot be previewed waits until the trace is open', () => {
  const { asked, request } = setUp({ ...SPEC, early: false });
  request('metadata', 1);
  request('preview', 2);
  expect(asked).toEqual([]);
  request('opened', 3);
  expect(asked.length).toBeGreaterThan(0);
});
