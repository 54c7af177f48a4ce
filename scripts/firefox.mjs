#!/usr/bin/env node
/**
 * A distribution's Firefox for Playwright, which drives it by WebDriver BiDi: starts it with the given arguments and hands
 * on what the two say to each other, but for what Firefox does not know yet (`lib/bidiGaps.mjs`). CORELANE_FIREFOX is
 * its path.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { argv, env, exit, stderr } from 'node:process';
import { createInterface } from 'node:readline';
import { WebSocket, WebSocketServer } from 'ws';
import { BidiGaps } from './lib/bidiGaps.mjs';

const path = env.CORELANE_FIREFOX;
if (!path) throw new Error('CORELANE_FIREFOX names no Firefox');
const firefox = spawn(path, argv.slice(2), { stdio: ['ignore', 'inherit', 'pipe'] });
firefox.on('error', (error) => {
  stderr.write(`${error.message}\n`);
  exit(1);
});
firefox.on('exit', (code) => exit(code ?? 1));
// However this ends, no Firefox is left behind.
process.on('exit', () => firefox.kill());
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => firefox.kill(signal));

// Playwright reads the address there.
for await (const line of createInterface({ input: firefox.stderr })) {
  const url = /^WebDriver BiDi listening on (ws:\S+)$/.exec(line)?.[1];
  stderr.write(`${url === undefined ? line : `WebDriver BiDi listening on ${await relay(url)}`}\n`);
}

/**
 * Opens a port on this machine that answers as Firefox does at `url`.
 * @param {string} url
 * @returns {Promise<string>} Its address.
 */
async function relay(url) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  server.on('connection', (playwright, request) => {
    const browser = new WebSocket(url + request.url, { perMessageDeflate: false });
    const opened = once(browser, 'open');
    const gaps = new BidiGaps();
    playwright.on('message', async (data) => {
      const text = data.toString();
      gaps.note(text);
      await opened;
      browser.send(text);
    });
    browser.on('message', (data) => playwright.send(gaps.fill(data.toString())));
    playwright.on('close', () => browser.close());
    browser.on('close', () => playwright.close());
  });
  await once(server, 'listening');
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  return `ws://127.0.0.1:${address.port}`;
}
