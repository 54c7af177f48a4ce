import { createServer } from 'node:net';

/**
 * A free TCP port.
 * @returns {Promise<number>}
 */
export function freePort() {
  return new Promise((settle, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => settle(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
