import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { ns } from '../base/units';
import init, { type LoadedTrace, openForScan, openTrace } from '../wasm/tracecore';
import { explain } from './answersExplain';
import type { JobAnswer, JobQuery, ModelSelection } from './protocolExplain';
import type { ScanJob } from './scanPool';

/** On a recorded trace: what crosses to JavaScript has the protocol's shapes, and times count from the first record. */
const FIXTURE = new URL('../../tests/fixtures/forkpipe-8cpu.dat', import.meta.url);

const SELECTION: ModelSelection = {
  window: null,
  forked: false,
  movable: false,
  target: null,
  comms: [],
  pids: [],
  cpus: null,
};

let trace: LoadedTrace;
let span: number;

beforeAll(async () => {
  await init({ module_or_path: readFileSync(new URL('../wasm/tracecore_bg.wasm', import.meta.url)) });
  const bytes = new Uint8Array(readFileSync(FIXTURE));
  const file = {
    size: bytes.length,
    readAt: (offset: number, length: number) => bytes.subarray(offset, offset + length),
  };
  const loader = openTrace(file);
  const scans = openForScan(file);
  for (const { index, start, end } of JSON.parse(loader.jobs()) as ScanJob[]) {
    const scanner = scans.scanner(index);
    scanner.push(bytes.subarray(start, end));
    loader.add(scanner.finish().takeScan());
  }
  trace = loader.build();
  span = JSON.parse(trace.summary()).span;
});

function run<Q extends JobQuery>(query: Q): Extract<JobAnswer, { type: Q['type'] }> {
  const job = trace.job(JSON.stringify(query));
  let share = 0;
  while (job.step()) {
    expect(job.share()).toBeGreaterThanOrEqual(share);
    share = job.share();
    expect(share).toBeLessThanOrEqual(1);
  }
  return JSON.parse(job.answer());
}

test('findings name runs that are there, and come in part before all are found', () => {
  const job = trace.job(JSON.stringify({ type: 'findings', selection: SELECTION, top: 5 }));
  const partial: number[] = [];
  while (job.step()) {
    const text = job.partial();
    if (text !== undefined) {
      const answer = JSON.parse(text) as Extract<JobAnswer, { type: 'findings' }>;
      expect(answer.done).toBe(false);
      partial.push(answer.findings.length);
    }
  }
  const answer = JSON.parse(job.answer()) as Extract<JobAnswer, { type: 'findings' }>;
  expect(answer.done).toBe(true);
  expect(partial.length).toBeGreaterThan(3);
  expect(new Set(answer.findings.map(({ kind }) => kind)).size).toBeGreaterThan(4);
  for (const { start_ns, end_ns, run, kind } of answer.findings) {
    expect(start_ns).toBeLessThanOrEqual(end_ns);
    expect(end_ns).toBeLessThanOrEqual(span);
    if (run === null) {
      expect(kind).toBe('gap');
      continue;
    }
    const interval = JSON.parse(trace.pick(run.cpu, run.start_ns));
    expect(interval).toMatchObject({ kind: 'run', start: run.start_ns });
  }
});

test('a worst latency leads to its placement and its wait', () => {
  const { report } = run({ type: 'latency', selection: SELECTION, by: 'cpu', top: 3 });
  expect(report.groups).toHaveLength(8);
  expect(report.clock.sched_waking + report.clock.sched_wakeup + report.clock.sched_wakeup_new).toBe(report.count);
  for (const worst of report.worst) {
    const { cpu, running_ns: at } = worst;
    const placed = explain(trace, { type: 'placement', cpu, at });
    if (placed.type !== 'placement') throw new Error(placed.type);
    expect(placed.placement).toMatchObject({
      at_ns: worst.at_ns,
      running_ns: at,
      idle_cpus: worst.idle_cpus,
      wakee: { pid: worst.wakee_pid, comm: worst.wakee_comm },
    });
    const waited = explain(trace, { type: 'wait', cpu, at });
    if (waited.type !== 'wait') throw new Error(waited.type);
    expect(waited.wait).toMatchObject({ pid: worst.wakee_pid, until_ns: at, cpu });
  }
});

test('the longest cascade is the cascade of each of its moves', () => {
  const { report } = run({ type: 'cascades', selection: SELECTION, top: 1 });
  const [longest] = report.cascades;
  if (longest === undefined) throw new Error('no cascade');
  expect(longest.moves.length).toBeGreaterThan(1);
  for (const { to_cpu, running_ns } of longest.moves) {
    const { cascade } = run({ type: 'cascade_of', cpu: to_cpu, at: running_ns });
    expect(cascade).toEqual(longest);
  }
  expect(run({ type: 'cascade_of', cpu: 99, at: ns(0) }).cascade).toBeNull();
});

test('a window selects waits and violations', () => {
  const window = { start: ns(span / 4 + 0.5), end: ns(span / 2) };
  const selection = { ...SELECTION, window };
  const all = run({ type: 'waits', selection: SELECTION, top: 5 }).report;
  const some = run({ type: 'waits', selection, top: 5 }).report;
  expect(some.count).toBeLessThan(all.count);
  for (const wait of some.longest) expect(wait.since_ns).toBeGreaterThanOrEqual(Math.floor(window.start));
  const { report } = run({ type: 'overload', selection, min_duration: ns(0), top: 5 });
  expect(report.intervals.length).toBeGreaterThan(0);
  for (const { start_ns, end_ns } of report.intervals) {
    expect(start_ns).toBeGreaterThanOrEqual(Math.floor(window.start));
    expect(end_ns).toBeLessThanOrEqual(window.end);
  }
});

test('nothing is explained where nothing runs', () => {
  expect(explain(trace, { type: 'wait', cpu: 99, at: ns(0) })).toEqual({ type: 'wait', wait: null });
  expect(explain(trace, { type: 'placement', cpu: 0, at: ns(span) })).toEqual({ type: 'placement', placement: null });
});
