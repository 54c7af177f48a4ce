import { beforeAll, expect, test } from 'vitest';
import { CELL_HIGHLIGHT, EMPTY_KEY } from '../base/cellWords';
import { ns } from '../base/units';
import { openTrace, type TraceLoader } from '../wasm/engine';
import { previewJobOf } from './answers';
import { type Opened, openFixture } from './answersFixture';
import { buffersOf } from './buffers';
import type { Interval, LabelRun, TraceAnswer, TraceQuery } from './protocol';
import { CPU_COLUMNS, TASK_COLUMNS } from './protocolTables';
import { CURVE_WORDS, cpuAt, type TileAnswer, type TileQuery } from './protocolTracks';

/** What crosses to JavaScript has the protocol's shapes. */
let ask: Opened['ask'];
let span: number;
let previewed: Uint32Array;
/** What a preview tells of a CPU's lane. */
let early: {
  readonly runs: readonly Interval[];
  readonly texts: readonly LabelRun[];
  readonly comms: readonly string[];
};
/** The same before each step of building the trace, and how much of it was built then. */
let whileBuilding: { readonly cells: Uint32Array; readonly built: number }[] = [];

const CELLS: TileQuery<'cpu'> = {
  type: 'tile',
  kind: 'cpu',
  variant: 'task',
  keys: [3, 0, 99],
  level: 20,
  first_bucket: 0,
  buckets: 64,
};

beforeAll(async () => {
  ({ ask, span } = await openFixture((loader) => {
    const preview = () => {
      const job = previewJobOf(loader, CELLS);
      if (job === null || job.step()) throw new Error('no preview');
      const answer = job.answer();
      if (answer.type !== 'tile') throw new Error(answer.type);
      return answer.values;
    };
    previewed = preview();
    early = { runs: earlyRuns(loader), texts: earlyTexts(loader), comms: JSON.parse(loader.previewComms(0)) };
    expect(JSON.parse(loader.previewComms(early.comms.length))).toEqual([]);
    expect(earlyAnswer(loader, cpuAt(99, ns(0)))).toMatchObject({ type: 'at', item: null });
    expect(previewJobOf(loader, { type: 'chain', cpu: 0, at: ns(0), hops: 1 })).toBeNull();
    whileBuilding = [];
    do whileBuilding.push({ cells: preview(), built: loader.built() });
    while (loader.buildStep());
    whileBuilding.push({ cells: preview(), built: loader.built() });
  }));
});

function earlyAnswer(loader: TraceLoader, query: TraceQuery): TraceAnswer {
  const job = previewJobOf(loader, query);
  if (job === null || job.step()) throw new Error('no preview');
  return job.answer();
}

/** The runs on CPU 0, found by steps from the first instant on. */
function earlyRuns(loader: TraceLoader): Interval[] {
  const runs: Interval[] = [];
  for (let at = ns(0); ; ) {
    const answer = earlyAnswer(loader, { type: 'step', kind: 'cpu', key: 0, at, direction: 1 });
    if (answer.type !== 'step' || answer.item === null || !('inferred' in answer.item)) return runs;
    runs.push(answer.item);
    expect(earlyAnswer(loader, cpuAt(0, answer.item.start))).toEqual({ ...answer, type: 'at' });
    at = answer.item.start;
  }
}

const TEXTS = {
  type: 'labels',
  kind: 'cpu',
  keys: [0],
  window: { start: ns(0), end: ns(1e9) },
  min_width: ns(1e6),
} as const;

function earlyTexts(loader: TraceLoader): readonly LabelRun[] {
  const answer = earlyAnswer(loader, TEXTS);
  if (answer.type !== 'labels') throw new Error(answer.type);
  return answer.labels as readonly LabelRun[];
}

const tileOf = (query: TileQuery): TileAnswer => ask(query);

const keysOf = (cells: Uint32Array) => cells.filter((_, index) => index % 2 === 0);

