/**
 * Two ways to read a file in a worker: metadata in small pieces, synchronously, and pages as a stream of large ones.
 */

import { internalError, UNREADABLE } from './errors';
import { type RemoteFile, sliceRemote } from './remoteFile';

/** The bytes of a trace: a file of this machine, or one of a server that gives ranges. */
export type TraceBytes = Blob | RemoteFile;

const isRemote = (bytes: TraceBytes): bytes is RemoteFile => 'kind' in bytes;

/** Reads remote files; there is none before that is loaded. */
let remote: typeof import('./remote') | null = null;

/** Has to end before the bytes are read. */
export async function prepareBytes(bytes: TraceBytes): Promise<void> {
  if (isRemote(bytes)) remote ??= await import('./remote');
}

const remoteReader = () => {
  if (remote === null) throw internalError('a file of a server was read before its reader was loaded');
  return remote;
};

/** The part of the bytes between two places. */
export const sliceOf = (bytes: TraceBytes, start: number, end: number): TraceBytes =>
  isRemote(bytes) ? sliceRemote(bytes, start, end) : bytes.slice(start, end);

/** How many bytes each read of a stream asks for: larger pieces gain nothing in Chromium. */
const STREAM_BUFFER = 1 << 20;

/** The size of a `BlockReader`'s cache. */
export interface BlockCache {
  /** Bytes of a block. A read has the fixed cost of a message to another process. */
  readonly block: number;
  /** How many blocks are kept. */
  readonly blocks: number;
}

/** Metadata is read in tiny pieces that are near each other. */
const FOR_METADATA: BlockCache = { block: 1 << 16, blocks: 32 };

/** A part of a file: `[start, end)`. */
export interface FileRange {
  readonly start: number;
  readonly end: number;
}

/** How many bytes all of them have. */
export const bytesOf = (ranges: readonly FileRange[]): number =>
  ranges.reduce((sum, { start, end }) => sum + (end - start), 0);

/** `FileReaderSync` exists in workers only and is not among the types of the page. */
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

/**
 * Of the reader that also looks into the data of each CPU: where one CPU's data ends, the next one's begins, so a block is
 * wanted several times. In small files a few large blocks hold everything. Of large ones, a walk over all events has a block of each
 * CPU; a server's are smaller, since rows here and there need little of them.
 */
export const cacheForPlaces = (bytes: TraceBytes): BlockCache => {
  if (isRemote(bytes)) return { block: 1 << 16, blocks: 256 };
  return bytes.size < 1 << 27 ? { block: 1 << 20, blocks: 16 } : { block: 1 << 18, blocks: 160 };
};

/**
 * Of the reader that walks over the rows of all CPUs in the order of time: it has a block of each CPU, and some for rows here and there.
 * Large blocks keep the number of reads low; those of very many CPUs are smaller, so that all fit into some tens of megabytes.
 */
export const cacheForRows = (cpus: number): BlockCache => ({
  block: cpus <= 200 ? 1 << 18 : 1 << 17,
  blocks: Math.max(256, Math.ceil(cpus * 1.25)),
});

/** Reads bytes while the worker waits. */
type ReadNow = (first: TraceBytes, ...rest: readonly Blob[]) => Uint8Array<ArrayBuffer>;

const readNow: ReadNow = (first, ...rest) => {
  if (isRemote(first)) return remoteReader().readRemote(first);
  try {
    const blob = rest.length === 0 ? first : new Blob([first, ...rest]);
    return new Uint8Array(new FileReaderSync().readAsArrayBuffer(blob));
  } catch (cause) {
    // Browsers name the function that failed, not what is wrong with the file.
    throw new Error(UNREADABLE, { cause });
  }
};

/** Synchronous random access, through which the wasm side reads a file's metadata. */
export class BlockReader {
  readonly size: number;
  readonly #blob: TraceBytes;
  readonly #read: ReadNow;
  readonly #cache: BlockCache;
  /** The blocks in order of use, the most recently used last. */
  readonly #blocks = new Map<number, Uint8Array<ArrayBuffer>>();
  /** What `prefetch` read. */
  #parts: readonly (FileRange & { readonly bytes: Uint8Array<ArrayBuffer> })[] = [];

  constructor(blob: TraceBytes, cache: BlockCache = FOR_METADATA, read: ReadNow = readNow) {
    this.size = blob.size;
    this.#cache = cache;
    this.#blob = blob;
    this.#read = read;
  }

