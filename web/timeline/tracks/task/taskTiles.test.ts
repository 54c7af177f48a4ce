import { describe, expect, it } from 'vitest';
import { devPx, ns } from '../../../base/units';
import type { EngineClient } from '../../../engine/client';
import type { TileQuery } from '../../../engine/protocolTracks';
import type { SceneModel } from '../../frame/sceneModel';
import { Timescale } from '../../frame/timescale';
import { BLOCK, TaskTiles } from './taskTiles';

const window = { start: ns(0), end: ns(512) };
const model = {
  trace: { stage: 'opened', span: ns(512) },
  target: window,
  everything: window,
} as unknown as SceneModel;
const width = devPx(512);
const scale = new Timescale(window, width, 1);
const tasks = Array.from({ length: 3 * BLOCK }, (_, i) => i);

interface Asked {
  readonly query: TileQuery;
  readonly answer: () => Promise<void>;
}

function setUp() {
  const asked: Asked[] = [];
  const engine = {
    traceRevision: 0,
    query: (_key: string, query: TileQuery) =>
      new Promise((resolve) => {
        const answer = async (): Promise<void> => {
          const values = new Uint32Array(2 * query.buckets * query.keys.length).fill(query.keys[0] ?? 0);
          resolve({ kind: 'answer', answer: { type: 'tile', kind: 'task', values, most: 0 } });
          await new Promise((done) => setTimeout(done));
        };
        asked.push({ query, answer });
      }),
  } as unknown as EngineClient;
  return { asked, tiles: new TaskTiles('task', engine, () => {}) };
}

describe('cells of tasks', () => {
  it('are asked for the blocks of lanes that are in sight', () => {
    const { asked, tiles } = setUp();
    tiles.request(model, tasks, BLOCK - 1, BLOCK + 1, width);
    expect(asked.map(({ query }) => query.keys)).toEqual(
      expect.arrayContaining([tasks.slice(0, BLOCK), tasks.slice(BLOCK, 2 * BLOCK)]),
    );
    expect(asked.some(({ query }) => query.keys.includes(2 * BLOCK))).toBe(false);
  });

  it('are drawn once they are there', async () => {
    const { asked, tiles } = setUp();
    tiles.request(model, tasks, 0, 1, width);
    expect(tiles.parts(model, tasks, 0, scale)).toEqual([]);
    expect(tiles.idle).toBe(false);
    for (let i = 0; i < asked.length; i++) await asked[i]?.answer();
    expect(tiles.idle).toBe(true);
    expect(tiles.parts(model, tasks, 0, scale)).toHaveLength(1);
  });

  it('of lanes that stay the same are kept when others come and go', async () => {
    const { asked, tiles } = setUp();
    tiles.request(model, tasks, 0, 1, width);
    for (let i = 0; i < asked.length; i++) await asked[i]?.answer();
    const before = asked.length;
    tiles.request(model, tasks.slice(0, BLOCK + 5), 0, 1, width);
    expect(asked).toHaveLength(before);
    tiles.request(model, tasks.slice(1), 0, 1, width);
    expect(asked.length).toBeGreaterThan(before);
  });
});
