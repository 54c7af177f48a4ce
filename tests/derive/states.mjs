// @ts-check
// The states of every task over time, from all CPUs' events in order.

import { pidBefore } from './takeovers.mjs';
import { isThrottled } from './throttling.mjs';

/**
 * @typedef {'unknown' | 'unborn' | 'new' | 'running' | 'runnable' | 'sleeping' | 'blocked' | 'stopped' | 'throttled' | 'dead'} State
 */

/**
 * @typedef {object} StateRow half-open; those of one task tile the trace
 * @property {number} start
 * @property {number} end
 * @property {State} state
 * @property {string} comm of the run, or of the next run, or else the last one that an event gave the task
 * @property {number | undefined} cpu of a run; of a wait: where a switch-in ended it
 * @property {string | undefined} letters of prev_state: at the end of a run, at the begin of another state
 * @property {'wakeup' | 'preempted' | 'replenished' | undefined} cause of a wait
 * @property {number | undefined} prio that a run was switched in with
 * @property {boolean} [onQueue] a wakeup has found it on its runqueue
 */

/** @typedef {{pid: number, generation: number, comm: string, now: StateRow, rows: StateRow[]}} Task */

/**
 * @typedef {object} Lane
 * @property {Task | 'idle' | undefined} who
 * @property {boolean} begun a switch or a gap was seen
 * @property {number | undefined} lostSince since when it is not known which task runs
 */

/**
 * @param {import('./report.mjs').Report} report
 * @param {(raw: number) => string} letters of a raw prev_state
 * @returns {{pid: number, generation: number, rows: StateRow[]}[]} by task
 */
export function deriveStates(report, letters) {
  const replay = new Replay(report, letters);
  for (const event of report.events) replay.event(event);
  return replay.finish();
}

class Replay {
  /**
   * @param {import('./report.mjs').Report} report
   * @param {(raw: number) => string} letters
   */
  constructor(report, letters) {
    this.report = report;
    this.letters = letters;
    /** @type {Task[]} */
    this.tasks = [];
    /** @type {Map<number, Task>} the latest generation of each pid */
    this.latest = new Map();
    /** @type {Set<Task>} whose sched_wakeup is to come */
    this.wakings = new Set();
    /** @type {Lane[]} */
    this.lanes = Array.from({ length: report.cpus }, () => ({ who: undefined, begun: false, lostSince: undefined }));
    /** @param {string} kind */
    const has = (kind) => report.events.some((event) => event.kind === kind);
    /** Nothing but sched_waking makes tasks runnable. */
    this.onlyWakings = has('sched_waking') && !has('sched_wakeup');
    /** Tasks that are woken while they still run. @type {Set<Task>} */
    this.early = new Set();
    /** @type {Map<Task, Task>} leaders that die under the pid of the thread that took over theirs */
    this.exiting = new Map();
    this.seatFirst();
  }

  /** The task that a CPU's first switch takes off ran there when the trace began, unless events were lost before. */
  seatFirst() {
    const seen = new Set();
    for (const event of this.report.events) {
      if (seen.has(event.cpu) || (event.kind !== 'sched_switch' && event.kind !== 'lost')) continue;
      seen.add(event.cpu);
      const lane = this.lanes[event.cpu];
      if (event.kind === 'lost') continue;
      const pid = pidBefore(this.report.events, event);
      lane.who = pid === 0 ? 'idle' : this.named(pid, event.comm);
      if (lane.who === 'idle') continue;
      if (lane.who.now.state === 'unknown') {
        this.set(lane.who, this.report.first, 'running', { cpu: event.cpu, comm: event.comm });
      }
    }
  }

  /** @param {import('./report.mjs').Event} event */
  event(event) {
    const { kind, t } = event;
    if (kind === 'sched_switch') this.switched(event);
    else if (kind === 'lost') this.lost(event.cpu, Math.max(t, this.report.first));
    else if (kind === 'takeover') this.tookOver(event);
    else if (kind === 'sched_process_fork') this.forked(event);
    else if (kind === 'sched_waking' || kind === 'sched_wakeup' || kind === 'sched_wakeup_new') this.woken(event);
    else if (kind === 'sched_migrate_task' || kind === 'task_rename') this.mentioned(event);
  }

  /** @param {import('./report.mjs').Event} event */
  mentioned({ kind, t, pid, comm }) {
    if (pid === 0) return;
    const task = this.named(pid, comm);
    if (kind === 'sched_migrate_task' && task.now.state === 'throttled' && !this.wakings.has(task))
      this.set(task, t, 'runnable', { cause: 'replenished' });
  }

