import { expect, test } from 'vitest';
import { BlockReader, cacheForRows, streamBytes, type TraceBytes } from './blobReader';

/** `length` bytes that differ from their neighbours. */
const bytesOf = (length: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, index) => (index * 31 + (index >> 8)) & 0xff);

/** A stand-in that slices an array: Node's blobs cannot be read synchronously. */
function arrayBlob(bytes: Uint8Array<ArrayBuffer>) {
  const reads: number[] = [];
  const blob = {
    size: bytes.length,
    slice: (start: number, end: number) => bytes.slice(start, end),
  } as unknown as Blob;
  const read = (...slices: TraceBytes[]) => {
    const found = Uint8Array.from(slices.flatMap((slice) => [...(slice as unknown as Uint8Array)]));
    reads.push(found.length);
    return found;
  };
  return { reader: new BlockReader(blob, { block: 1 << 16, blocks: 3 }, read), reads };
}

test.each([
  [0, 16],
  [65_530, 6],
  [65_530, 12],
  [100_000, 100_000],
  [199_990, 100],
  [200_000, 1],
  [300_000, 1],
  [5, 0],
])('reads at %i, %i bytes', (offset, length) => {
  const bytes = bytesOf(200_000);
  const { reader } = arrayBlob(bytes);
  expect(reader.size).toBe(200_000);
  expect([...reader.readAt(offset, length)]).toEqual([...bytes.slice(offset, offset + length)]);
});

test('parts that will be asked for are read at once', () => {
  const bytes = bytesOf(400_000);
  const { reader, reads } = arrayBlob(bytes);
  const same = (offset: number, length: number) =>
    expect([...reader.readAt(offset, length)]).toEqual([...bytes.slice(offset, offset + length)]);
  reader.prefetch([
    { start: 300_000, end: 300_100 },
    { start: 70_000, end: 71_000 },
    { start: 71_000, end: 72_000 },
    { start: 399_900, end: 500_000 },
    { start: 7, end: 7 },
  ]);
  expect(reads).toEqual([2000 + 100 + 100]);
  same(70_500, 1500);
  same(300_000, 100);
  same(399_950, 100);
  expect(reads).toHaveLength(1);
  // What reaches beyond a part comes from the file.
  same(71_900, 200);
  expect(reads).toHaveLength(2);
  reader.prefetch([]);
  same(300_000, 100);
  expect(reads).toHaveLength(3);
  // What is in a block is not read again.
  reader.prefetch([{ start: 300_000, end: 300_100 }]);
  expect(reads).toHaveLength(3);
});

test('of a file that fits into the blocks nothing is read ahead', () => {
  const { reader, reads } = arrayBlob(bytesOf(100_000));
  reader.prefetch([{ start: 0, end: 10 }]);
  expect(reads).toEqual([]);
});

test('parts that cannot be read are left to who needs them', () => {
  const bytes = bytesOf(400_000);
  let fails = true;
  const blob = { size: bytes.length, slice: (start: number, end: number) => bytes.slice(start, end) };
  const reader = new BlockReader(blob as unknown as Blob, { block: 1 << 16, blocks: 3 }, (slice) => {
    if (fails) throw new Error('gone');
    return slice as unknown as Uint8Array<ArrayBuffer>;
  });
  reader.prefetch([{ start: 0, end: 10 }]);
  expect(() => reader.readAt(0, 10)).toThrow('gone');
  fails = false;
  // Nor are bytes taken for others, where a file became shorter.
  reader.prefetch([
    { start: 300_000, end: 300_010 },
    { start: 399_995, end: 400_000 },
  ]);
  expect([...reader.readAt(399_995, 5)]).toEqual([...bytes.slice(399_995)]);
  expect([...reader.readAt(0, 10)]).toEqual([...bytes.slice(0, 10)]);
});

test('small reads of a block touch the file once', () => {
  const { reader, reads } = arrayBlob(bytesOf(200_000));
  for (let offset = 0; offset < 60_000; offset += 100) reader.readAt(offset, 8);
  expect(reads).toEqual([65_536]);
});

test('what lies across two blocks comes from both, and few blocks are kept', () => {
  const bytes = bytesOf(400_000);
  const { reader, reads } = arrayBlob(bytes);
  const across = () => expect([...reader.readAt(65_000, 1000)]).toEqual([...bytes.slice(65_000, 66_000)]);
  across();
  across();
  expect(reads).toEqual([65_536, 65_536]);
  for (const block of [2, 3, 4]) reader.readAt(block * 65_536, 1);
  across();
  expect(reads).toHaveLength(2 + 3 + 2);
});

test.each([1, 8, 128, 200, 201, 512, 4096])('a walk over the rows of %i CPUs reads each block once', (cpus) => {
  const { block, blocks } = cacheForRows(cpus);
  // Two small blocks of each CPU stand for all of its data: rows take turns.
  const size = 64;
  const bytes = bytesOf(cpus * 2 * size);
  let reads = 0;
  const blob = { size: bytes.length, slice: (start: number, end: number) => bytes.slice(start, end) };
  const reader = new BlockReader(blob as unknown as Blob, { block: size, blocks }, (slice) => {
    reads++;
    return slice as unknown as Uint8Array<ArrayBuffer>;
  });
  for (let at = 0; at < 2 * size; at += 16) {
    for (let cpu = 0; cpu < cpus; cpu++) reader.readAt(cpu * 2 * size + at, 16);
  }
  expect(reads).toBe(2 * cpus);
  expect(block * blocks).toBeLessThanOrEqual(cpus <= 512 ? 80 << 20 : 640 << 20);
});

test.each([0, 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3_500_000])('streams %i bytes in order', async (length) => {
  const bytes = bytesOf(length);
  const seen = new Uint8Array(length);
  let at = 0;
  await streamBytes(new Blob([bytes]), (piece) => {
    seen.set(piece, at);
    at += piece.length;
  });
  expect(at).toBe(length);
  expect(Buffer.compare(seen, bytes)).toBe(0);
});

test('streams without a byte stream too', async () => {
  const bytes = bytesOf(100_000);
  const plain = {
    stream: () =>
      new ReadableStream<Uint8Array<ArrayBuffer>>({
        start(controller) {
          controller.enqueue(bytes.slice(0, 70_000));
          controller.enqueue(bytes.slice(70_000));
          controller.close();
        },
      }),
  } as unknown as Blob;
  const lengths: number[] = [];
  await streamBytes(plain, (piece) => lengths.push(piece.length));
  expect(lengths).toEqual([70_000, 30_000]);
});
