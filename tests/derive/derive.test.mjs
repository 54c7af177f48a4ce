// @ts-check
// Tests of the derivation itself, on reports that are small enough to work out by hand.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from './corelane.mjs';
import { deriveClaims, FreeCpus } from './free.mjs';
import { deriveNumbers, deriveTrace } from './numbers.mjs';
import { parseStateTable, stateLetters } from './printFmt.mjs';
import { ReportReader } from './report.mjs';
import { deriveStates } from './states.mjs';

const MASK = '((((0x0000 | 0x0001 | 0x0002 | 0x0004 | 0x0008 | 0x0010 | 0x0020 | 0x0040) + 1) << 1) - 1)';
const PRINT_FMT =
  `print fmt: "prev_state=%s%s", (REC->prev_state & ${MASK}) ? __print_flags(REC->prev_state & ${MASK}, "|", ` +
  '{ 0x0001, "S" }, { 0x0002, "D" }, { 0x0010, "X" }, { 0x0020, "Z" }, { 0x0080, "I" }) : "R", ' +
  'REC->prev_state & (((0x0000 | 0x0001 | 0x0002 | 0x0004 | 0x0008 | 0x0010 | 0x0020 | 0x0040) + 1) << 1) ? "+" : ""';

/**
 * @param {number} cpus
 * @param {string[]} lines `CPU time-in-ns event fields`, or a line as it is
 */
function derive(cpus, lines) {
  const reader = new ReportReader();
  reader.push(`cpus=${cpus}`);
  for (const line of lines) {
    const [, cpu, ns, event, fields] = /^(\d) +(\d+) +(\S+) +(.*)$/.exec(line) ?? [];
    if (cpu === undefined) reader.push(line);
    else reader.push(`  any-0  [00${cpu}]  7.${ns.padStart(9, '0')}: ${event}:   ${fields}`);
  }
  const trace = deriveTrace(reader.finish(), PRINT_FMT);
  return { ...trace, ...deriveNumbers(trace) };
}

/**
 * @param {string} prev comm-pid
 * @param {number} state
 * @param {string} next comm-pid
 */
function switched(prev, state, next) {
  const [prevComm, prevPid] = prev.split('-');
  const [nextComm, nextPid] = next.split('-');
  return (
    `prev_comm=${prevComm} prev_pid=${prevPid} prev_prio=120 prev_state=${state} ` +
    `next_comm=${nextComm} next_pid=${nextPid} next_prio=120`
  );
}

/**
 * @param {string} task comm-pid
 * @param {number} [cpu] on which it is put, or has been
 */
function woken(task, cpu = 0) {
  const [comm, pid] = task.split('-');
  return `comm=${comm} pid=${pid} prio=120 target_cpu=00${cpu}`;
}

/** @param {import('./lanes.mjs').Interval[]} lane */
function drawn(lane) {
  return lane.map(({ start, end, kind, comm }) => `${start}-${end} ${kind === 'run' ? comm : kind}`).join(', ');
}

test('state letters come from the print fmt, old and new', () => {
  const table = parseStateTable(PRINT_FMT);
  assert.deepEqual(
    [0, 1, 2, 0x80, 0x100, 0x12].map((raw) => stateLetters(table, raw)),
    ['R', 'S', 'D', 'I', 'R+', 'D|X'],
  );
  const old = parseStateTable(
    '"%s", REC->prev_state & (1024-1) ? __print_flags(REC->prev_state & (1024-1), "|", { 1, "S"} , { 16, "Z" }) : "R", ' +
      'REC->prev_state & 1024 ? "+" : ""',
  );
  assert.deepEqual([stateLetters(old, 16), stateLetters(old, 1024)], ['Z', 'R+']);
});

