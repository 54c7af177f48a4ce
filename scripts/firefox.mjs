#!/usr/bin/env node
/**
 * A distribution's Firefox for Playwright, which drives it by WebDriver BiDi: starts it with the given arguments, and answers what it
 * does not know itself.
 *
 * Playwright tells each page whether it is light or dark, whether a test asks for that or not. Firefox (153 does not yet) may know no
 * such command, and Playwright then opens no page.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { argv, env, exit, stderr } from 'node:process';
import { createInterface } from 'node:readline';
import { WebSocket, WebSocketServer } from 'ws';

const NOT_KNOWN = 'emulation.setMediaFeaturesOverride';

const path = env.CORELANE_FIREFOX;
if (!path) throw new Error('CORELANE_FIREFOX names no Firefox');
const firefox = spawn(path, argv.slice(2), { stdio: ['ignore', 'inherit', 'pipe'] });
firefox.on('error', (error) => {
  stderr.write(`${error.message}\n`);
  exit(1);
});
firefox.on('exit', (code) => exit(code ?? 1));
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => firefox.kill(signal));
for await (const line of createInterface({ input: firefox.stderr })) {
  const url = /^WebDriver BiDi listening on (ws:\S+)$/.exec(line)?.[1];
  stderr.write(`${url === undefined ? line : `WebDriver BiDi listening on ${await relay(url)}`}\n`);
}

/**
 * A socket that hands on what comes, in both directions, but for what Firefox does not know.
 * @param {string} url
 * @returns {Promise<string>} Where it listens.
 */
async function relay(url) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  server.on('connection', async (playwright, request) => {
    const browser = new WebSocket(url + request.url, { perMessageDeflate: false });
    const opened = once(browser, 'open');
    playwright.on('message', async (data) => {
      const text = data.toString();
      await opened;
      if (text.includes(NOT_KNOWN)) {
        playwright.send(JSON.stringify({ type: 'success', id: JSON.parse(text).id, result: {} }));
      } else {
        browser.send(text);
      }
    });
    browser.on('message', (data) => playwright.send(data.toString()));
    playwright.on('close', () => browser.close());
    browser.on('close', () => playwright.close());
  });
  await once(server, 'listening');
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  return `ws://127.0.0.1:${address.port}`;
}
