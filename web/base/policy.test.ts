import { expect, test } from 'vitest';
import { workerPolicy } from './policy';

const connectOf = (address: string) => /connect-src ([^;]*)/.exec(workerPolicy(address))?.[1];

test('a worker may connect to the server of the page, and to the one in its address', () => {
  expect(connectOf('https://page.example/assets/worker.js')).toBe("'self'");
  expect(connectOf('https://page.example/assets/worker.js?connect=https%3A%2F%2Ftraces.example%3A8443')).toBe(
    "'self' https://traces.example:8443",
  );
});

test('what is no origin adds nothing to the policy', () => {
  for (const text of [
    '*',
    'https:',
    "https://a.example; script-src 'unsafe-eval'",
    'https://a.example/path',
    'null',
    '',
  ]) {
    expect(connectOf(`https://page.example/w.js?connect=${encodeURIComponent(text)}`), text).toBe("'self'");
  }
});
