import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { ns } from '../base/units';
import init, { type LoadedTrace, openForScan, openTrace } from '../wasm/tracecore';
import { answerTo, buffersOf, previewCells } from './answers';
import { CellFlag, type CellsQuery, CURVE_WORDS, type Interval, NO_KEY, type Query } from './protocol';
import { CPU_COLUMNS, TASK_COLUMNS } from './protocolTables';
import type { ScanJob } from './scanPool';

/** The whole engine without workers, on a recorded trace: what crosses to JavaScript has the protocol's shapes. */
const FIXTURE = new URL('../../tests/fixtures/forkpipe-8cpu.dat', import.meta.url);

let trace: LoadedTrace;
let span: number;
let previewed: Uint32Array;

const CELLS: CellsQuery = { type: 'cells', level: 20, firstBucket: 0, buckets: 64, cpus: [3, 0, 99], key: 'task' };

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
    // Pieces of an odd size: none of them ends where a page does.
    for (let at = start; at < end; at += 10_007) scanner.push(bytes.subarray(at, Math.min(at + 10_007, end)));
    loader.add(scanner.finish().takeScan());
  }
  previewed = previewCells(loader, CELLS).cells;
  trace = loader.build();
  span = JSON.parse(trace.summary()).span;
});

const keysOf = (cells: Uint32Array) => cells.filter((_, index) => index % 2 === 0);

test('cells: two words for each lane and bucket, nothing for a CPU that is not there', () => {
  const answer = answerTo(trace, CELLS);
  if (answer.type !== 'cells') throw new Error(answer.type);
  expect(answer.cells).toHaveLength(2 * 3 * 64);
  expect(buffersOf(answer)).toEqual([answer.cells.buffer]);
  expect(new Set(keysOf(answer.cells.subarray(0, 256))).size).toBeGreaterThan(3);
  expect(new Set(keysOf(answer.cells.subarray(256)))).toEqual(new Set([NO_KEY]));
});

test('a preview shows when something runs as the opened trace does', () => {
  const answer = answerTo(trace, CELLS);
  if (answer.type !== 'cells') throw new Error(answer.type);
  const busy = (cells: Uint32Array) => cells.filter((_, index) => index % 2 === 1).map((word) => word & 0xffff);
  const lane = 64;
  // The lane of one CPU ends with its last record in a preview, with the trace's last in the trace.
  expect([...busy(previewed).subarray(0, lane / 2)]).toEqual([...busy(answer.cells).subarray(0, lane / 2)]);
});

test('curve: five words for each bucket and the greatest of all', () => {
  const answer = answerTo(trace, { type: 'curve', level: 22, firstBucket: 0, buckets: 16 });
  if (answer.type !== 'curve') throw new Error(answer.type);
  expect(answer.values).toHaveLength(CURVE_WORDS * 16);
  expect(Math.max(...answer.values.filter((_, at) => at % CURVE_WORDS < 4))).toBeLessThanOrEqual(answer.maxRunnable);
});

/** The first run on CPU 0, by steps. */
function aRun(): Interval {
  const answer = answerTo(trace, { type: 'step', cpu: 0, at: ns(span / 2), direction: 1 });
  if (answer.type !== 'step' || answer.interval === null) throw new Error('no run after the middle');
  return answer.interval;
}

test('pick, step, chain: intervals with the fields of a run', () => {
  const run = aRun();
  expect(run).toMatchObject({ cpu: 0, kind: 'run', inferred: false });
  expect(run.comm).toEqual(expect.any(String));
  expect(answerTo(trace, { type: 'pick', cpu: 0, at: run.start })).toEqual({ type: 'pick', interval: run });
  expect(answerTo(trace, { type: 'step', cpu: 0, at: run.end, direction: -1 })).toMatchObject({ interval: { cpu: 0 } });
  expect(answerTo(trace, { type: 'pick', cpu: 99, at: ns(0) })).toEqual({ type: 'pick', interval: null });
  const answer = answerTo(trace, { type: 'chain', cpu: 0, at: run.start, hops: 4 });
  if (answer.type !== 'chain' || answer.chain === null) throw new Error('no chain');
  expect(answer.chain.run).toEqual(run);
  expect(answer.chain.back.length).toBeLessThanOrEqual(4);
  expect(['interrupt', 'idle', 'trace_start', 'unknown', 'limit']).toContain(answer.chain.endsAt);
});