test('a lane begins with whoever is switched out first and is open to the end', () => {
  const { lanes } = derive(2, [
    `0 10 sched_switch ${switched('a-5', 1, 'swapper/0-0')}`,
    `0 30 sched_switch ${switched('swapper/0-0', 0, 'my comm-6')}`,
    '0 50 sched_stat_runtime comm=b pid=6',
  ]);
  assert.equal(drawn(lanes[0]), '10-30 idle, 30-50 my comm');
  assert.equal(drawn(lanes[1]), '10-50 unknown');
});

test('a gap makes a CPU unknown from its last record to its next switch', () => {
  const { lanes, report } = derive(2, [
    `1 0 sched_waking ${woken('a-5')}`,
    `0 10 sched_switch ${switched('swapper/0-0', 0, 'a-5')}`,
    '0 20 sched_stat_runtime comm=a pid=5',
    '1 30 sched_stat_runtime comm=x pid=9',
    'CPU:0 [17 EVENTS DROPPED]',
    `0 40 sched_waking ${woken('b-6')}`,
    `0 50 sched_switch ${switched('b-6', 0, 'a-5')}`,
    'CPU:1 [EVENTS DROPPED]',
    `1 60 sched_switch ${switched('x-9', 1, 'swapper/1-0')}`,
    '1 70 sched_stat_runtime comm=x pid=9',
  ]);
  assert.equal(drawn(lanes[0]), '0-10 idle, 10-20 a, 20-50 unknown, 50-70 a');
  assert.equal(drawn(lanes[1]), '0-60 unknown, 60-70 idle');
  assert.deepEqual([report.lostEvents, report.lostGaps], [17, 2]);
});

test('waiting starts at the wakeup, latency at the waking; preempted tasks wait without latency', () => {
  const { stats, tasks } = derive(2, [
    `0 0 sched_switch ${switched('a-5', 1, 'b-6')}`,
    `0 10 sched_waking ${woken('a-5')}`,
    `0 12 sched_wakeup ${woken('a-5')}`,
    `0 20 sched_switch ${switched('b-6', 0x100, 'a-5')}`,
    `0 26 sched_wakeup ${woken('a-5')}`,
    `0 30 sched_switch ${switched('a-5', 1, 'b-6')}`,
    '0 40 sched_stat_runtime comm=b pid=6',
  ]);
  assert.deepEqual(stats.wakeups.latency_ns, { p50: 10, p90: 10, p99: 10, max: 10 });
  assert.deepEqual(
    tasks.map(({ pid, execution, waiting, switchesTo }) => ({ pid, execution, waiting, switchesTo })),
    [
      { pid: 5, execution: 10, waiting: 8, switchesTo: 1 },
      { pid: 6, execution: 30, waiting: 10, switchesTo: 2 },
    ],
  );
  assert.equal(stats.waiting.mean, 18 / 40);
  assert.equal(stats.running.mean, 1);
});

test('a deadline task that gives way to a lesser class does not wait', () => {
  const { stats, tasks } = derive(1, [
    `0 0 sched_switch ${switched('swapper/0-0', 0, 'd-5').replace('next_prio=120', 'next_prio=-1')}`,
    `0 10 sched_switch ${switched('d-5', 0, 'a-6').replace('prev_prio=120', 'prev_prio=-1')}`,
    `0 30 sched_switch ${switched('a-6', 0x100, 'd-5').replace('next_prio=120', 'next_prio=-1')}`,
    '0 40 sched_stat_runtime comm=d pid=5',
  ]);
  assert.deepEqual(
    tasks.map(({ pid, execution, waiting, throttled }) => ({ pid, execution, waiting, throttled })),
    [
      { pid: 5, execution: 20, waiting: 0, throttled: 20 },
      { pid: 6, execution: 20, waiting: 10, throttled: 0 },
    ],
  );
  assert.equal(stats.waiting.mean, 10 / 40);
});

