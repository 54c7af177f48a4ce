/**
 * Models of traces that were opened before, in the storage that the browser keeps for this page alone: opening such a trace
 * again is reading its model. Whatever fails here is as if nothing were stored.
 */
import type { ModelFolder } from '../base/modelFolder';

/** The part of the wasm side's `LoadedTrace` that is used; a test stands in for it. */
export interface StorableTrace {
  storeModel(sink: { write(bytes: Uint8Array): void }, key: string): void;
}

/** Random access to a stored model. */
export interface ModelBytes {
  readonly size: number;
  readAt(offset: number, length: number): Uint8Array;
}

/** Reads a model; `undefined`: it has another key, or is damaged. */
export type OfModel<T> = (file: ModelBytes, key: string) => T | undefined;

/** Smaller files are read as quickly as their models. */
const SMALLEST = 4 << 20;
/** Bytes of all models together, at most. */
const MOST = 2 ** 31;

/** What a model belongs to: a build of the engine and a file. */
export interface ModelKey {
  readonly name: string;
  readonly text: string;
}

/**
 * The key of a file's model; null for a file that is not worth one. `build` is different for each build of the engine, `fingerprint`
 * (`Metadata`) for each file.
 */
export function modelKey(
  build: string,
  { name, size, lastModified }: Pick<File, 'name' | 'size' | 'lastModified'>,
  fingerprint: string,
): ModelKey | null {
  if (size < SMALLEST) return null;
  return { name: `${fingerprint}-${size}`, text: `${build} ${fingerprint} ${size} ${lastModified} ${name}` };
}

/** The trace as it is stored; null if it is not. */
export async function restoreModel<T>(
  folder: ModelFolder,
  { name, text }: ModelKey,
  ofModel: OfModel<T>,
): Promise<T | null> {
  const file = await folder.open(name, false);
  if (file === null) return null;
  try {
    const size = file.getSize();
    // One piece after the other: each is copied before the next is read.
    let piece = new Uint8Array();
    const readAt = (offset: number, length: number) => {
      if (piece.length < length) piece = new Uint8Array(length);
      const bytes = piece.subarray(0, length);
      return bytes.subarray(0, file.read(bytes, { at: offset }));
    };
    return ofModel({ size, readAt }, text) ?? null;
  } catch {
    return null;
  } finally {
    file.close();
  }
}

/** Stores a trace, if there is room; `size` says about how many bytes it takes. Those stored longest ago make room. */
export async function storeModel(
  folder: ModelFolder,
  { name, text }: ModelKey,
  trace: StorableTrace,
  size: number,
): Promise<void> {
  const room = Math.min(MOST, await folder.room());
  if (room < size) return;
  await makeRoom(folder, room - size, name);
  const file = await folder.open(name, true);
  if (file === null) return;
  let whole = false;
  try {
    let at = 0;
    // What was there is no model until all of it is written: its checksum comes last.
    file.truncate(0);
    const write = (bytes: Uint8Array) => {
      // A full disk may take less than it is given.
      if (file.write(bytes, { at }) !== bytes.length) throw 'no room';
      at += bytes.length;
    };
    trace.storeModel({ write }, text);
    file.flush();
    whole = true;
  } catch {
    // The browser gives no more room: what was written goes.
  } finally {
    file.close();
  }
  if (!whole) await folder.remove(name);
}

async function makeRoom(folder: ModelFolder, most: number, except: string): Promise<void> {
  const models = (await folder.list()).filter(({ name }) => name !== except).sort((a, b) => a.written - b.written);
  let bytes = models.reduce((sum, { size }) => sum + size, 0);
  for (const { name, size } of models) {
    if (bytes <= most) return;
    await folder.remove(name);
    bytes -= size;
  }
}