test('a highlighted task keeps its cells and can be found; times between nanoseconds are rounded down', () => {
  const { task = -1, start } = aRun();
  const view: Query = { type: 'setView', spec: { forked: false, movable: false, highlight: { kind: 'task', task } } };
  expect(answerTo(trace, view)).toEqual({ type: 'setView' });
  const found = answerTo(trace, { type: 'nextHighlighted', at: ns(start - 0.5), direction: 1 });
  expect(found).toMatchObject({ interval: { task } });
  const whole = answerTo(trace, { ...CELLS, level: 34, buckets: 1, cpus: [0] });
  if (whole.type !== 'cells') throw new Error(whole.type);
  expect(whole.cells[0]).toBe(task);
  expect((whole.cells[1] ?? 0) & CellFlag.highlight).not.toBe(0);
  answerTo(trace, { type: 'setView', spec: { forked: false, movable: false, highlight: { kind: 'none' } } });
});

test('commands, labels and stats of a window lie within those of the whole', () => {
  const window = { start: ns(span / 4), end: ns(span / 2) };
  const [whole, part] = [null, window].map((asked) => answerTo(trace, { type: 'commands', window: asked }));
  if (whole?.type !== 'commands' || part?.type !== 'commands') throw new Error('no commands');
  expect(whole.rows[0]).toMatchObject({
    comm: expect.any(String),
    commId: expect.any(Number),
    pids: expect.any(Number),
  });
  for (const row of part.rows) {
    const all = whole.rows.find(({ comm }) => comm === row.comm);
    expect(row.executionNs).toBeLessThanOrEqual(all?.executionNs ?? 0);
  }
  const labels = answerTo(trace, { type: 'labels', window, minWidth: ns(0), cpus: [0] });
  if (labels.type !== 'labels') throw new Error(labels.type);
  expect(labels.runs[0]).toMatchObject({ cpu: 0, pid: expect.any(Number), comm: expect.any(String) });
  expect(answerTo(trace, { type: 'stats', window })).toMatchObject({
    stats: { running: { max: expect.any(Number) }, costTaskNs: expect.any(Number) },
  });
});

test('a topology is understood, and orders the CPUs; moves are counted, and listed when they are few', () => {
  expect(answerTo(trace, { type: 'parseTopology', text: '2x16' })).toEqual({
    type: 'parseTopology',
    topology: null,
    error: expect.stringContaining('SOCKETSxCORESxTHREADS'),
  });
  const answer = answerTo(trace, { type: 'setTopology', text: '2x2x2,siblings' });
  if (answer.type !== 'setTopology' || answer.topology === null) throw new Error('not understood');
  expect(answer.topology).toMatchObject({ canonical: '2x2x2,siblings', sockets: 2, llcs: 2, cores: 4 });
  expect(answer.topology.cpus[3]).toEqual({ cpu: 3, socket: 0, node: 0, llc: 0, core: 1 });
  const window = { start: ns(0), end: ns(span) };
  const cpus = [0, 1, 2, 3, 4, 5, 6, 7];
  const moves = answerTo(trace, { type: 'moves', window, cpus, most: 1e6 });
  if (moves.type !== 'moves' || moves.moves === null) throw new Error('no moves');
  const far = moves.moves.filter(({ cpu, from }) => cpu < 4 !== from < 4);
  expect(far.length).toBeGreaterThan(0);
  expect(moves.counts.machine).toBe(far.length);
  expect(far.every(({ distance }) => distance === 'machine')).toBe(true);
  expect(answerTo(trace, { type: 'moves', window, cpus, most: moves.moves.length - 1 })).toEqual({
    ...moves,
    moves: null,
  });
  expect(answerTo(trace, { type: 'setTopology', text: null })).toMatchObject({ topology: null, error: null });
});

test('what is not a trace is refused in the words of an engine error, as text', () => {
  const text = new TextEncoder().encode('# Not a trace\n');
  const file = {
    size: text.length,
    readAt: (offset: number, length: number) => text.subarray(offset, offset + length),
  };
  let thrown: unknown;
  try {
    openTrace(file);
  } catch (error) {
    thrown = error;
  }
  expect(JSON.parse(String(thrown))).toMatchObject({ kind: 'not-a-trace', where: null, advice: expect.any(String) });
});

test('a file that cannot be read is an error of its own', () => {
  const file = {
    size: 100,
    readAt: (): Uint8Array => {
      throw new DOMException('it is gone', 'NotReadableError');
    },
  };
  expect(() => openTrace(file)).toThrow(/"kind":"io".*it is gone/);
});

