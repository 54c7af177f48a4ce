/**
 * A large file of a server that gives ranges: read where it is needed, and never as a whole. It is a plain object, so that
 * it reaches workers as a `File` does. What reads it (`remote.ts`) is loaded for such a file only.
 */

export interface RemoteFile {
  readonly kind: 'remote';
  readonly url: string;
  readonly name: string;
  /** What the server calls this state of the file. A range of another state is refused. */
  readonly etag: string;
  /** Where these bytes begin in the file. */
  readonly from: number;
  readonly size: number;
}

/** Smaller files are fetched as a whole: most of their bytes are read, and some of them twice. */
const SMALLEST = 32 << 20;

/** What a server's answer says about reading the file by ranges; null if it is to be fetched as a whole. */
export function remoteOf({ url, headers }: Pick<Response, 'url' | 'headers'>, name: string): RemoteFile | null {
  const etag = headers.get('etag');
  const size = Number(headers.get('content-length') ?? '');
  const hasRanges = headers.get('accept-ranges') === 'bytes' && headers.get('content-encoding') === null;
  // Weak tags do not promise that the bytes are the same.
  if (!hasRanges || etag === null || !etag.startsWith('"') || !Number.isSafeInteger(size) || size < SMALLEST)
    return null;
  return { kind: 'remote', url, name, etag, from: 0, size };
}

/** The part between two places of these bytes. */
export function sliceRemote(file: RemoteFile, start: number, end: number): RemoteFile {
  const last = Math.min(end, file.size);
  const first = Math.min(start, last);
  return { ...file, from: file.from + first, size: last - first };
}
