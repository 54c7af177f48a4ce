// @ts-check
// Runs trace-cmd and corelane and reads what they print, as it comes.

import { spawn } from 'node:child_process';

/**
 * @param {string} trace
 * @param {import('./modes.mjs').Mode} mode
 */
export function traceCmdText(trace, mode) {
  return output('trace-cmd', ['report', ...mode.traceCmd, '-i', trace]);
}

/**
 * @param {string} binary
 * @param {string} trace
 * @param {import('./modes.mjs').Mode} mode
 */
export function corelaneText(binary, trace, mode) {
  return output(binary, ['report', trace, ...mode.corelane]);
}

/**
 * The bytes that a program prints; throws if it fails.
 *
 * @param {string} command
 * @param {string[]} args
 */
export async function* output(command, args) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (data) => {
    complaint = (complaint + data).slice(-1000);
  });
  const exit = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? signal));
  });
  // The error is reported when it is awaited below.
  exit.catch(() => {});
  for await (const chunk of child.stdout) yield/** @type {Buffer} */ (chunk);
  const status = await exit;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ended with ${status}\n${complaint}`);
}