test('what holds for no time is no maximum', () => {
  const { stats } = derive(2, [
    `0 0 sched_switch ${switched('swapper/0-0', 0, 'a-5')}`,
    `1 0 sched_switch ${switched('b-6', 1, 'swapper/1-0')}`,
    `0 10 sched_switch ${switched('a-5', 1, 'swapper/0-0')}`,
    `1 10 sched_switch ${switched('swapper/1-0', 0, 'b-6')}`,
    '1 20 sched_stat_runtime comm=b pid=6',
  ]);
  assert.deepEqual(stats.running, { mean: 1, max: 1 });
});

test('overload is waiting beside an idle CPU, and its intervals are maximal', () => {
  const { stats } = derive(2, [
    `0 0 sched_switch ${switched('swapper/0-0', 0, 'a-5')}`,
    `1 0 sched_switch ${switched('x-9', 1, 'swapper/1-0')}`,
    `0 10 sched_wakeup ${woken('b-6', 1)}`,
    `0 20 sched_wakeup ${woken('c-7', 1)}`,
    `1 30 sched_switch ${switched('swapper/1-0', 0, 'b-6')}`,
    `1 50 sched_switch ${switched('b-6', 1, 'swapper/1-0')}`,
    `1 60 sched_switch ${switched('swapper/1-0', 0, 'c-7')}`,
    '1 70 sched_stat_runtime comm=c pid=7',
  ]);
  assert.deepEqual(stats.overload, {
    violation_ns: 30,
    cost_task_ns: 30,
    intervals: 2,
    // b and c waited for CPU 1 while it was idle, and from 30 to 50 c waited
    // behind b while no CPU was idle.
    behind_ns: 0,
    behind_cost_task_ns: 0,
    behind_intervals: 0,
    bound_ns: 0,
    bound_task_ns: 0,
    leaving_idle_ns: 30,
    leaving_idle_task_ns: 40,
  });
});

test('who waits for an idle CPU is told apart from who waits behind somebody', () => {
  const { stats } = derive(3, [
    `0 0 sched_switch ${switched('swapper/0-0', 0, 'a-5')}`,
    `1 0 sched_switch ${switched('x-9', 1, 'swapper/1-0')}`,
    `2 0 sched_switch ${switched('y-8', 1, 'swapper/2-0')}`,
    // They wait behind a on CPU 0 while CPUs 1 and 2 idle; from 20 to 25, d is on its way onto CPU 1.
    `0 10 sched_wakeup ${woken('b-6')}`,
    `0 15 sched_wakeup ${woken('c-7')}`,
    `1 20 sched_wakeup ${woken('d-4', 1)}`,
    `1 25 sched_switch ${switched('swapper/1-0', 0, 'd-4')}`,
    `0 30 sched_switch ${switched('a-5', 1, 'b-6')}`,
    `2 34 sched_switch ${switched('swapper/2-0', 0, 'y-8')}`,
    `0 40 sched_switch ${switched('b-6', 1, 'c-7')}`,
    '0 50 sched_stat_runtime comm=c pid=7',
  ]);
  assert.deepEqual(stats.overload, {
    violation_ns: 24,
    // One task until 15, two until 25 (of b, c and d), then CPU 2 alone.
    cost_task_ns: 5 + 2 * 10 + 9,
    intervals: 1,
    behind_ns: 24,
    behind_cost_task_ns: 5 + 2 * 5 + 5 + 9,
    behind_intervals: 1,
    bound_ns: 0,
    bound_task_ns: 0,
    leaving_idle_ns: 5,
    leaving_idle_task_ns: 5,
  });
});

