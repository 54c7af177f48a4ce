/** What the numbers depend on besides the sources. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';

/** One line about this machine; without names and dates. */
export function machine() {
  const [first] = cpus();
  const model = first?.model.trim() ?? 'a processor without a name';
  return [
    `${cpus().length} threads of ${model}${mhz(first?.speed)}`,
    `caches of ${caches()}`,
    `${Math.round(totalmem() / 2 ** 30)} GiB`,
    `${type()} ${release().split('-')[0]}`,
    rustc(),
    `Node ${process.versions.node}`,
  ].join(', ');
}

/** @param {number | undefined} speed */
const mhz = (speed) => (speed ? ` (${(speed / 1e3).toFixed(1)} GHz)` : '');

function rustc() {
  const { stdout } = spawnSync('rustc', ['--version'], { encoding: 'utf8' });
  return stdout?.split(' ').slice(0, 2).join(' ') ?? 'rustc';
}

/** The first CPU's, as Linux tells them. */
function caches() {
  const folder = '/sys/devices/system/cpu/cpu0/cache';
  const found = [];
  for (let index = 0; ; index++) {
    try {
      const read = (/** @type {string} */ name) => readFileSync(`${folder}/index${index}/${name}`, 'utf8').trim();
      if (read('type') !== 'Instruction') found.push(`${read('size').replace('K', ' KiB')} (L${read('level')})`);
    } catch {
      return found.join(', ') || 'unknown size';
    }
  }
}
