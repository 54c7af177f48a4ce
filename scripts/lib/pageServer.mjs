/** Serves the built page in dist/ as the simplest of web servers does: no special headers, no range requests. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';

const DIST = join(import.meta.dirname, '../../dist');
/** @type {Readonly<Record<string, string>>} */
const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};
/** Milliseconds between two portions of a server that is as slow as a line. */
const TICK = 5;

/** Makes the server answer with that status. */
export class HttpError extends Error {
  /** @param {number} status */
  constructor(status) {
    super(`answered with ${status}`);
    this.status = status;
  }
}

/**
 * @typedef {object} ServerOptions
 * @property {string} [below] The path of the page, with a slash at both ends.
 * @property {boolean} [packed] Sends what the build has packed by brotli in that form.
 * @property {number} [bitsPerSecond] What all answers together get.
 * @property {(path: string) => void} [onRequest] Hears the path of each request, below that of the page.
 * @property {(path: string, body: Buffer) => Buffer | Promise<Buffer>} [change] What is sent in place of a file, and when.
 */

/**
 * Starts a server on a free port. A request for `index.html` is one for the page's path.
 * @param {ServerOptions} [options]
 * @returns {Promise<{ url: string, close: () => void }>}
 */
export async function servePage({ below = '/', packed = false, bitsPerSecond, onRequest, change } = {}) {
  const line = bitsPerSecond === undefined ? null : new Line(bitsPerSecond);
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path = pathname === below ? 'index.html' : pathname.slice(below.length);
    onRequest?.(path);
    try {
      if (!pathname.startsWith(below)) throw new Error('outside of the path');
      const isPacked = packed && existsSync(join(DIST, `${path}.br`));
      const file = await readFile(join(DIST, isPacked ? `${path}.br` : path));
      const sent = change === undefined ? file : await change(path, file);
      response.writeHead(200, {
        'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
        'content-length': sent.length,
        ...(isPacked ? { 'content-encoding': 'br' } : {}),
      });
      if (line === null) response.end(sent);
      else line.send(response, sent);
    } catch (error) {
      response.writeHead(error instanceof HttpError ? error.status : 404).end();
    }
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', () => listening(undefined)));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    url: `http://127.0.0.1:${address.port}${below}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Gives all answers under way equal shares of so many bits a second. */
class Line {
  #bytesPerMs;
  /** @type {{ response: import('node:http').ServerResponse, left: Buffer }[]} */
  #answers = [];
  #sentAt = 0;

  /** @param {number} bitsPerSecond */
  constructor(bitsPerSecond) {
    this.#bytesPerMs = bitsPerSecond / 8 / 1000;
  }

  /**
   * @param {import('node:http').ServerResponse} response
   * @param {Buffer} body
   */
  send(response, body) {
    this.#answers.push({ response, left: body });
    if (this.#answers.length > 1) return;
    this.#sentAt = performance.now();
    setTimeout(() => this.#portion(), TICK);
  }

  #portion() {
    const now = performance.now();
    let room = (now - this.#sentAt) * this.#bytesPerMs;
    this.#sentAt = now;
    this.#answers = this.#answers.filter(({ response }) => !response.destroyed);
    for (const [place, answer] of this.#answers.entries()) {
      // What one does not need is for those behind it.
      const share = Math.min(answer.left.length, Math.ceil(room / (this.#answers.length - place)));
      room -= share;
      answer.response.write(answer.left.subarray(0, share));
      answer.left = answer.left.subarray(share);
      if (answer.left.length === 0) answer.response.end();
    }
    this.#answers = this.#answers.filter(({ left }) => left.length > 0);
    if (this.#answers.length > 0) setTimeout(() => this.#portion(), TICK);
  }
}