test('cells: two words for each lane and bucket, nothing for a CPU that is not there', () => {
  const answer = tileOf(CELLS);
  expect(answer.values).toHaveLength(2 * 3 * 64);
  expect(buffersOf(answer)).toEqual([answer.values.buffer]);
  expect(new Set(keysOf(answer.values.subarray(0, 256))).size).toBeGreaterThan(3);
  expect(new Set(keysOf(answer.values.subarray(256)))).toEqual(new Set([EMPTY_KEY]));
});

test('a preview shows when something runs as the opened trace does', () => {
  const answer = tileOf(CELLS);
  const busy = (cells: Uint32Array) => cells.filter((_, index) => index % 2 === 1).map((word) => word & 0xffff);
  const lane = 64;
  // In a preview the lane of a CPU ends with that CPU's last record, in the trace with the trace's last record.
  expect([...busy(previewed).subarray(0, lane / 2)]).toEqual([...busy(answer.values).subarray(0, lane / 2)]);
});

test('a preview tells the runs of a lane as the opened trace does, without what other CPUs tell of them', () => {
  expect(early.runs.length).toBeGreaterThan(20);
  const known = early.runs.map(({ start }) => {
    const answer = ask(cpuAt(0, start));
    if (answer.item === null) throw new Error(`nothing at ${start}`);
    const { cpu, start: from, end, kind, inferred, open, pid, comm } = answer.item;
    return { cpu, start: from, end, kind, inferred, open, pid, comm };
  });
  expect(early.runs).toEqual(known);
  expect(new Set(early.comms)).toEqual(new Set([...early.comms, ...known.map(({ comm }) => comm)]));
  expect(early.texts.length).toBeGreaterThan(0);
  expect(early.texts).toEqual(ask(TEXTS).labels);
});

test('what was scanned can be previewed at any time while the trace is built', () => {
  expect(whileBuilding.length).toBeGreaterThan(8);
  for (const { cells } of whileBuilding) expect(cells).toEqual(previewed);
  const built = whileBuilding.map(({ built }) => built);
  expect(built).toEqual(built.toSorted((a, b) => a - b));
  expect(built.at(0)).toBe(0);
  expect(built.at(-1)).toBe(1);
});

test('curve: five words for each bucket and the greatest of all', () => {
  const answer = tileOf({
    type: 'tile',
    kind: 'curve',
    variant: null,
    keys: [],
    level: 22,
    first_bucket: 0,
    buckets: 16,
  });
  expect(answer.values).toHaveLength(CURVE_WORDS * 16);
  expect(Math.max(...answer.values.filter((_, at) => at % CURVE_WORDS < 4))).toBeLessThanOrEqual(answer.most);
});

/** The first run on CPU 0 after the middle of the trace. */
function aRun(): Interval {
  const answer = ask({ type: 'step', kind: 'cpu', key: 0, at: ns(span / 2), direction: 1 });
  // Answers do not name their kind, so the type has to be narrowed by a field.
  if (answer?.type !== 'step' || answer.item === null || !('kind' in answer.item))
    throw new Error('no run after the middle');
  return answer.item;
}

test('at, step, chain: intervals with the fields of a run', () => {
  const run = aRun();
  expect(run).toMatchObject({ cpu: 0, kind: 'run', inferred: false });
  expect(run.comm).toEqual(expect.any(String));
  expect(ask(cpuAt(0, run.start))).toEqual({ type: 'at', kind: 'cpu', item: run });
  const before = ask({ type: 'step', kind: 'cpu', key: 0, at: run.end, direction: -1 });
  expect(before).toMatchObject({ item: { cpu: 0 } });
  expect(ask(cpuAt(99, ns(0)))).toEqual({ type: 'at', kind: 'cpu', item: null });
  const answer = ask({ type: 'chain', cpu: 0, at: run.start, hops: 4 });
  if (answer?.type !== 'chain' || answer.chain === null) throw new Error('no chain');
  expect(answer.chain.run).toEqual(run);
  expect(answer.chain.back.length).toBeLessThanOrEqual(4);
  expect(['interrupt', 'idle', 'trace_start', 'unknown', 'limit']).toContain(answer.chain.ends_at);
});

