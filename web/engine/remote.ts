/** Reads a file of a server, range by range. */
import { EngineFailure } from './errors';
import type { RemoteFile } from './remoteFile';

/** Reads bytes while the worker waits, as the wasm side needs it. */
export function readRemote(file: RemoteFile): Uint8Array<ArrayBuffer> {
  const request = new XMLHttpRequest();
  request.open('GET', file.url, false);
  request.responseType = 'arraybuffer';
  for (const [name, value] of headersOf(file)) request.setRequestHeader(name, value);
  try {
    request.send();
  } catch {
    throw unanswered(file);
  }
  check(file, request.status);
  const bytes = new Uint8Array(request.response as ArrayBuffer);
  if (bytes.length !== file.size) throw unanswered(file);
  return bytes;
}

/** Passes on all bytes in order. */
export async function streamRemote(file: RemoteFile, onBytes: (bytes: Uint8Array<ArrayBuffer>) => void): Promise<void> {
  if (file.size === 0) return;
  let left = file.size;
  try {
    const response = await fetch(file.url, { headers: headersOf(file) });
    check(file, response.status);
    const reader = response.body?.getReader();
    for (;;) {
      const read = await reader?.read();
      if (read?.value === undefined) break;
      left -= read.value.byteLength;
      onBytes(read.value);
    }
  } catch (error) {
    throw error instanceof TypeError ? unanswered(file) : error;
  }
  if (left !== 0) throw unanswered(file);
}

const headersOf = ({ from, size, etag }: RemoteFile): [string, string][] => [
  ['Range', `bytes=${from}-${from + size - 1}`],
  ['If-Range', etag],
];

/** A server that has another state of the file answers with all of it, or says that the range is beyond its end. */
function check(file: RemoteFile, status: number): void {
  if (status === 206) return;
  const changed = status === 200 || status === 416;
  throw failure(
    file,
    changed ? 'the file was changed on the server while it was read' : `the server answered ${status}`,
    'Open it again.',
  );
}

const unanswered = (file: RemoteFile): EngineFailure =>
  failure(file, 'the server does not answer any more', 'The server must be running as long as the trace is open.');

const failure = (file: RemoteFile, what: string, advice: string): EngineFailure =>
  new EngineFailure({ kind: 'io', what, where: file.url, advice });
