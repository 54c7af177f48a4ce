/** Replays in wasm, in Node. */
import { readFileSync } from 'node:fs';
import init, { Replayed } from './wasm/replay.js';

/**
 * A workload for replays: what is made by a name (`pairs:threads=400`), or a trace's.
 * @param {string} workload A name, or a file `.dat`.
 * @param {number} untilMs Of what is made.
 */
export async function replayable(workload, untilMs) {
  await init({ module_or_path: readFileSync(new URL('./wasm/replay_bg.wasm', import.meta.url)) });
  return workload.endsWith('.dat') ? Replayed.trace(readFileSync(workload)) : Replayed.made(workload, untilMs);
}
