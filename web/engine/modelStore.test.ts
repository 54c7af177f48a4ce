import { beforeEach, expect, test } from 'vitest';
import type { ModelFile, ModelFolder } from '../base/modelFolder';
import { modelKey, restoreModel, storeModel } from './modelStore';

/** A folder in memory, with files that somebody else may have open. */
class MemoryFolder implements ModelFolder {
  readonly files = new Map<string, { bytes: Uint8Array<ArrayBuffer>; written: number }>();
  readonly taken = new Set<string>();
  space = 10_000;
  /** Bytes that a file takes before the disk is full. */
  disk = Number.POSITIVE_INFINITY;
  #clock = 0;

  async open(name: string, create: boolean): Promise<ModelFile | null> {
    if (this.taken.has(name) || !(create || this.files.has(name))) return null;
    this.taken.add(name);
    const file = this.files.get(name) ?? { bytes: new Uint8Array(), written: 0 };
    this.files.set(name, file);
    return {
      getSize: () => file.bytes.length,
      read: (bytes, { at }) => {
        const piece = file.bytes.subarray(at, at + bytes.length);
        bytes.set(piece);
        return piece.length;
      },
      write: (bytes, { at }) => {
        const size = Math.min(this.disk, at + bytes.length);
        const grown = new Uint8Array(Math.max(size, file.bytes.length));
        grown.set(file.bytes);
        grown.set(bytes.subarray(0, size - at), at);
        file.bytes = grown;
        file.written = ++this.#clock;
        return size - at;
      },
      truncate: (size) => {
        file.bytes = file.bytes.slice(0, size);
      },
      flush: () => {},
      close: () => this.taken.delete(name),
    };
  }

  async remove(name: string): Promise<void> {
    this.files.delete(name);
  }

  async list() {
    return [...this.files].map(([name, { bytes, written }]) => ({ name, size: bytes.length, written }));
  }

  async room(): Promise<number> {
    return this.space;
  }
}

/** A trace whose model is its key and some bytes. */
const traceOf = (size: number) => ({
  storeModel(sink: { write(bytes: Uint8Array): void }, key: string) {
    sink.write(new TextEncoder().encode(key));
    sink.write(new Uint8Array(size).fill(7));
  },
});

/** Reads it in two pieces, and returns how many bytes follow the key. */
const ofModel = ({ size, readAt }: { size: number; readAt(at: number, length: number): Uint8Array }, key: string) =>
  new TextDecoder().decode(readAt(0, key.length)) === key ? readAt(key.length, size).length : undefined;

const BIG = { name: 'a.dat', size: 5 << 20, lastModified: 1 };
const keyOf = (file = BIG, build = 'build', fingerprint = 'f') => {
  const key = modelKey(build, file, fingerprint);
  if (key === null) throw new Error('no key');
  return key;
};

let folder: MemoryFolder;
beforeEach(() => {
  folder = new MemoryFolder();
});

test('a model comes back for the same build and the same file only', async () => {
  const key = keyOf();
  expect(await restoreModel(folder, key, ofModel)).toBeNull();
  await storeModel(folder, key, traceOf(100), 100);
  expect(await restoreModel(folder, key, ofModel)).toBe(100);
  for (const other of [keyOf({ ...BIG, lastModified: 2 }), keyOf({ ...BIG, name: 'b.dat' }), keyOf(BIG, 'newer')]) {
    expect(await restoreModel(folder, other, ofModel)).toBeNull();
  }
  expect(folder.taken.size).toBe(0);
});

test('small files have no model', () => {
  expect(modelKey('build', { ...BIG, size: 1000 }, 'f')).toBeNull();
});

test('the models that were written longest ago make room, and a model that is too large is not stored', async () => {
  for (const fingerprint of ['a', 'b', 'c'])
    await storeModel(folder, keyOf(BIG, 'build', fingerprint), traceOf(3000), 3100);
  expect([...folder.files.keys()]).toHaveLength(3);
  await storeModel(folder, keyOf(BIG, 'build', 'd'), traceOf(3000), 3100);
  expect([...folder.files.keys()].map((name) => name[0])).toEqual(['b', 'c', 'd']);
  await storeModel(folder, keyOf(BIG, 'build', 'e'), traceOf(20_000), 20_000);
  expect([...folder.files.keys()].map((name) => name[0])).toEqual(['b', 'c', 'd']);
});

test('what a full disk did not take is removed, and a file that is open elsewhere is left alone', async () => {
  const key = keyOf();
  folder.disk = 50;
  await storeModel(folder, key, traceOf(100), 100);
  expect(folder.files.size).toBe(0);
  folder.disk = 1000;
  await storeModel(folder, key, traceOf(100), 100);
  folder.taken.add(key.name);
  await storeModel(folder, key, traceOf(200), 200);
  expect(await restoreModel(folder, key, ofModel)).toBeNull();
  folder.taken.clear();
  expect(await restoreModel(folder, key, ofModel)).toBe(100);
});

test('what a reader throws is no model', async () => {
  const key = keyOf();
  await storeModel(folder, key, traceOf(100), 100);
  const damaged = () => {
    throw new Error('damaged');
  };
  expect(await restoreModel(folder, key, damaged)).toBeNull();
  expect(folder.taken.size).toBe(0);
});