test('a highlighted task keeps its cells and can be found; times between nanoseconds are rounded down', () => {
  const { task = -1, start } = aRun();
  const view: TraceQuery = {
    type: 'set_view',
    spec: { forked: false, movable: false, highlight: { kind: 'task', task } },
  };
  expect(ask(view)).toEqual({ type: 'set_view' });
  const found = ask({ type: 'step', kind: 'cpu', key: 0, at: ns(start - 0.5), direction: 1 });
  expect(found).toMatchObject({ item: { task } });
  const whole = tileOf({ ...CELLS, level: 34, buckets: 1, keys: [0] });
  expect(whole.values[0]).toBe(task);
  expect((whole.values[1] ?? 0) & CELL_HIGHLIGHT).not.toBe(0);
  ask({ type: 'set_view', spec: { forked: false, movable: false, highlight: { kind: 'none' } } });
});

test('commands, labels and stats of a window lie within those of the whole', () => {
  const window = { start: ns(span / 4), end: ns(span / 2) };
  const [whole, part] = [null, window].map((asked) => ask({ type: 'commands', window: asked }));
  if (whole?.type !== 'commands' || part?.type !== 'commands') throw new Error('no commands');
  expect(whole.rows[0]).toMatchObject({
    comm: expect.any(String),
    comm_id: expect.any(Number),
    pids: expect.any(Number),
  });
  for (const row of part.rows) {
    const all = whole.rows.find(({ comm }) => comm === row.comm);
    expect(row.execution_ns).toBeLessThanOrEqual(all?.execution_ns ?? 0);
  }
  const labels = ask({ type: 'labels', kind: 'cpu', keys: [0], window, min_width: ns(0) });
  if (labels?.type !== 'labels') throw new Error('no labels');
  expect(labels.labels[0]).toMatchObject({ cpu: 0, pid: expect.any(Number), comm: expect.any(String) });
  expect(ask({ type: 'stats', window })).toMatchObject({
    stats: { running: { max: expect.any(Number) }, cost_task_ns: expect.any(Number) },
  });
});

test('a topology is understood, and orders the CPUs; moves are counted, and listed when they are few', () => {
  expect(ask({ type: 'parse_topology', text: '2x16' })).toEqual({
    type: 'parse_topology',
    topology: null,
    error: expect.stringContaining('SOCKETSxCORESxTHREADS'),
  });
  const answer = ask({ type: 'set_topology', text: '2x2x2,siblings' });
  if (answer?.type !== 'set_topology' || answer.topology === null) throw new Error('not understood');
  expect(answer.topology).toMatchObject({ canonical: '2x2x2,siblings', sockets: 2, llcs: 2, cores: 4 });
  expect(answer.topology.cpus[3]).toEqual({ cpu: 3, socket: 0, node: 0, llc: 0, core: 1 });
  const window = { start: ns(0), end: ns(span) };
  const cpus = [0, 1, 2, 3, 4, 5, 6, 7];
  const moves = ask({ type: 'moves', window, cpus, most: 1e6 });
  if (moves?.type !== 'moves' || moves.moves === null) throw new Error('no moves');
  const far = moves.moves.filter(({ cpu, from }) => cpu < 4 !== from < 4);
  expect(far.length).toBeGreaterThan(0);
  expect(moves.counts.machine).toBe(far.length);
  expect(far.every(({ distance }) => distance === 'machine')).toBe(true);
  expect(ask({ type: 'moves', window, cpus, most: moves.moves.length - 1 })).toEqual({
    ...moves,
    moves: null,
  });
  expect(ask({ type: 'set_topology', text: null })).toMatchObject({ topology: null, error: null });
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
  expect(JSON.parse(String(thrown))).toMatchObject({ kind: 'not_a_trace', where: null, advice: expect.any(String) });
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
  const tasks = ask({ type: 'task_table', window: null });
  if (tasks?.type !== 'task_table') throw new Error(`${tasks?.type}`);
  const width = TASK_COLUMNS.length;
  expect(tasks.values.length % width).toBe(0);
  expect(tasks.values.length / width).toBeGreaterThan(20);
  const cpus = ask({ type: 'cpu_table', window: null });
  if (cpus?.type !== 'cpu_table') throw new Error(`${cpus?.type}`);
  expect(cpus.values).toHaveLength(8 * CPU_COLUMNS.length);
  const sum = (values: Float64Array, columns: readonly string[], column: string) =>
    values.filter((_, index) => index % columns.length === columns.indexOf(column)).reduce((a, b) => a + b, 0);
  const busy = sum(cpus.values, CPU_COLUMNS, 'busy_ns');
  expect(sum(tasks.values, TASK_COLUMNS, 'execution_ns')).toBe(busy);
  expect(busy + sum(cpus.values, CPU_COLUMNS, 'idle_ns') + sum(cpus.values, CPU_COLUMNS, 'unknown_ns')).toBe(8 * span);
  const half = ask({ type: 'cpu_table', window: { start: ns(0), end: ns(span / 2) } });
  if (half?.type !== 'cpu_table') throw new Error(`${half?.type}`);
  expect(sum(half.values, CPU_COLUMNS, 'busy_ns')).toBeLessThan(busy);
  expect(buffersOf(half)).toEqual([half.values.buffer]);
});

