import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { topologyBytes } from './topologyFile';

test('small files and packed ones are taken as they are; large ones are packed on the way', async () => {
  const small = new TextEncoder().encode('0,0,0,0\n');
  expect(await topologyBytes(new Blob([small]))).toEqual(small);
  const large = new Uint8Array(3_000_000).fill(7);
  const packed = await topologyBytes(new Blob([large]));
  expect(packed.length).toBeLessThan(20_000);
  expect(gunzipSync(packed).equals(large)).toBe(true);
  const random = Uint8Array.from({ length: 2_000_000 }, (_, index) => (index * index * 31) >> 7);
  const already = new Uint8Array(gzipSync(random, { level: 0 }));
  expect(Buffer.from(await topologyBytes(new Blob([already]))).equals(already)).toBe(true);
});