test('a CPU is free while it is idle and no task is queued there or on its way there', () => {
  /** @param {string} task @param {number} cpu */
  const put = (task, cpu) => woken(task).replace('000', `00${cpu}`);
  const trace = derive(2, [
    `0 0 sched_switch ${switched('swapper/0-0', 0, 'a-5')}`,
    `1 0 sched_switch ${switched('x-9', 1, 'swapper/1-0')}`,
    // b is on its way to CPU 1 from 10 on, and queued there from 14 on, until it is moved to CPU 0.
    `0 10 sched_waking ${put('b-6', 0)}`,
    `1 14 sched_wakeup ${put('b-6', 1)}`,
    `0 20 sched_migrate_task ${woken('b-6').replace(' target_cpu=000', ' orig_cpu=1 dest_cpu=0')}`,
    // r overtakes c, who is queued there since 30.
    `0 28 sched_waking ${put('c-7', 1)}`,
    `0 30 sched_wakeup ${put('c-7', 1)}`,
    `0 32 sched_waking ${put('r-4', 1)}`,
    `0 34 sched_wakeup ${put('r-4', 1)}`,
    `1 40 sched_switch ${switched('swapper/1-0', 0, 'r-4')}`,
    `1 42 sched_switch ${switched('r-4', 1, 'c-7')}`,
    `1 44 sched_switch ${switched('c-7', 1, 'swapper/1-0')}`,
    // Nothing tells since when y was there.
    `1 50 sched_switch ${switched('swapper/1-0', 0, 'y-8')}`,
    `1 52 sched_switch ${switched('y-8', 1, 'swapper/1-0')}`,
    '0 60 sched_stat_runtime comm=a pid=5',
  ]);
  const free = new FreeCpus(trace.lanes, deriveClaims(trace.report, trace.letters));
  /** @type {[number, boolean | undefined][]} */
  const known = [
    [5, true],
    [10, true],
    [11, false],
    [14, false],
    [19, false],
    [20, true],
    [28, true],
    [31, false],
    [39, false],
    [41, false],
    [45, undefined],
    [53, true],
  ];
  assert.deepEqual(
    known.map(([t]) => [t, free.isFree(1, t)]),
    known,
  );
  assert.equal(free.isFree(0, 5), false);
});

test('who has claimed a CPU is known across an exec of a thread', () => {
  const trace = derive(3, [
    `0 0 sched_switch ${switched('swapper/0-0', 0, 'lead-5')}`,
    `1 0 sched_switch ${switched('swapper/1-0', 0, 'thread-6')}`,
    `2 0 sched_switch ${switched('x-9', 1, 'swapper/2-0')}`,
    // The leader is preempted while it exits. The thread takes its pid, so it moves and leaves as 6.
    `0 10 sched_switch ${switched('lead-5', 0, 'y-8')}`,
    '1 20 sched_process_exec filename=/tmp/program pid=5 old_pid=6',
    `2 30 sched_migrate_task ${woken('lead-6').replace(' target_cpu=000', ' orig_cpu=0 dest_cpu=2')}`,
    `2 40 sched_switch ${switched('swapper/2-0', 0, 'lead-6')}`,
    `2 42 sched_switch ${switched('lead-6', 32, 'swapper/2-0')}`,
    `1 50 sched_switch ${switched('program-5', 1, 'swapper/1-0')}`,
    `0 60 sched_waking ${woken('program-5', 1)}`,
    `0 62 sched_wakeup ${woken('program-5', 1)}`,
    `1 70 sched_switch ${switched('swapper/1-0', 0, 'program-5')}`,
    '0 80 sched_stat_runtime comm=y pid=8',
  ]);
  const free = new FreeCpus(trace.lanes, deriveClaims(trace.report, trace.letters));
  assert.deepEqual(
    [5, 30, 35, 45].map((t) => free.isFree(2, t)),
    [true, true, false, true],
  );
  assert.deepEqual(
    [25, 55, 60, 65].map((t) => free.isFree(1, t)),
    [false, true, true, false],
  );
});

