/** Two ways to read a file in a worker: small pieces at once for metadata, and a stream of large pieces for pages. */

/** Bytes for each read of a stream: larger pieces gain nothing in Chromium. */
const STREAM_BUFFER = 1 << 20;

/** Bytes of a cached block. A read has a fixed cost of a message to another process; metadata is read in tiny pieces. */
const BLOCK = 1 << 16;

/** Blocks that are kept. */
const BLOCKS = 32;

/** `FileReaderSync` exists in workers only and is not among the types of the page. */
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

const readNow = (blob: Blob): Uint8Array<ArrayBuffer> => new Uint8Array(new FileReaderSync().readAsArrayBuffer(blob));

/** Random access without waiting: what the wasm side reads a file's metadata through. */
export class BlockReader {
  readonly size: number;
  readonly #blob: Blob;
  readonly #read: (blob: Blob) => Uint8Array<ArrayBuffer>;
  /** In the order of use, the last used last. */
  readonly #blocks = new Map<number, Uint8Array<ArrayBuffer>>();

  constructor(blob: Blob, read: (blob: Blob) => Uint8Array<ArrayBuffer> = readNow) {
    this.size = blob.size;
    this.#blob = blob;
    this.#read = read;
  }

  /** Up to `length` bytes from `offset`; fewer at the end of the file. Throws a `DOMException` when reading fails. */
  readAt(offset: number, length: number): Uint8Array<ArrayBuffer> {
    const end = Math.min(offset + length, this.size);
    if (end <= offset) return new Uint8Array(0);
    const first = Math.floor(offset / BLOCK);
    const last = Math.floor((end - 1) / BLOCK);
    if (first === last) return this.#block(first).subarray(offset - first * BLOCK, end - first * BLOCK);
    return this.#read(this.#blob.slice(offset, end));
  }

  #block(index: number): Uint8Array<ArrayBuffer> {
    const bytes = this.#blocks.get(index) ?? this.#read(this.#blob.slice(index * BLOCK, (index + 1) * BLOCK));
    this.#blocks.delete(index);
    this.#blocks.set(index, bytes);
    for (const oldest of this.#blocks.keys()) {
      if (this.#blocks.size <= BLOCKS) break;
      this.#blocks.delete(oldest);
    }
    return bytes;
  }
}

/**
 * Readers in use. A stream of a blob is kept alive by nobody in Chromium: waiting for it, it and what waits could be
 * collected as garbage, and the read would never end.
 */
const reading = new Set<ReadableStreamBYOBReader | ReadableStreamDefaultReader>();

/**
 * Hands all bytes of `blob` to `onBytes`, in order. A piece is only valid during the call: its buffer is used again.
 * Reading into a buffer of ours ("bring your own buffer") is by far the fastest way in Chromium; other browsers may
 * only have the plain stream.
 */
export async function streamBlob(blob: Blob, onBytes: (bytes: Uint8Array<ArrayBuffer>) => void): Promise<void> {
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
    // Without `min` a read returns what happens to be there, often little. Chromium waits for ever for more than there is.
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
