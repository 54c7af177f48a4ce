/** What crosses from wasm of system calls: its numbers are those that the text of the trace tells. */
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { ns } from '../base/units';
import init, { CallsLoader, type CallsSource, openTrace } from '../wasm/engine';
import type { CallRow, CallsAnyAnswer, CallsAnyQuery, CallsBy, ModelSelection } from './protocol';
import { CallCell } from './protocolTracks';
import type { ScanJob } from './scanPool';
import { describedBy, loaderOf, takeLogs, takeScans } from './sourceFile';

const fixture = (name: string): Buffer => readFileSync(new URL(`../../tests/fixtures/${name}`, import.meta.url));

/** The derivation has a configuration of its own, by which its types are checked. */
const derivation = (name: string) => import(new URL(`../../tests/derive/${name}.mjs`, import.meta.url).href);

interface Interval {
  readonly from: number;
  readonly to: number;
}

let source: CallsSource;
let derived: { readonly report: { readonly first: number; readonly last: number } };
let truth: { readonly totals: object; readonly stolen: ReadonlyMap<number, readonly Interval[]> | null };
let rows: (trace: object, truth: object, part: object, by: string) => ReadonlyMap<string, object>;
let exact: (value: unknown) => unknown;
/** Absolute time of the first event. */
let base: bigint;
let kinds: number[];

beforeAll(async () => {
  await init({ module_or_path: readFileSync(new URL('../wasm/engine_bg.wasm', import.meta.url)) });
  const bytes = new Uint8Array(fixture('sysmix-4cpu.dat'));
  const file = openTrace({
    size: bytes.length,
    readAt: (offset: number, length: number) => bytes.subarray(offset, offset + length),
  });
  const metadata = JSON.parse(file.description());
  const loader = loaderOf(describedBy(file), metadata);
  const logs: ArrayBuffer[] = [];
  for (const { index, start, end } of JSON.parse(file.jobs()) as ScanJob[]) {
    const scanner = file.scanner(index);
    scanner.push(bytes.subarray(start, end));
    const scanned = scanner.finish();
    for (const scan of takeScans(scanned)) loader.add(new Uint8Array(scan));
    logs.push(...takeLogs(scanned));
  }
  kinds = logs.map((log) => new Uint8Array(log)[0] ?? 0);
  const calls = new CallsLoader(loader.trace().model());
  // Scans arrive in any order.
  for (const log of logs.reverse()) calls.add(new Uint8Array(log));
  source = calls.build(metadata.uname.split(' ').at(-1));

  const { CallReader, deriveCalls } = await derivation('calls');
  const { ReportReader } = await derivation('report');
  const { deriveTrace } = await derivation('numbers');
  ({ rows, exact } = await derivation('callDifferences'));
  const facts = JSON.parse(fixture('sysmix-4cpu.json').toString());
  const reader = new ReportReader(Object.keys(facts.instance_event_counts ?? {}));
  const read = new CallReader();
  for (const line of brotliDecompressSync(fixture('sysmix-4cpu.report.br')).toString().split('\n')) {
    reader.push(line);
    read.push(line);
  }
  const report = reader.finish();
  derived = deriveTrace(report, facts.sched_switch_print_fmt);
  truth = deriveCalls(derived, read);
  base = report.origin + BigInt(report.first);
}, 60_000);

function ask<T extends CallsAnyAnswer['type']>(
  query: CallsAnyQuery & { readonly type: T },
): Extract<CallsAnyAnswer, { readonly type: T }> {
  const { type, ...asked } = query;
  const job = source.ask(JSON.stringify({ [type]: asked }), new Uint32Array());
  while (job.step());
  const answered = job.answer();
  const [values] = answered.buffers();
  return { ...JSON.parse(answered.json()), ...(values && { values }) };
}

const EVERYTHING: ModelSelection = {
  window: null,
  forked: false,
  movable: false,
  target: null,
  comms: [],
  pids: [],
  cpus: null,
};

const table = (by: CallsBy, selection: ModelSelection, errors = false) =>
  ask({ type: 'call_table', selection, by, errors, net: false, top: 100_000 }).report;

/** A row as the command line prints it, with absolute times. */
function plain(row: CallRow, by: CallsBy) {
  const { call: _, nr, longest, ...rest } = row;
  const whose = 'comm' in row ? row.comm : 'pid' in row ? `${row.pid}#${row.generation}` : '';
  for (const key of ['comm', 'pid', 'generation', 'process']) delete (rest as Record<string, unknown>)[key];
  const absolute = longest && { ...longest, at_ns: base + BigInt(longest.at_ns) };
  return [`${nr} ${by === 'call' ? '' : whose}`.trim(), { ...rest, longest: absolute }] as const;
}

test('logs say what they hold', () => {
  expect(kinds.length).toBe(4);
  expect(kinds.every((kind) => kind === 3)).toBe(true);
});

test.each(['call', 'command', 'task'] as const)(
  'the table by %s is that of the text, whole, in part, and of errors',
  (by) => {
    const { first, last } = derived.report;
    const [from, to] = [1, 3].map((quarters) => Math.floor(((last - first) * quarters) / 4)) as [number, number];
    const window = { start: ns(from), end: ns(to) };
    for (const [selection, part, errors] of [
      [EVERYTHING, { args: [] }, false],
      [EVERYTHING, { args: [], errors: true }, true],
      [{ ...EVERYTHING, window }, { args: [], from: first + from, to: first + to }, false],
    ] as const) {
      const expected = rows(derived, truth, { ...part, args: [] }, by);
      const found = table(by, selection, errors);
      expect(found.rows.length).toBeGreaterThan(1);
      const seen = new Map(found.rows.map((row) => plain(row, by)));
      expect([...seen.keys()].sort()).toEqual([...expected.keys()].sort());
      for (const [key, row] of seen) expect([key, exact(row)]).toEqual([key, exact(expected.get(key))]);
    }
  },
);

