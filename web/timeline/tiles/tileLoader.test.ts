import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../engine/client';
import { TileCache } from './tileCache';
import { TileLoader } from './tileLoader';
import { type TileId, tileName } from './tiles';

interface Asked {
  readonly slot: number;
  readonly name: string;
  readonly settle: (outcome: Outcome<string>) => Promise<void>;
}

function setUp() {
  const asked: Asked[] = [];
  const cache = new TileCache<string>(16);
  const loader = new TileLoader<string>(
    cache,
    (slot, tile) =>
      new Promise<Outcome<string>>((resolve) => {
        const settle = async (outcome: Outcome<string>): Promise<void> => {
          resolve(outcome);
          await new Promise((done) => setTimeout(done));
        };
        asked.push({ slot, name: tileName(tile), settle });
      }),
    () => {},
  );
  const want = (revision: number, ...indices: readonly number[]): void => {
    const tiles: TileId[] = indices.map((index) => ({ level: 0, index }));
    loader.want({ tiles, variant: 'task', revision, buckets: () => 1024 });
  };
  return { asked, cache, loader, want, names: () => asked.map(({ name }) => name) };
}

const answer = (answer: string): Outcome<string> => ({ kind: 'answer', answer });

describe('asking for tiles', () => {
  it('has few queries under way, the most urgent first', async () => {
    const { asked, loader, want, names } = setUp();
    want(1, 5, 4, 6);
    expect(names()).toEqual(['0/5', '0/4']);
    expect(loader.inFlight).toBe(2);
    await asked[0]?.settle(answer('five'));
    expect(names()).toEqual(['0/5', '0/4', '0/6']);
  });

  it('does not ask again for what is there or under way', async () => {
    const { asked, loader, want, names } = setUp();
    want(1, 5);
    want(1, 5);
    await asked[0]?.settle(answer('five'));
    want(1, 5);
    expect(names()).toEqual(['0/5']);
    expect(loader.idle).toBe(true);
  });

  it('supersedes what nobody wants any more, under the same key', async () => {
    const { asked, want, names, loader } = setUp();
    want(1, 1, 2);
    want(1, 7, 8);
    expect(names()).toEqual(['0/1', '0/2', '0/7', '0/8']);
    expect(asked.map(({ slot }) => slot)).toEqual([0, 1, 0, 1]);
    await asked[0]?.settle({ kind: 'superseded' });
    expect(loader.inFlight).toBe(2);
    await asked[2]?.settle(answer('seven'));
    await asked[3]?.settle(answer('eight'));
    expect(loader.idle).toBe(true);
  });

  it('asks again when earlier answers may no longer hold, and keeps them until then', async () => {
    const { asked, cache, want, names } = setUp();
    want(1, 5);
    await asked[0]?.settle(answer('old'));
    want(2, 5);
    expect(names()).toEqual(['0/5', '0/5']);
    expect(cache.get('task', { level: 0, index: 5 })?.data).toBe('old');
    await asked[1]?.settle(answer('new'));
    expect(cache.get('task', { level: 0, index: 5 })?.data).toBe('new');
    expect(cache.size).toBe(1);
  });

  it('does not ask again and again for what fails', async () => {
    const { asked, loader, want, names } = setUp();
    want(1, 5);
    const error = { kind: 'internal', what: '', where: null, advice: '' } as const;
    await asked[0]?.settle({ kind: 'failed', error });
    want(1, 5);
    expect(names()).toEqual(['0/5']);
    expect(loader.idle).toBe(true);
    want(2, 5);
    expect(names()).toEqual(['0/5', '0/5']);
  });

  it('forgets answers of another trace', async () => {
    const { asked, cache, loader, want } = setUp();
    want(1, 5);
    loader.reset();
    await asked[0]?.settle(answer('late'));
    expect(cache.size).toBe(0);
  });
});
