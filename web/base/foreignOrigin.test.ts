import { expect, test } from 'vitest';
import { foreignOrigin } from './foreignOrigin';

const PAGE = 'https://corelane.example/page/?trace=a.dat';

test('another server has an origin, by host, port and scheme', () => {
  expect(foreignOrigin('https://traces.example/a.dat', PAGE)).toBe('https://traces.example');
  expect(foreignOrigin('//traces.example/a.dat', PAGE)).toBe('https://traces.example');
  expect(foreignOrigin('https://corelane.example:8443/a.dat', PAGE)).toBe('https://corelane.example:8443');
  expect(foreignOrigin('http://corelane.example/a.dat', PAGE)).toBe('http://corelane.example');
});

test('what comes from the page itself, or from no server, has none', () => {
  for (const address of ['a.dat', '/a.dat', 'https://corelane.example/b.dat', 'data:,x', 'blob:x', 'https://[bad']) {
    expect(foreignOrigin(address, PAGE), address).toBeNull();
  }
});
