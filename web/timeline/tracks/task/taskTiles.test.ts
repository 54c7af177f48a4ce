import { describe, expect, it } from 'vitest';
import { devPx, ns } from '../../../base/units';
import type { EngineClient } from '../../../engine/client';
import type { TaskCellsQuery } from '../../../engine/protocolTasks';
import type { SceneModel } from '../../frame/sceneModel';
import { Timescale } from '../../frame/timescale';
import { BLOCK, TaskTiles } from './taskTiles';

const window = { start: ns(0), end: ns(512) };
const model = {
  trace: { stage: 'opened', span: ns(512) },
  target: window,
  everything: window,
} as unknown as SceneModel;
const scale = new Timescale(window, devPx(512), 1);
const tasks = Array.from({ length: 3 * BLOCK }, (_, i) => i);

interface Asked {
  readonly query: TaskCellsQuery;
  /** `missing`: so many tasks are still being worked out. */
  readonly answer: (missing?: number) => Promise<void>;
}

function setUp() {
  const asked: Asked[] = [];
  const engine = {
    query: (_key: string, query: TaskCellsQuery) =>
      new Promise((resolve) => {
        const answer = async (missing = 0): Promise<void> => {
          const cells = new Uint32Array(2 * query.buckets * query.tasks.length).fill(query.tasks[0] ?? 0);
          resolve({
            kind: 'answer',
            answer: { type: 'taskCells', query, cells, missing: query.tasks.slice(0, missing) },
          });
          await new Promise((done) => setTimeout(done));
        };
        asked.push({ query, answer });
      }),
  } as unknown as EngineClient;
  return { asked, tiles: new TaskTiles(engine, () => {}) };
}

describe('cells of tasks', () => {
  it('are asked for the blocks of lanes that are in sight', () => {
    const { asked, tiles } = setUp();
    tiles.request(model, tasks, BLOCK - 1, BLOCK + 1, scale);
    expect(asked.map(({ query }) => query.tasks)).toEqual(
      expect.arrayContaining([tasks.slice(0, BLOCK), tasks.slice(BLOCK, 2 * BLOCK)]),
    );
    expect(asked.some(({ query }) => query.tasks.includes(2 * BLOCK))).toBe(false);
  });

  it('are asked for again until no task is missing, and drawn only then', async () => {
    const { asked, tiles } = setUp();
    tiles.request(model, tasks, 0, 1, scale);
    const first = asked.length;
    await asked[0]?.answer(2);
    expect(asked).toHaveLength(first + 1);
    expect(asked.at(-1)?.query).toEqual(asked[0]?.query);
    expect(tiles.parts(model, tasks, 0, scale)).toEqual([]);
    expect(tiles.idle).toBe(false);
    // All that is asked from here on is answered at once.
    for (let i = 1; i < asked.length; i++) await asked[i]?.answer();
    expect(tiles.idle).toBe(true);
    expect(tiles.parts(model, tasks, 0, scale)).toHaveLength(1);
  });

  it('of lanes that stay the same are kept when others come and go', async () => {
    const { asked, tiles } = setUp();
    tiles.request(model, tasks, 0, 1, scale);
    for (let i = 0; i < asked.length; i++) await asked[i]?.answer();
    const before = asked.length;
    tiles.request(model, tasks.slice(0, BLOCK + 5), 0, 1, scale);
    expect(asked).toHaveLength(before);
    tiles.request(model, tasks.slice(1), 0, 1, scale);
    expect(asked.length).toBeGreaterThan(before);
  });
});
