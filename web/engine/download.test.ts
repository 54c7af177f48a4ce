import { afterEach, expect, test, vi } from 'vitest';
import { download } from './download';
import { EngineFailure } from './errors';
import type { EngineError } from './protocol';

const URL_ = 'https://example.org/traces/my%20trace.dat?x=1';

afterEach(() => vi.unstubAllGlobals());

const answer = (response: () => Response | Promise<Response>) => vi.stubGlobal('fetch', async () => response());

async function failureOf(url: string): Promise<EngineError> {
  try {
    await download(url, () => {});
  } catch (error) {
    if (error instanceof EngineFailure) return error.error;
    throw error;
  }
  throw new Error('the download did not fail');
}

test('the file has the bytes and the name; progress is reported', async () => {
  answer(() => new Response('hello', { headers: { 'content-length': '5' } }));
  const progress: [number, number][] = [];
  const file = await download(URL_, (bytes, total) => progress.push([bytes, total]));
  expect(file.name).toBe('my trace.dat');
  expect(await (file as File).text()).toBe('hello');
  expect(progress[0]).toEqual([0, 5]);
  expect(progress.at(-1)).toEqual([5, 5]);
});

test('the length of a compressed transfer is not the length of the file', async () => {
  answer(() => new Response('hello', { headers: { 'content-length': '3', 'content-encoding': 'gzip' } }));
  const totals: number[] = [];
  await download(URL_, (_, total) => totals.push(total));
  expect(new Set(totals)).toEqual(new Set([0]));
});

test('an HTTP error says its status and where', async () => {
  answer(() => new Response('no', { status: 404, statusText: 'Not Found' }));
  expect(await failureOf(URL_)).toMatchObject({ kind: 'io', what: 'the server answered 404 Not Found', where: URL_ });
});

test('no answer at all mentions what the browser does not tell', async () => {
  answer(() => Promise.reject(new TypeError('Failed to fetch')));
  const error = await failureOf(URL_);
  expect(error.what).toBe('there is no answer from there');
  expect(error.advice).toContain('CORS');
});

test('a transfer that breaks off is not taken for the whole file', async () => {
  answer(() => new Response('hello', { headers: { 'content-length': '9' } }));
  expect((await failureOf(URL_)).what).toBe('the transfer ended after 5 of 9 bytes');
  const broken = new ReadableStream({
    start(controller) {
      controller.error(new TypeError('connection reset'));
    },
  });
  answer(() => new Response(broken));
  expect((await failureOf(URL_)).what).toBe('the transfer broke off after 0 bytes');
});
