import { expect, test } from 'vitest';
import { bandRows } from './bandPlace';

test('bands leave most of a lane to what runs', () => {
  for (const ratio of [1, 2])
    for (let height = 1; height < 200; height++) {
      const both = 2 * bandRows(height, ratio);
      expect(both).toBeLessThanOrEqual(0.4 * height);
      expect(both > 0).toBe(height >= 6);
    }
});
