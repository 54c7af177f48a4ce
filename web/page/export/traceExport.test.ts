import { expect, test } from 'vitest';
import { ns } from '../../base/units';
import { exportCommand, exportName } from './traceExport';

const window = { start: ns(12_500_000_000), end: ns(13_000_000_001) };

test.each([
  ['trace.dat', { to: 'perfetto', window: null, cpus: null, comms: [] }, 'trace.pftrace'],
  ['trace.dat', { to: 'trace_dat', window: null, cpus: null, comms: [] }, 'trace-copy.dat'],
  [
    'a.perf.data.gz',
    { to: 'trace_dat', window, cpus: [0, 1, 2, 5], comms: ['my sh/1', 'b'] },
    'a.perf-12.5-13.000000001-cpu0-2,5-my_sh_1-b.dat',
  ],
  ['pasted text', { to: 'perfetto', window: null, cpus: null, comms: [] }, 'pasted text.pftrace'],
  ['.dat', { to: 'perfetto', window: null, cpus: null, comms: [] }, 'trace.pftrace'],
] as const)('%s as %j is %s', (name, part, made) => {
  expect(exportName(name, part)).toBe(made);
});

test('the command says the same', () => {
  expect(exportCommand("it's.txt", { to: 'trace_dat', window, cpus: [3], comms: ['my sh'] })).toBe(
    "corelane export 'it'\\''s.txt' --tracedat 'it'\\''s-12.5-13.000000001-cpu3-my_sh.dat' --min 12.5 --max 13.000000001 --cpu 3 --comm 'my sh'",
  );
});