  /** @param {import('./report.mjs').Event} event */
  switched(event) {
    const { t, cpu, pid, comm, state, next, nextComm, nextPrio } = event;
    const lane = this.lanes[cpu];
    const { who, lostSince } = lane;
    lane.begun = true;
    lane.lostSince = undefined;
    const prev = pid === 0 ? 'idle' : this.living(pid, comm);
    if (prev !== 'idle') this.leaves(prev, event, who === prev, lostSince, this.letters(state));
    const successor = next === 0 ? 'idle' : this.living(next, nextComm);
    if (successor !== 'idle') {
      this.wakings.delete(successor);
      // It was woken before it left, and by nothing else: it never slept.
      if (this.early.delete(successor) && ['sleeping', 'blocked', 'stopped'].includes(successor.now.state)) {
        Object.assign(successor.now, { state: 'runnable', cause: 'wakeup', letters: undefined });
      }
      this.set(successor, t, 'running', { cpu, comm: nextComm, prio: nextPrio });
    }
    if (who !== prev && who !== successor) this.vanishes(who, t, cpu);
    lane.who = successor;
  }

  /**
   * @param {Task} task
   * @param {import('./report.mjs').Event} event
   * @param {boolean} ranHere as the CPU's earlier switches say
   * @param {number | undefined} lostSince
   * @param {string} letters
   */
  leaves(task, event, ranHere, lostSince, letters) {
    const { t, cpu } = event;
    const elsewhere = task.now.state === 'running' && task.now.cpu !== cpu;
    if (elsewhere && ranHere) return;
    // It was last seen asleep and here leaves the CPU: it was woken and ran while events were lost.
    if (lostSince !== undefined && ['new', 'sleeping', 'blocked', 'stopped'].includes(task.now.state)) {
      this.set(task, Math.max(lostSince, task.now.start), 'unknown');
    }
    const short = letters[0] + (letters.endsWith('+') ? '+' : '');
    if (ranHere && task.now.state === 'running') task.now.letters = short;
    const state = isThrottled(letters, event) ? 'throttled' : stateAfter(short);
    if (!ranHere || !['sleeping', 'blocked', 'stopped'].includes(state)) this.early.delete(task);
    this.set(task, t, state, { letters: short, cause: state === 'runnable' ? 'preempted' : undefined });
  }

  /**
   * @param {number} cpu
   * @param {number} t
   */
  lost(cpu, t) {
    const lane = this.lanes[cpu];
    const { who } = lane;
    if (!lane.begun && who === undefined) lane.lostSince = this.report.first;
    else if (who !== undefined) lane.lostSince = t;
    lane.begun = true;
    lane.who = undefined;
    this.vanishes(who, t, cpu);
  }

  /**
   * @param {Task | 'idle' | undefined} who the task that was thought to run, and does not, or may not
   * @param {number} t
   * @param {number} cpu
   */
  vanishes(who, t, cpu) {
    if (who === undefined || who === 'idle') return;
    if (who.now.state === 'running' && who.now.cpu === cpu) this.set(who, t, 'unknown');
  }

  /** @param {import('./report.mjs').Event} event */
  woken({ t, kind, pid, comm, by }) {
    if (pid === 0) return;
    let task = this.named(pid, comm);
    if (task.now.state === 'dead') {
      if (kind !== 'sched_wakeup_new') return;
      // A new task's first wakeup: its fork was not recorded.
      task = this.living(pid, comm);
    }
    if (by !== 0 && !this.wakings.has(task)) this.task(by);
    const { now } = task;
    const waits = now.state === 'runnable';
    const settled = now.cause === 'wakeup' || now.onQueue;
    if (kind === 'sched_waking') {
      // The kernel writes none for a task that is runnable, unless that was preempted on its way to sleep.
      if (waits && (settled || !now.letters?.endsWith('+'))) this.unsee(task);
      if (!this.onlyWakings) {
        this.wakings.add(task);
        return;
      }
      if (task.now.state === 'running') this.early.add(task);
    } else if (waits && settled && !this.wakings.has(task)) this.unsee(task);
    this.wakings.delete(task);
    if (task.now.state === 'runnable') task.now.onQueue = true;
    if (task.now.state !== 'running' && task.now.state !== 'runnable')
      this.set(task, t, 'runnable', { cause: 'wakeup' });
  }

  /** @param {Task} task that ran and slept, unseen, since it became runnable */
  unsee(task) {
    task.now = row(task.now.start, 'unknown');
  }

  /** @param {import('./report.mjs').Event} event */
  forked({ t, pid, comm, next, nextComm }) {
    if (pid !== 0) this.named(pid, comm);
    const known = this.latest.get(next);
    if (known && known.now.state !== 'dead') this.set(known, t, 'dead');
    const child = this.begin(next, 'unborn');
    child.comm = nextComm;
    this.set(child, t, 'new');
  }

