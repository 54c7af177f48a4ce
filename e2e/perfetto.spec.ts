/** Perfetto's traces, which a separate wasm module reads, natively compared in crates/traceimport/tests. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './test';

const samples = join(import.meta.dirname, '../crates/traceimport/tests/samples');

for (const [name, comm] of [
  ['compact-4cpu.pftrace', 'hackbench'],
  ['full-4cpu.pftrace', 'bash'],
  ['compact-mix-4cpu.pftrace.gz', 'bash'],
  ['scxtop-shaped-4cpu.proto.zst', 'hackbench'],
] as const) {
  test(`${name} becomes a picture`, async ({ corelane }) => {
    const { page } = corelane;
    await corelane.open();
    await corelane.drop(name, readFileSync(join(samples, name)));
    await expect(page.getByRole('alert')).toHaveCount(0);
    const { lanes } = await corelane.drawState();
    expect(lanes).toHaveLength(4);
    expect(lanes.every(({ busy }) => 0 < busy)).toBe(true);
    await corelane.showCommands();
    await expect(corelane.command(comm)).toBeVisible();
  });
}
