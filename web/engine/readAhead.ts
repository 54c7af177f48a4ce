/**
 * Parts of a file that a worker will need soon, read while it works: a read that a worker waits for costs milliseconds, and
 * longer reads beside each other come several times as fast.
 */
import { streamBytes, type TraceBytes } from './blobReader';

/** Where a part begins, and how long it is. */
export type FilePart = readonly [offset: number, length: number];

type Bytes = Uint8Array<ArrayBuffer>;

interface Part {
  readonly length: number;
  /** null: it could not be read. Who needs it tries it once more, and hears why. */
  bytes: Bytes | null | 'reading';
}

export class ReadAhead {
  readonly #read: (part: FilePart) => Promise<Bytes>;
  readonly #arrived: () => void;
  /** By offset. */
  readonly #parts = new Map<number, Part>();

  constructor(read: (part: FilePart) => Promise<Bytes>, arrived: () => void) {
    this.#read = read;
    this.#arrived = arrived;
  }

  /** Reads these parts, and forgets others. Returns whether there is nothing to wait for before the first one is taken. */
  want(parts: readonly FilePart[]): boolean {
    const wanted = new Map(parts);
    for (const [offset, { length }] of this.#parts) if (wanted.get(offset) !== length) this.#parts.delete(offset);
    for (const part of parts) if (!this.#parts.has(part[0])) this.#begin(part);
    const [first] = parts;
    return first === undefined || this.#parts.get(first[0])?.bytes !== 'reading';
  }

  /** A part's bytes, once; null if they are not there. */
  take(offset: number, length: number): Bytes | null {
    const part = this.#parts.get(offset);
    if (part?.length !== length || part.bytes === 'reading') return null;
    this.#parts.delete(offset);
    return part.bytes;
  }

  #begin(wanted: FilePart): void {
    const [offset, length] = wanted;
    const part: Part = { length, bytes: 'reading' };
    this.#parts.set(offset, part);
    const end = (bytes: Bytes | null) => {
      part.bytes = bytes;
      this.#arrived();
    };
    this.#read(wanted).then(end, () => end(null));
  }
}

/** All of these bytes. */
export async function readPart(bytes: TraceBytes): Promise<Bytes> {
  if (bytes instanceof Blob) return new Uint8Array(await bytes.arrayBuffer());
  const read = new Uint8Array(bytes.size);
  let length = 0;
  await streamBytes(bytes, (piece) => {
    read.set(piece, length);
    length += piece.length;
  });
  return read;
}
