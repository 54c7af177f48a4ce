// @ts-check
// Reads text of any length line by line, without a promise for each line.

import { spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';

/**
 * Runs a program and passes on the lines that it prints, as they come.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {(line: string) => void} push
 */
export async function linesOf(command, args, push) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (data) => {
    complaint += data;
  });
  const exit = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of child.stdout) {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) push(line);
  }
  if (rest !== '') push(rest);
  const status = await exit;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: exit status ${status}\n${complaint}`);
}