  /** Up to `length` bytes from `offset`; fewer at the end of the file. Throws when reading fails. */
  readAt(offset: number, length: number): Uint8Array<ArrayBuffer> {
    const end = Math.min(offset + length, this.size);
    if (end <= offset) return new Uint8Array(0);
    const part = this.#parts.find((one) => one.start <= offset && end <= one.end);
    if (part !== undefined) return part.bytes.subarray(offset - part.start, end - part.start);
    const { block } = this.#cache;
    const first = Math.floor(offset / block);
    const last = Math.floor((end - 1) / block);
    if (first === last) return this.#block(first).subarray(offset - first * block, end - first * block);
    // A read across blocks is put together from them; one longer than a block bypasses the cache, which would gain
    // nothing.
    if (length > block) return this.#read(sliceOf(this.#blob, offset, end));
    const bytes = new Uint8Array(end - offset);
    const head = this.#block(first).subarray(offset - first * block);
    bytes.set(head);
    bytes.set(this.#block(last).subarray(0, bytes.length - head.length), head.length);
    return bytes;
  }

  /**
   * Reads parts of the file that will be asked for, all at once, and keeps them instead of those before. Chromium takes one or
   * two milliseconds for each read that a worker waits for, whatever its length, and 0.3 for each part of one read. It is a hint:
   * what cannot be read so is left to `readAt`, which says why.
   */
  prefetch(ranges: readonly FileRange[]): void {
    this.#parts = [];
    // Of a file that fits into the blocks, they are faster.
    if (isRemote(this.#blob) || this.size <= this.#cache.block * this.#cache.blocks) return;
    const blob = this.#blob;
    const unknown = ranges.filter((range) => !this.#isKept(range));
    const wanted = joined(unknown, this.size);
    const [first, ...rest] = wanted.map(({ start, end }) => blob.slice(start, end));
    if (first === undefined) return;
    let bytes: Uint8Array<ArrayBuffer>;
    try {
      bytes = this.#read(first, ...rest);
    } catch {
      return;
    }
    // A file that became shorter: not all browsers call that an error.
    if (bytes.length !== bytesOf(wanted)) return;
    let at = 0;
    this.#parts = wanted.map(({ start, end }) => {
      const from = at;
      at += end - start;
      return { start, end, bytes: bytes.subarray(from, at) };
    });
  }

  /** Whether a range is in the blocks. */
  #isKept({ start, end }: FileRange): boolean {
    const { block } = this.#cache;
    return this.#blocks.has(Math.floor(start / block)) && this.#blocks.has(Math.floor((end - 1) / block));
  }

  #block(index: number): Uint8Array<ArrayBuffer> {
    const { block, blocks } = this.#cache;
    const bytes = this.#blocks.get(index) ?? this.#read(sliceOf(this.#blob, index * block, (index + 1) * block));
    this.#blocks.delete(index);
    this.#blocks.set(index, bytes);
    for (const oldest of this.#blocks.keys()) {
      if (this.#blocks.size <= blocks) break;
      this.#blocks.delete(oldest);
    }
    return bytes;
  }
}

/** The ranges in order, within the file; those that touch are one. */
function joined(ranges: readonly FileRange[], size: number): FileRange[] {
  const inOrder = ranges
    .map(({ start, end }) => ({ start: Math.max(start, 0), end: Math.min(end, size) }))
    .filter(({ start, end }) => start < end)
    .sort((a, b) => a.start - b.start);
  const all: FileRange[] = [];
  for (const range of inOrder) {
    const last = all.at(-1);
    if (last === undefined || last.end < range.start) all.push(range);
    else all[all.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
  }
  return all;
}

/**
 * Readers in use. Chromium does not keep a blob's stream alive: the stream and the code that waits for it could be
 * garbage-collected, and the read would never end.
 */
const reading = new Set<ReadableStreamBYOBReader | ReadableStreamDefaultReader>();

/**
 * Passes all bytes to `onBytes`, in order. A piece is only valid during the call, because its buffer is
 * reused. Reading into a buffer that the caller brings (BYOB) is by far the fastest way in Chromium; other browsers may
 * only have the plain stream.
 */
export async function streamBytes(blob: TraceBytes, onBytes: (bytes: Uint8Array<ArrayBuffer>) => void): Promise<void> {
  if (isRemote(blob)) return remoteReader().streamRemote(blob, onBytes);
  const stream = blob.stream();
  const byob = byobReader(stream);
  const reader = byob ?? stream.getReader();
  reading.add(reader);
  try {
    if (byob !== null) await readInto(byob, blob.size, onBytes);
    else await readPlain(reader as ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>, onBytes);
  } finally {
    reading.delete(reader);
  }
}

async function readPlain(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  onBytes: (bytes: Uint8Array<ArrayBuffer>) => void,
): Promise<void> {
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    onBytes(value);
  }
}

async function readInto(
  reader: ReadableStreamBYOBReader,
  size: number,
  onBytes: (bytes: Uint8Array<ArrayBuffer>) => void,
): Promise<void> {
  let buffer = new ArrayBuffer(STREAM_BUFFER);
  let left = size;
  while (left > 0) {
    // Without `min` a read returns what happens to be there, often little. Asked for more than is left, Chromium never
    // ends.
    const length = Math.min(left, STREAM_BUFFER);
    const { value } = await reader.read(new Uint8Array(buffer, 0, length), { min: length });
    if (value === undefined || value.byteLength === 0) return;
    onBytes(value);
    left -= value.byteLength;
    buffer = value.buffer;
  }
}

function byobReader(stream: ReadableStream<Uint8Array<ArrayBuffer>>): ReadableStreamBYOBReader | null {
  try {
    return stream.getReader({ mode: 'byob' });
  } catch {
    return null;
  }
}
