import { expect, test } from 'vitest';
import { serverOptions } from './serverOptions.mjs';

test('an option goes before the environment, and that before the default', () => {
  expect(serverOptions([], {}, 4173)).toEqual({ port: 4173, host: 'localhost' });
  expect(serverOptions([], { PORT: '5000' }, 4173).port).toBe(5000);
  expect(serverOptions(['--port', '6000', '--host', '0.0.0.0'], { PORT: '5000' }, 4173)).toEqual({
    port: 6000,
    host: '0.0.0.0',
  });
});

test('refuses what is no port', () => {
  expect(() => serverOptions(['--port', 'http'], {}, 4173)).toThrow("the port is 'http'");
  expect(() => serverOptions([], { PORT: '70000' }, 4173)).toThrow('up to 65535');
  expect(() => serverOptions(['--prot', '1'], {}, 4173)).toThrow('npm start -- [--port N]');
});