test('tables: rows of numbers, and a window has no more than the whole', () => {
  const tasks = answerTo(trace, { type: 'taskTable', window: null });
  if (tasks.type !== 'taskTable') throw new Error(tasks.type);
  const width = TASK_COLUMNS.length;
  expect(tasks.values.length % width).toBe(0);
  expect(tasks.values.length / width).toBeGreaterThan(20);
  const cpus = answerTo(trace, { type: 'cpuTable', window: null });
  if (cpus.type !== 'cpuTable') throw new Error(cpus.type);
  expect(cpus.values).toHaveLength(8 * CPU_COLUMNS.length);
  const sum = (values: Float64Array, columns: readonly string[], column: string) =>
    values.filter((_, index) => index % columns.length === columns.indexOf(column)).reduce((a, b) => a + b, 0);
  const busy = sum(cpus.values, CPU_COLUMNS, 'busyNs');
  expect(sum(tasks.values, TASK_COLUMNS, 'executionNs')).toBe(busy);
  expect(busy + sum(cpus.values, CPU_COLUMNS, 'idleNs') + sum(cpus.values, CPU_COLUMNS, 'unknownNs')).toBe(8 * span);
  const half = answerTo(trace, { type: 'cpuTable', window: { start: ns(0), end: ns(span / 2) } });
  if (half.type !== 'cpuTable') throw new Error(half.type);
  expect(sum(half.values, CPU_COLUMNS, 'busyNs')).toBeLessThan(busy);
  expect(buffersOf(half)).toEqual([half.values.buffer]);
});

test('depth: one word for each lane and bucket, which says what the instants in it say', () => {
  // A bucket all through which somebody waits.
  const coarse = answerTo(trace, { type: 'depth', level: 10, firstBucket: 0, buckets: span >> 10, cpus: [3] });
  if (coarse.type !== 'depth') throw new Error(coarse.type);
  const full = coarse.values.findIndex((word) => (word & 0xffff) >= 256);
  const query = { type: 'depth', level: 0, firstBucket: full << 10, buckets: 50, cpus: [3, 99] } as const;
  const answer = answerTo(trace, query);
  if (answer.type !== 'depth') throw new Error(answer.type);
  const instants = Array.from({ length: 50 }, (_, bucket) => {
    const found = answerTo(trace, { type: 'waitingAt', cpu: 3, at: ns(query.firstBucket + bucket) });
    return found.type === 'waitingAt' ? found.waiting : -1;
  });
  expect([...answer.values].slice(0, 50).map((word) => word >>> 16)).toEqual(instants);
  expect(Math.max(...instants)).toBeGreaterThan(0);
  expect([...answer.values].slice(50)).toEqual(new Array(50).fill(0));
});

test('tasks: their states share out each bucket, and are what stands at an instant', () => {
  const run = aRun();
  const id = run.task ?? -1;
  const found = answerTo(trace, { type: 'tasks', ids: [id], comm: null });
  if (found.type !== 'tasks') throw new Error(found.type);
  const [task] = found.tasks;
  expect(task).toMatchObject({ task: id, pid: run.pid, class: 'fair', prio: { min: 120, max: 120 } });
  expect(task?.comms.map(({ comm }) => comm)).toContain(run.comm);
  const all = answerTo(trace, { type: 'tasks', ids: null, comm: run.comm ?? '' });
  if (all.type !== 'tasks') throw new Error(all.type);
  expect(all.tasks.map(({ task }) => task)).toContain(id);

  const query = { type: 'taskCells', level: 0, firstBucket: run.start, buckets: 2, tasks: [id, 1e9] } as const;
  const answer = answerTo(trace, query);
  if (answer.type !== 'taskCells') throw new Error(answer.type);
  expect(Array.from(answer.cells)).toEqual([255, 0, 255, 0, 0, 0, 0, 0]);
  expect(answer.missing).toEqual([]);
  expect(buffersOf(answer)).toEqual([answer.cells.buffer]);

  const at = answerTo(trace, { type: 'taskStateAt', task: id, at: run.start });
  const place = { cpu: run.cpu, start: run.start };
  expect(at).toMatchObject({ interval: { ...place, state: 'running', end: run.end, run: place } });
  const next = answerTo(trace, { type: 'taskStep', task: id, at: run.start, direction: 1 });
  expect(next).toMatchObject({ interval: { start: run.end } });
  const window = { start: run.start, end: run.end };
  expect(answerTo(trace, { type: 'taskRuns', tasks: [id], window, minWidth: ns(1) })).toEqual({
    type: 'taskRuns',
    runs: [{ task: id, ...place, end: run.end, comm: run.comm }],
    missing: [],
  });
});