test('a task is on its way once it has left the CPU it ran on, also where its state reads as R', () => {
  const trace = derive(3, [
    `0 0 sched_switch ${switched('swapper/0-0', 0, 'boss-5')}`,
    `1 0 sched_switch ${switched('swapper/1-0', 0, 'a-6')}`,
    `2 0 sched_switch ${switched('x-9', 1, 'swapper/2-0')}`,
    `0 10 sched_waking ${woken('a-6', 1)}`,
    `1 20 sched_switch ${switched('a-6', 0, 'swapper/1-0')}`,
    `0 30 sched_migrate_task ${woken('a-6').replace(' target_cpu=000', ' orig_cpu=1 dest_cpu=2')}`,
    `0 32 sched_wakeup ${woken('a-6', 2)}`,
    `2 40 sched_switch ${switched('swapper/2-0', 0, 'a-6')}`,
    '0 50 sched_stat_runtime comm=boss pid=5',
  ]);
  const free = new FreeCpus(trace.lanes, deriveClaims(trace.report, trace.letters));
  assert.deepEqual(
    [15, 25, 35].map((t) => free.isFree(2, t)),
    [true, false, false],
  );
  assert.equal(free.isFree(1, 25), true);
});

test('without sched_wakeup, a waking claims the CPU that it names', () => {
  const trace = derive(2, [
    `0 0 sched_switch ${switched('swapper/0-0', 0, 'boss-5')}`,
    `1 0 sched_switch ${switched('swapper/1-0', 0, 'a-6')}`,
    // It is woken on its way to sleep, then asleep.
    `0 10 sched_waking ${woken('a-6', 1)}`,
    `1 20 sched_switch ${switched('a-6', 1, 'swapper/1-0')}`,
    `1 30 sched_switch ${switched('swapper/1-0', 0, 'a-6')}`,
    `1 40 sched_switch ${switched('a-6', 1, 'swapper/1-0')}`,
    `0 50 sched_waking ${woken('a-6', 1)}`,
    `1 60 sched_switch ${switched('swapper/1-0', 0, 'a-6')}`,
    '0 70 sched_stat_runtime comm=boss pid=5',
  ]);
  const free = new FreeCpus(trace.lanes, deriveClaims(trace.report, trace.letters));
  assert.deepEqual(
    [25, 45, 50, 55].map((t) => free.isFree(1, t)),
    [false, true, true, false],
  );
});

test('a move of a throttled deadline task claims the CPU to which it goes', () => {
  const trace = derive(2, [
    `0 0 sched_switch ${switched('swapper/0-0', 0, 'dl-5').replace(/120$/, '-1')}`,
    `1 0 sched_switch ${switched('x-9', 1, 'swapper/1-0')}`,
    `0 10 sched_switch ${switched('dl-5', 0, 'a-6').replace('prev_prio=120', 'prev_prio=-1')}`,
    `0 20 sched_migrate_task ${woken('dl-5').replace(' target_cpu=000', ' orig_cpu=0 dest_cpu=1')}`,
    `1 30 sched_switch ${switched('swapper/1-0', 0, 'dl-5').replace(/120$/, '-1')}`,
    '0 40 sched_stat_runtime comm=a pid=6',
  ]);
  const free = new FreeCpus(trace.lanes, deriveClaims(trace.report, trace.letters));
  assert.deepEqual(
    [15, 20, 25].map((t) => free.isFree(1, t)),
    [true, true, false],
  );
});

test('a CPU is free before it goes offline', () => {
  const trace = derive(2, [
    `0 0 sched_switch ${switched('swapper/0-0', 0, 'a-5')}`,
    `1 0 sched_switch ${switched('x-9', 1, 'swapper/1-0')}`,
    `0 10 sched_wakeup ${woken('migration/1-7', 1)}`,
    `1 20 sched_switch ${switched('swapper/1-0', 0, 'migration/1-7')}`,
    '0 20000000 sched_stat_runtime comm=a pid=5',
  ]);
  const free = new FreeCpus(trace.lanes, deriveClaims(trace.report, trace.letters));
  assert.deepEqual(
    [5, 15, 25].map((t) => free.isFree(1, t)),
    [true, false, undefined],
  );
});

