import { expect, test } from 'vitest';
import { BidiGaps } from './bidiGaps.mjs';

const scheme = (/** @type {number} */ id, /** @type {string | null} */ asked) =>
  JSON.stringify({
    id,
    method: 'emulation.setMediaFeaturesOverride',
    params: { features: { 'prefers-color-scheme': asked }, userContexts: ['one'] },
  });
const unknown = (/** @type {number} */ id) =>
  JSON.stringify({ type: 'error', id, error: 'unknown command', message: 'emulation.setMediaFeaturesOverride' });

test('to be light needs no command, to be dark does', () => {
  const gaps = new BidiGaps();
  gaps.note(scheme(6, 'light'));
  gaps.note(scheme(7, 'dark'));
  gaps.note('{"id":8,"method":"session.status","params":{}}');
  expect(JSON.parse(gaps.fill(unknown(6)))).toEqual({ type: 'success', id: 6, result: {} });
  for (const id of [6, 7, 8]) expect(gaps.fill(unknown(id))).toBe(unknown(id));
});

test('a Firefox that knows the command answers itself', () => {
  const gaps = new BidiGaps();
  gaps.note(scheme(6, 'light'));
  const answer = '{"type":"success","id":6,"result":{"own":true}}';
  expect(gaps.fill(answer)).toBe(answer);
});

test.each([
  [{ navigation: null }, 'blob:1'],
  [{ navigation: 'n' }, 'n'],
  [{ navigation: 'n', download: 'd' }, 'd'],
])('a download has an id: %o', (own, download) => {
  const gaps = new BidiGaps();
  for (const method of ['browsingContext.downloadWillBegin', 'browsingContext.downloadEnd']) {
    const event = { type: 'event', method, params: { ...own, url: 'blob:1' } };
    const filled = { ...event, params: { ...event.params, download } };
    expect(JSON.parse(gaps.fill(JSON.stringify(event)))).toEqual(filled);
  }
});
