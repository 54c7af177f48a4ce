import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { prepareBytes, sliceOf, streamBytes } from './blobReader';
import { download } from './download';
import { EngineFailure } from './errors';
import type { RemoteFile } from './remoteFile';

const SIZE = 40 << 20;
/** Of every place of the file that is served, its low byte. */
const byteAt = (place: number) => (place * 7 + (place >> 8)) & 0xff;
let server: Server | null = null;

afterEach(() => {
  server?.close();
  server = null;
});

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const started = createServer(answer);
  server = started;
  await new Promise<void>((listening) => started.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}/a%20b.dat`;
}

/** A server that gives ranges of a file in this state. */
const ranges = (etag: () => string) => (request: IncomingMessage, response: ServerResponse) => {
  const asked = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
  const headers = { etag: etag(), 'accept-ranges': 'bytes' };
  if (asked === null || request.headers['if-range'] !== etag()) {
    response.writeHead(200, { ...headers, 'content-length': SIZE }).flushHeaders();
    return;
  }
  const [first, last] = [Number(asked[1]), Number(asked[2])];
  response.writeHead(206, { ...headers, 'content-length': last + 1 - first });
  response.end(Uint8Array.from({ length: last + 1 - first }, (_, at) => byteAt(first + at)));
};

const failureOf = async (reading: Promise<unknown>) => {
  const error = await reading.catch((error: unknown) => error);
  return error instanceof EngineFailure ? error.error.what : `${error}`;
};

test('a large file of a server that gives ranges is read there, slice by slice', async () => {
  const url = await serve(ranges(() => '"1"'));
  const file = (await download(url, () => {})) as RemoteFile;
  expect(file).toMatchObject({ kind: 'remote', url, name: 'a b.dat', size: SIZE, from: 0 });
  await prepareBytes(file);
  const slice = sliceOf(sliceOf(file, 1000, SIZE), 500, 100_500);
  const found: number[] = [];
  await streamBytes(slice, (bytes) => found.push(...bytes));
  expect(slice.size).toBe(100_000);
  expect(found.length).toBe(100_000);
  expect(found.every((byte, at) => byte === byteAt(1500 + at))).toBe(true);
  expect(sliceOf(file, SIZE - 5, SIZE + 5).size).toBe(5);
  expect(sliceOf(file, SIZE + 5, SIZE + 9).size).toBe(0);
});

test('a file that changed, and a server that is gone, are told', async () => {
  let etag = '"1"';
  const url = await serve(ranges(() => etag));
  const slice = sliceOf((await download(url, () => {})) as RemoteFile, 0, 10);
  await prepareBytes(slice);
  etag = '"2"';
  expect(await failureOf(streamBytes(slice, () => {}))).toBe('the file was changed on the server while it was read');
  server?.closeAllConnections();
  await new Promise((closed) => server?.close(closed));
  expect(await failureOf(streamBytes(slice, () => {}))).toBe('the server does not answer any more');
});

test.each([
  ['says nothing of ranges', { etag: '"1"' }],
  ['has only a weak tag', { etag: 'W/"1"', 'accept-ranges': 'bytes' }],
  ['has no tag', { 'accept-ranges': 'bytes' }],
  ['has a small file', { etag: '"1"', 'accept-ranges': 'bytes', 'content-length': '5' }],
])('a server that %s sends the whole file', async (_, headers) => {
  const url = await serve((_, response) => response.writeHead(200, headers).end('hello'));
  const file = await download(url, () => {});
  expect(file).toBeInstanceOf(File);
  expect(file.size).toBe(5);
});