test('migrations are told apart by what happened to the task before', () => {
  const { stats } = derive(1, [
    `0 0 sched_switch ${switched('a-5', 0, 'b-6')}`,
    `0 1 sched_migrate_task ${woken('a-5')}`,
    `0 2 sched_waking ${woken('c-7')}`,
    `0 3 sched_migrate_task ${woken('c-7')}`,
    `0 4 sched_wakeup ${woken('c-7')}`,
    '0 5 sched_move_numa pid=6 tgid=6',
    `0 6 sched_migrate_task ${woken('b-6')}`,
    `0 7 sched_migrate_task ${woken('b-6')}`,
  ]);
  assert.deepEqual(stats.migrations, { total: 4, placement: 1, load_balance: 1, numa: 1, other: 1, derived: 0 });
});

test('a fork of a known pid is a new generation, and the dead are not woken', () => {
  const { tasks } = derive(1, [
    `0 0 sched_switch ${switched('a-5', 16, 'b-6')}`,
    `0 1 sched_wakeup ${woken('a-5')}`,
    '0 2 sched_process_fork parent_comm=b parent_pid=6 child_comm=b child_pid=5',
    `0 3 sched_wakeup_new ${woken('b-5')}`,
    '0 9 sched_stat_runtime comm=b pid=6',
  ]);
  assert.deepEqual(
    tasks.map(({ pid, generation, waiting }) => [pid, generation, waiting]),
    [
      [5, 0, 0],
      [6, 0, 0],
      [5, 1, 6],
    ],
  );
});

test('a selection clips intervals, and counts the events and clocks that lie in it', () => {
  const trace = derive(1, [
    `0 0 sched_switch ${switched('a-5', 1, 'sleep-6')}`,
    `0 5 sched_waking ${woken('a-5')}`,
    `0 10 sched_process_exit ${woken('sleep-6')}`,
    '0 10 sched_process_fork parent_comm=sleep parent_pid=6 child_comm=b child_pid=7',
    `0 11 sched_wakeup_new ${woken('b-7')}`,
    `0 20 sched_switch ${switched('sleep-6', 16, 'a-5')}`,
    `0 30 sched_switch ${switched('a-5', 1, 'b-7')}`,
    '0 50 sched_stat_runtime comm=b pid=7',
  ]);
  assert.equal(trace.afterSleep, 10);
  const after = deriveNumbers(trace, { from: 10 });
  assert.equal(after.first, 10);
  assert.deepEqual([after.commands.get('sleep')?.execution, after.commands.get('sleep')?.switchesTo], [10, 0]);
  assert.deepEqual(after.stats.wakeups.count, 1);
  const forked = deriveNumbers(trace, { forked: true });
  assert.deepEqual([...forked.commands.keys()], ['b']);
  assert.deepEqual(forked.stats.running, { mean: 20 / 50, max: 1 });
  assert.deepEqual(forked.stats.waiting, { mean: 19 / 50, max: 1 });
  assert.deepEqual(forked.stats.busy_ns_per_cpu, [50]);
});

test('integers of the JSON keep all their digits', () => {
  const parsed = parseJson('{"a":1795213798044080190,"b":"12345678901234567890","c":12.000000000000000001}');
  assert.deepEqual(parsed, { a: 1795213798044080190n, b: '12345678901234567890', c: 12 });
});

