import { expect, it } from 'vitest';
import { CELL_UNKNOWN, EMPTY_KEY } from '../base/cellWords';
import type { CellFrame } from './cells';
import { mergeColumns, packColour, packTexel, unpackTexel } from './columns';
import { LEVELS, PATTERNS } from './shaders';

it('packs texels without loss', () => {
  for (const pattern of Object.values(PATTERNS)) {
    for (const level of [0, 1, 42, LEVELS]) {
      const texel = { colour: [1, 0.2, 0] as const, level, pattern };
      expect(unpackTexel(packTexel(texel))).toEqual(texel);
    }
  }
  expect(packColour([1, 0, 0])).toBe(0xff0000ff);
});

it('merges all lanes on the screen, and leaves the rest to the background', () => {
  const frame: CellFrame = {
    lanes: { count: 2, top: 0, pitch: 4, gap: 0 },
    // Two pixels have one bucket each; the third is beyond the trace.
    segments: [{ x0: 0, x1: 2, bucket: 0, fraction: 0, bucketsPerPixel: 1, slots: [5], bucketEnd: 2, palette: 1 }],
    style: {
      background: [1, 1, 1],
      hatch: [0, 0, 0],
      other: [0, 0, 0],
      otherAmount: 0,
      hatchPhase: 0,
      pixelRatio: 1,
      grounds: null,
      byShare: false,
    },
    patterned: true,
  };
  // Lane 0: key 1 runs, then idle. Lane 1: unknown, then key 0 runs.
  const cells = Uint32Array.of(1, 65535, EMPTY_KEY, 0, EMPTY_KEY, CELL_UNKNOWN, 0, 65535);
  const palettes = [new Uint8Array(0), Uint8Array.of(255, 0, 0, 255, 0, 0, 255, 255)];
  const out = new Uint32Array(6);
  mergeColumns(frame, { tiles: new Map([[5, { buckets: 2, cells }]]), palettes }, 3, { first: 0, end: 2 }, out);
  const nothing = packTexel({ colour: [1, 1, 1], level: 0, pattern: PATTERNS.none });
  expect([...out]).toEqual([
    packTexel({ colour: [0, 0, 1], level: LEVELS, pattern: PATTERNS.none }),
    nothing,
    nothing,
    packTexel({ colour: [1, 1, 1], level: 0, pattern: PATTERNS.unknown }),
    packTexel({ colour: [1, 0, 0], level: LEVELS, pattern: PATTERNS.none }),
    nothing,
  ]);
});