test('totals, names and what was recorded', () => {
  const facts = ask({ type: 'call_facts' });
  expect(facts).toMatchObject({ events: 'raw', arch: 'x86_64', hardirqs: true, softirqs: true, vectors: true });
  expect(facts.totals).toEqual(truth.totals);
  expect(facts.names.find(({ nr }) => nr === 202)).toEqual({ nr: 202, call: 'futex' });
});

test('the calls of a row: as many as it counts, the longest first, and the steps from one to the next', () => {
  const found = table('command', EVERYTHING);
  const chosen = found.rows.filter(({ calls }) => calls > 20).slice(0, 4);
  expect(chosen.length).toBe(4);
  for (const row of chosen) {
    if (!('comm' in row)) throw new Error('a row without a command');
    const question = {
      ...{ selection: EVERYTHING, by: 'command' as const, errors: false, net: false },
      ...{ call: row.call, nr: row.nr, comm: row.comm, pid: null, generation: null, process: null },
    };
    const { of_row } = ask({ type: 'calls_of_row', row: question, top: 5, columns: 50 });
    expect(of_row.count).toBe(row.calls);
    expect(of_row.errors).toBe(row.errors);
    expect(of_row.points.reduce((sum, { count }) => sum + count, 0)).toBe(row.calls);
    expect(of_row.histogram.map(({ from, count }) => [from, count])).toEqual(row.duration_ns.histogram);
    expect(of_row.histogram.reduce((sum, { sleeping_ns }) => sum + (sleeping_ns ?? 0), 0)).toBe(row.sleeping_ns);
    const [longest] = of_row.longest;
    expect(longest).toMatchObject({ ...row.longest });
    expect(of_row.longest.map(({ duration_ns }) => duration_ns)).toEqual(
      of_row.longest.map(({ duration_ns }) => duration_ns).sort((a, b) => b - a),
    );
    if (!longest) continue;
    // From before all of them, step by step, each call comes once.
    let at = { at: ns(0), ns: 0, pid: -1, generation: 0 };
    let steps = 0;
    let failed = 0;
    for (;;) {
      const { place } = ask({ type: 'call_step', row: question, step: 'next', ...at });
      if (place === null) break;
      expect(place.comm).toBe(row.comm);
      at = { at: place.at_ns, ns: place.duration_ns, pid: place.pid, generation: place.generation };
      if (place.ret >= -4095 && place.ret < 0) failed++;
      steps++;
    }
    expect([steps, failed]).toEqual([row.calls, row.errors]);
    const from = { at: longest.at_ns, ns: longest.duration_ns, pid: longest.pid, generation: longest.generation };
    expect(ask({ type: 'call_step', row: question, step: 'longer', ...from }).place).toBeNull();
  }
});

test('a call lane has the calls of its task, and says so at an instant', () => {
  const { tasks, names } = ask({ type: 'call_facts' });
  const level = 12;
  const buckets = 1024;
  const inLanes = new Map<number, number>();
  const { values } = ask({ type: 'tile', kind: 'calls', variant: null, keys: tasks, level, first_bucket: 0, buckets });
  expect(values).toHaveLength(2 * tasks.length * buckets);
  for (const [lane, task] of tasks.entries()) {
    for (let bucket = 0; bucket < buckets; bucket += 7) {
      const at = ns((bucket + 0.5) * 2 ** level);
      const { item } = ask({ type: 'at', kind: 'calls', key: task, at });
      const word = values[2 * (lane * buckets + bucket)] ?? 0;
      const flags = values[2 * (lane * buckets + bucket) + 1] ?? 0;
      if (item?.span !== 'call' || flags & CallCell.merged) continue;
      // One call alone is in the bucket, and it is the one at its middle.
      inLanes.set(task, (inLanes.get(task) ?? 0) + 1);
      expect(names[(word & CallCell.call) - 1]?.call).toBe(item.call);
      expect((word >>> CallCell.inside) & 0xff).toBeGreaterThan(0);
    }
  }
  expect(inLanes.size).toBeGreaterThan(1);
});

test('interrupts on CPUs are those that handlers tell, a ns once', () => {
  const span = derived.report.last - derived.report.first;
  const level = Math.ceil(Math.log2(span / 64));
  const { values } = ask({
    type: 'tile',
    kind: 'cpu_irqs',
    variant: null,
    keys: [0, 1, 2, 3],
    level,
    first_bucket: 0,
    buckets: 64,
  });
  const { first } = derived.report;
  for (let cpu = 0; cpu < 4; cpu++) {
    const stolen = truth.stolen?.get(cpu) ?? [];
    for (let bucket = 0; bucket < 64; bucket++) {
      const [from, to] = [bucket * 2 ** level, (bucket + 1) * 2 ** level];
      const ns = stolen.reduce(
        (sum, time) => sum + Math.max(0, Math.min(to, time.to - first) - Math.max(from, time.from - first)),
        0,
      );
      const word = values[cpu * 64 + bucket] ?? 0;
      const share = (word & 0xff) + ((word >>> 8) & 0xff);
      // Both shares are rounded up.
      expect(share - (255 * ns) / 2 ** level).toBeLessThan(2);
      expect(share - (255 * ns) / 2 ** level).toBeGreaterThanOrEqual(-1e-6);
    }
  }
});