test('the states of a task tile the trace, each proven by an event', () => {
  const { report, letters } = derive(2, [
    `0 0 sched_switch ${switched('a-5', 2, 'b-6')}`,
    '0 5 sched_process_fork parent_comm=b parent_pid=6 child_comm=b child_pid=7',
    `0 6 sched_wakeup_new ${woken('b-7')}`,
    `1 10 sched_wakeup ${woken('a-5')}`,
    `1 20 sched_switch ${switched('swapper/1-0', 0, 'a-5').replace('next_prio=120', 'next_prio=-1')}`,
    `0 30 sched_switch ${switched('b-6', 0x100, 'b-7')}`,
    '0 34 sched_stat_runtime comm=b pid=7',
    'CPU:0 [EVENTS DROPPED]',
    `0 40 sched_switch ${switched('c-6', 0x20, 'swapper/0-0')}`,
    `1 44 sched_switch ${switched('a-5', 0x80, 'swapper/1-0')}`,
    '1 50 sched_stat_runtime comm=x pid=9',
  ]);
  const stories = deriveStates(report, letters).map(({ pid, rows }) => {
    const told = rows.map(({ start, end, state, cpu, letters }) => `${start}-${end} ${state} ${cpu} ${letters}`);
    return [pid, told.join(', ').replaceAll(' undefined', '')];
  });
  assert.deepEqual(stories, [
    [5, '0-10 blocked D, 10-20 runnable 1, 20-44 running 1 I, 44-50 sleeping I'],
    // Preempted and, as far as is known, waiting: it came onto the CPU while events were lost, and died.
    [6, '0-30 running 0 R+, 30-40 runnable R+, 40-50 dead Z'],
    [7, '0-5 unborn, 5-6 new, 6-30 runnable 0, 30-34 running 0, 34-50 unknown'],
  ]);
});

test('a broken chain is unknown from the earlier switch on, unless an exec changed the pid', () => {
  const { lanes, story } = derive(1, [
    `0 0 sched_switch ${switched('swapper/0-0', 0, 'mine-5')}`,
    `0 10 sched_switch ${switched('mine-5', 1, 'other-6')}`,
    `0 90 sched_switch ${switched('third-7', 1, 'mine-5')}`,
    '0 99 sched_stat_runtime comm=mine pid=5',
  ]);
  assert.equal(drawn(lanes[0]), '0-10 mine, 10-90 unknown, 90-99 mine');
  assert.equal(story.runs.find(({ comm }) => comm === 'other')?.end, 10);
});

test('a CPU is offline from its stopper on, which is no hole', () => {
  const { lanes } = derive(2, [
    `0 0 sched_switch ${switched('swapper/0-0', 0, 'a-5')}`,
    `1 10 sched_switch ${switched('b-6', 1, 'migration/1-19')}`,
    `1 80 sched_switch ${switched('swapper/1-0', 0, 'cpuhp/1-18')}`,
    '0 99 sched_stat_runtime comm=a pid=5',
  ]);
  assert.equal(drawn(lanes[1]), '0-10 b, 10-80 unknown, 80-99 cpuhp/1');
});

test('a waking of a waiting task shows that it ran unseen', () => {
  const { stats, story } = derive(1, [
    `0 0 sched_switch ${switched('a-5', 1, 'b-6')}`,
    `0 10 sched_waking ${woken('a-5')}`,
    `0 12 sched_wakeup ${woken('a-5')}`,
    `0 60 sched_waking ${woken('a-5')}`,
    `0 62 sched_wakeup ${woken('a-5')}`,
    `0 80 sched_switch ${switched('b-6', 1, 'a-5')}`,
    '0 100 sched_stat_runtime comm=a pid=5',
  ]);
  assert.equal(stats.waiting.mean, 18 / 100);
  assert.deepEqual([story.unseen, stats.wakeups.count, stats.wakeups.latency_ns.max], [1, 1, 20]);
});

test('without sched_wakeup, a waking of a task that leaves is the cause of its next run', () => {
  const { stats } = derive(2, [
    `0 0 sched_switch ${switched('swapper/0-0', 0, 'a-5')}`,
    `1 0 sched_switch ${switched('swapper/1-0', 0, 'b-6')}`,
    `1 10 sched_waking ${woken('a-5')}`,
    `0 20 sched_switch ${switched('a-5', 1, 'c-7')}`,
    `0 60 sched_switch ${switched('c-7', 1, 'a-5')}`,
    '0 100 sched_stat_runtime comm=a pid=5',
  ]);
  assert.deepEqual([stats.waiting.mean, stats.wakeups.latency_ns.max], [40 / 100, 50]);
});
