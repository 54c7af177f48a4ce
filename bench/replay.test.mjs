/** In wasm a replay is the same run as natively, which crates/replay/tests/it/hashes.rs compares with the same file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replayable } from './replayWasm.mjs';

const REPO = join(import.meta.dirname, '..');
/** @type {{ workload: string, cpus: number, until_ms: number | null, policy: string, hash: string }[]} */
const RUNS = JSON.parse(readFileSync(join(REPO, 'crates/replay/tests/hashes.json'), 'utf8'));
const workloads = new Set(RUNS.map(({ workload }) => workload));

test.each([...workloads])('replays of %s are the same in wasm', async (name) => {
  const of = RUNS.filter(({ workload }) => workload === name);
  const path = name.endsWith('.dat') ? join(REPO, 'tests/fixtures', name) : name;
  const workload = await replayable(path, of[0]?.until_ms ?? 0);
  for (const { policy, cpus, until_ms, hash } of of) {
    const run = JSON.parse(workload.run(policy, cpus, 4, until_ms ?? undefined));
    expect.soft(run.hash, `${policy} on ${cpus} CPUs`).toBe(hash);
  }
});
