import { describe, expect, it } from 'vitest';
import { devPx, ns } from '../../../base/units';
import { CONSERVATION_WORDS } from '../../../engine/protocolTracks';
import { TILE_BUCKETS } from '../../../gl/cells';
import { Timescale } from '../../frame/timescale';
import { cover } from '../../tiles/cover';
import { TileCache } from '../../tiles/tileCache';
import { tileNs } from '../../tiles/tiles';
import { conservationColumns, emptyConservation, violationStrips } from './conservationColumns';

/** Columns of empty buckets but for two: a nanosecond behind another task in one, leaving idle throughout the other. */
function columnsOf(width: number, behindBucket: number, leavingBucket: number) {
  const data = new Uint32Array(CONSERVATION_WORDS * TILE_BUCKETS);
  data[CONSERVATION_WORDS * behindBucket] = 1;
  data[CONSERVATION_WORDS * leavingBucket + 1] = 65535;
  const cache = new TileCache<{ values: Uint32Array }>(4);
  cache.put('conservation', { level: 4, index: 0 }, 1, TILE_BUCKETS, { values: data });
  const scale = new Timescale({ start: ns(0), end: ns(tileNs(4)) }, devPx(width), 1);
  const columns = emptyConservation(width);
  conservationColumns(cover(cache, ['conservation'], scale, ns(tileNs(4))), scale, columns);
  return columns;
}

describe('work conservation in columns', () => {
  it('never loses a nanosecond, however far out', () => {
    for (const width of [256, 700, 1000]) {
      const columns = columnsOf(width, 777, 100);
      const [strip, ...others] = violationStrips(columns);
      expect(others).toEqual([]);
      expect(strip).toMatchObject({ x: Math.floor((777 * width) / TILE_BUCKETS), share: 0.125 });
    }
  });

  it('does not take a CPU that leaves idle for a violation', () => {
    const columns = columnsOf(TILE_BUCKETS, 777, 100);
    expect([columns.behind[100], columns.leavingIdle[100], columns.leavingIdle[777]]).toEqual([0, 65535, 0]);
  });

  it('is painted in strips of equal strength, the weakest one included', () => {
    const columns = emptyConservation(7);
    columns.behind.set([0, 65535, 65535, 1, 0, 32768, 0]);
    columns.leavingIdle.fill(65535);
    expect(violationStrips(columns)).toEqual([
      { x: 1, width: 2, share: 1 },
      { x: 3, width: 1, share: 0.125 },
      { x: 5, width: 1, share: 0.625 },
    ]);
  });
});
