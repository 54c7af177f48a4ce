import { expect, test } from 'vitest';
import { workerPolicy } from '../base/policy';
import { workerAddress } from './workerAddress';

test('the service worker lets a worker connect to the server in its address', () => {
  const script = 'https://page.example/assets/worker-1a2b.js';
  expect(workerAddress(script, null)).toBe(script);
  for (const address of [script, `${script}?version=1`]) {
    const bound = workerAddress(address, 'https://traces.example:8443');
    expect(workerPolicy(bound)).toContain("connect-src 'self' https://traces.example:8443");
  }
});
