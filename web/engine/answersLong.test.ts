import { beforeAll, expect, test } from 'vitest';
import { ns } from '../base/units';
import { jobOf } from './answers';
import { type Opened, openFixture } from './answersFixture';
import type { AnswerTo } from './pending';
import type { ModelSelection, TraceQuery } from './protocol';
import { cpuAt } from './protocolTracks';

/** Long questions: answers have the protocol's shapes, and times count from the first record. */
const SELECTION: ModelSelection = {
  window: null,
  forked: false,
  movable: false,
  target: null,
  comms: [],
  pids: [],
  cpus: null,
};

let opened: Opened;

beforeAll(async () => {
  opened = await openFixture();
});

/** Runs a query to its answer and checks that its progress grows. */
function run<Q extends TraceQuery>(query: Q): AnswerTo<Q> {
  const job = jobOf(opened.trace, query);
  let share = 0;
  expect(job.isUrgent).toBe(false);
  while (job.step()) {
    expect(job.share()).toBeGreaterThanOrEqual(share);
    share = job.share();
    expect(share).toBeLessThanOrEqual(1);
  }
  return job.answer() as AnswerTo<Q>;
}

test('findings name runs that are there, and come in part before all are found', () => {
  const { ask, span, trace } = opened;
  const job = jobOf(trace, { type: 'findings', selection: SELECTION, top: 5 });
  const partial: number[] = [];
  while (job.step()) {
    const answer = job.partial();
    if (answer?.type === 'findings') {
      expect(answer.done).toBe(false);
      partial.push(answer.findings.length);
    }
  }
  const answer = job.answer();
  if (answer.type !== 'findings') throw new Error(answer.type);
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
    expect(ask(cpuAt(run.cpu, run.start_ns)).item).toMatchObject({ kind: 'run', start: run.start_ns });
  }
});

test('a worst latency leads to its placement and its wait', () => {
  const { report, groups } = run({ type: 'latency', selection: SELECTION, by: 'cpu', top: 3 });
  expect(groups).toHaveLength(8);
  expect(report.clock.sched_waking + report.clock.sched_wakeup + report.clock.sched_wakeup_new).toBe(report.count);
  for (const worst of report.worst) {
    const { cpu, running_ns: at } = worst;
    if (cpu === null || at === null) throw new Error('a latency without a run');
    expect(opened.ask({ type: 'placement', cpu, at }).placement).toEqual(worst);
    const { wait } = opened.ask({ type: 'wait', cpu, at });
    expect(wait).toMatchObject({ pid: worst.wakee.pid, until_ns: at, cpu });
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
  const { span } = opened;
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

test('what a line tells of a selection is what its overloads begin with', () => {
  const { span } = opened;
  for (const window of [null, { start: ns(span / 4), end: ns(span / 2) }]) {
    const selection = { ...SELECTION, window };
    const { report } = run({ type: 'overload', selection, min_duration: ns(0), top: 1 });
    const { behind_ns, worst } = run({ type: 'behind', selection });
    expect(report.behind).toHaveLength(1);
    expect([behind_ns, worst]).toEqual([report.behind_ns, report.behind[0]]);
  }
});

test('nothing is explained where nothing runs', () => {
  const { ask, span } = opened;
  expect(ask({ type: 'wait', cpu: 99, at: ns(0) })).toEqual({ type: 'wait', wait: null });
  expect(ask({ type: 'placement', cpu: 0, at: ns(span) })).toEqual({ type: 'placement', placement: null });
});