test('runqueue: one word for each lane and bucket, which says what the instants in it say', () => {
  // A bucket throughout which a task waits.
  const tile = { type: 'tile', kind: 'runqueue', variant: null } as const;
  const coarse = tileOf({ ...tile, level: 10, first_bucket: 0, buckets: span >> 10, keys: [3] });
  const full = coarse.values.findIndex((word) => (word & 0xffff) >= 256);
  const query = { ...tile, level: 0, first_bucket: full << 10, buckets: 50, keys: [3, 99] } as const;
  const answer = tileOf(query);
  const instants = Array.from({ length: 50 }, (_, bucket) => {
    const found = ask({ type: 'at', kind: 'runqueue', key: 3, at: ns(query.first_bucket + bucket) });
    return found?.type === 'at' ? found.item : -1;
  });
  expect([...answer.values].slice(0, 50).map((word) => word >>> 16)).toEqual(instants);
  expect(Math.max(...instants.map(Number))).toBeGreaterThan(0);
  expect([...answer.values].slice(50)).toEqual(new Array(50).fill(0));
});

test('tasks: their states share out each bucket, and are what stands at an instant', () => {
  const run = aRun();
  const id = run.task ?? -1;
  const found = ask({ type: 'tasks', ids: [id], comm: null });
  if (found?.type !== 'tasks') throw new Error(`${found?.type}`);
  const [task] = found.tasks;
  expect(task).toMatchObject({ task: id, pid: run.pid, class: 'fair', prio: { min: 120, max: 120 } });
  expect(task?.comms.map(({ comm }) => comm)).toContain(run.comm);
  const all = ask({ type: 'tasks', ids: null, comm: run.comm ?? '' });
  if (all?.type !== 'tasks') throw new Error(`${all?.type}`);
  expect(all.tasks.map(({ task }) => task)).toContain(id);

  const tile = { type: 'tile', kind: 'task', variant: null, level: 0, first_bucket: run.start, buckets: 2 } as const;
  const answer = tileOf({ ...tile, keys: [id, 1e9] });
  expect(Array.from(answer.values)).toEqual([255, 0, 255, 0, 0, 0, 0, 0]);
  expect(buffersOf(answer)).toEqual([answer.values.buffer]);

  const at = ask({ type: 'at', kind: 'task', key: id, at: run.start });
  const place = { cpu: run.cpu, start: run.start };
  expect(at).toMatchObject({ item: { ...place, state: 'running', end: run.end, run: place } });
  const next = ask({ type: 'step', kind: 'task', key: id, at: run.start, direction: 1 });
  expect(next).toMatchObject({ item: { start: run.end } });
  const window = { start: run.start, end: run.end };
  expect(ask({ type: 'labels', kind: 'task', keys: [id], window, min_width: ns(1) })).toEqual({
    type: 'labels',
    kind: 'task',
    labels: [{ task: id, ...place, end: run.end, comm: run.comm }],
  });
});
