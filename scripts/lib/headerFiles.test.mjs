import { expect, test } from 'vitest';
import { HEADER_FILES, headerFiles } from './headerFiles.mjs';

const POLICY = "default-src 'none'; connect-src 'self'";
const files = headerFiles(POLICY);

test('each file sends the policy, and forbids to frame the page', () => {
  for (const name of HEADER_FILES) {
    expect(files[name], name).toContain('Content-Security-Policy');
    expect(files[name], name).toContain(`${POLICY}; frame-ancestors 'none'`);
  }
});

test('what is JSON is valid JSON', () => {
  const parsed = HEADER_FILES.filter((name) => name.endsWith('.json')).map((name) => JSON.parse(files[name] ?? ''));
  expect(parsed).toHaveLength(3);
});

test('Netlify and Cloudflare Pages read rules of a path and indented headers', () => {
  const rules = (files._headers ?? '').trimEnd().split('\n');
  expect(rules.filter((line) => !line.startsWith('  '))).toEqual(['/*', '/assets/*']);
  expect(rules.filter((line) => line.startsWith('  ')).every((line) => /^ {2}[A-Za-z-]+: \S/.test(line))).toBe(true);
});
