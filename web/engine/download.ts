/**
 * A trace over HTTP: fetched whole into a `File`, which the browser may keep on disk, and then read like a dropped one. A large
 * file of a server that gives ranges is read there instead (`remote.ts`).
 */
import { formatCount, plural } from '../base/format';
import { EngineFailure } from './errors';
import type { EngineError } from './protocol';
import { type RemoteFile, remoteOf } from './remoteFile';

/** How many bytes are collected in memory before they go to the browser's blob storage. */
const PART = 8 << 20;

/** `total` is 0 while it is unknown. */
export type OnDownloaded = (bytes: number, total: number) => void;

/** Fetches `url`. Throws an `EngineFailure` with what the network or the server answered. */
export async function download(url: string, onProgress: OnDownloaded): Promise<File | RemoteFile> {
  const response = await request(url);
  const remote = remoteOf(response, nameOf(url));
  if (remote !== null) {
    await response.body?.cancel();
    return remote;
  }
  const total = expectedBytes(response.headers);
  onProgress(0, total);
  const parts: Blob[] = [];
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  let collected = 0;
  let received = 0;
  try {
    for await (const piece of bodyOf(response)) {
      pieces.push(piece);
      collected += piece.byteLength;
      received += piece.byteLength;
      if (PART <= collected) {
        parts.push(new Blob(pieces));
        pieces = [];
        collected = 0;
      }
      onProgress(received, total);
    }
  } catch {
    throw failure(url, `the transfer broke off after ${plural(received, 'byte')}`, 'Try again.');
  }
  if (total !== 0 && received < total) {
    throw failure(url, `the transfer ended after ${formatCount(received)} of ${plural(total, 'byte')}`, 'Try again.');
  }
  return new File([...parts, ...pieces], nameOf(url));
}

async function request(url: string): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url);
  } catch {
    // Browsers do not tell a page the cause: a wrong host, a server that is down and a missing permission look the
    // same.
    throw failure(
      url,
      'there is no answer from there',
      'Check the address. The server must be running, and must allow this page to read it (CORS).',
    );
  }
  if (!response.ok) {
    const status = `${response.status} ${response.statusText}`.trim();
    throw failure(url, `the server answered ${status}`, 'Check the address, or download the file and drop it here.');
  }
  return response;
}

async function* bodyOf(response: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    yield value;
  }
}

/** The header counts encoded bytes: for a compressed transfer it says nothing about what arrives here. */
function expectedBytes(headers: Headers): number {
  const encoding = headers.get('content-encoding') ?? 'identity';
  const length = Number(headers.get('content-length') ?? '');
  return encoding === 'identity' && Number.isSafeInteger(length) ? length : 0;
}

function nameOf(url: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname : url;
  const last = path.slice(path.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(last) || 'trace.dat';
  } catch {
    return last;
  }
}

const failure = (where: string, what: string, advice: string): EngineFailure =>
  new EngineFailure({ kind: 'io', what, where, advice } satisfies EngineError);