  /** @param {import('./report.mjs').Event} event a thread goes on as the next task with its leader's pid */
  tookOver({ t, pid, next: old, target: cpu }) {
    const before = this.task(old);
    const leader = this.latest.get(pid);
    const task = this.begin(pid, 'unborn');
    task.comm = before.comm;
    if (cpu === undefined) {
      this.set(task, t, 'unknown');
    } else {
      const { comm, prio } = before.now;
      this.set(task, t, 'running', { cpu, comm, prio });
      this.lanes[cpu].who = task;
    }
    this.set(before, t, 'dead');
    if (this.wakings.delete(before)) this.wakings.add(task);
    if (leader === undefined || leader.now.state === 'dead') return;
    if (leader.now.state === 'running' || leader.now.state === 'runnable') this.exiting.set(before, leader);
    else this.set(leader, t, 'dead');
  }

  /**
   * The task of a pid that runs: if the last one is dead, another was forked since, unseen.
   *
   * @param {number} pid
   * @param {string} comm
   */
  living(pid, comm) {
    const known = this.latest.get(pid);
    const leader = known?.now.state === 'dead' ? this.exiting.get(known) : undefined;
    if (leader && leader.now.state !== 'dead') return leader;
    if (known?.now.state === 'dead') {
      const { start } = known.now;
      this.set(this.begin(pid, 'unborn'), start, 'unknown');
    }
    return this.named(pid, comm);
  }

  /**
   * @param {number} pid
   * @param {string} comm
   */
  named(pid, comm) {
    const task = this.task(pid);
    task.comm = comm;
    return task;
  }

  /** @param {number} pid */
  task(pid) {
    const known = this.latest.get(pid);
    const leader = known && this.exiting.get(known);
    if (leader && leader.now.state !== 'dead') return leader;
    return known ?? this.begin(pid, 'unknown');
  }

  /**
   * @param {number} pid
   * @param {State} state
   */
  begin(pid, state) {
    const known = this.latest.get(pid);
    /** @type {Task} */
    const task = {
      pid,
      generation: known ? known.generation + 1 : 0,
      comm: '',
      now: row(this.report.first, state),
      rows: [],
    };
    this.latest.set(pid, task);
    this.tasks.push(task);
    return task;
  }

  /**
   * @param {Task} task
   * @param {number} t
   * @param {State} state
   * @param {Partial<StateRow>} [more]
   */
  set(task, t, state, more) {
    const { now } = task;
    // A wait ends where the task is switched in.
    if (now.state === 'runnable' && state === 'running') now.cpu = more?.cpu;
    if (now.start < t) task.rows.push({ ...now, end: t });
    task.now = { ...row(t, state), ...more };
  }

  finish() {
    for (const task of this.tasks) {
      this.set(task, this.report.last, 'dead');
      let { comm } = task;
      for (const row of task.rows.toReversed()) {
        if (row.state === 'running') comm = row.comm;
        row.comm = comm;
      }
    }
    return this.tasks.map(({ pid, generation, rows }) => ({ pid, generation, rows: joined(rows) }));
  }
}

/**
 * @param {number} start
 * @param {State} state
 * @returns {StateRow}
 */
function row(start, state) {
  return { start, end: start, state, comm: '', cpu: undefined, letters: undefined, cause: undefined, prio: undefined };
}

/**
 * Joins rows that go on as before; every run and every wait stays one row.
 *
 * @param {StateRow[]} rows
 */
function joined(rows) {
  /** @type {StateRow[]} */
  const kept = [];
  for (const row of rows) {
    const last = kept.at(-1);
    const goesOn = last?.state === row.state && last.letters === row.letters;
    if (last && goesOn && row.state !== 'running' && row.state !== 'runnable') last.end = row.end;
    else kept.push(row);
  }
  return kept;
}

/**
 * @param {string} letters
 * @returns {State}
 */
function stateAfter(letters) {
  if (letters === 'R' || letters === 'R+') return 'runnable';
  if (/^[XZx]/.test(letters)) return 'dead';
  if (letters.startsWith('?')) return 'unknown';
  if (letters.endsWith('+')) return 'runnable';
  if (letters === 'D') return 'blocked';
  return /^[TtP]$/.test(letters) ? 'stopped' : 'sleeping';
}

/**
 * The scheduling class that belongs to a kernel priority.
 *
 * @param {number | undefined} prio
 */
export function classOf(prio) {
  if (prio === undefined) return undefined;
  if (prio < 0) return 'deadline';
  if (prio < 100) return 'RT';
  return prio < 140 ? 'fair' : 'idle';
}
