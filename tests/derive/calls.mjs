// @ts-check
// System calls from the text of a report: which events belong together, thread by thread, and what became of the others.

import { deriveStates } from './states.mjs';

/**
 * @typedef {object} Thread
 * @property {number} pid
 * @property {number} generation
 * @property {boolean} forked
 * @property {number} birth
 * @property {number} death its last instant, or the trace's
 * @property {boolean} died
 * @property {{start: number, end: number, state: string, cpu: number | undefined}[]} states
 * @property {Thread | undefined} heir as which it goes on after an exec
 * @property {Set<string>} comms
 * @property {boolean} seen an event of it came
 * @property {number} last its last event
 * @property {Call | undefined} open
 * @property {{from: number, to: number, known: boolean}[]} other time in calls that did not return to it, or of which it is not known
 */

/**
 * @typedef {object} Call
 * @property {Thread} thread
 * @property {number} nr
 * @property {number} at
 * @property {number} end
 * @property {number} cpu
 * @property {bigint} ret
 * @property {string} comm
 * @property {boolean} returned
 * @property {number} gaps before it
 * @property {string} fields of its enter
 */

const RECORD = /^(.*?)-(\d+) +(?:\[(\d+)\] *|(\d+)-0x[0-9a-f]+ +)(\d+)(?:\.(\d{9}))?: ([^\s:]+): *(.*)$/;
const VECTORS =
  /^(local_timer|spurious_apic|error_apic|x86_platform_ipi|irq_work|reschedule|call_function|call_function_single|threshold_apic|deferred_error_apic|thermal_apic)_(entry|exit)$/;
const KNOWN =
  /^(sys_enter|sys_exit|sched_switch|sched_process_fork|sched_process_exec|task_rename|task_newtask|irq_handler_entry|irq_handler_exit|softirq_entry|softirq_exit)/;

/** Takes a report line by line, and keeps the lines that matter here. */
export class CallReader {
  /** @param {string[]} instances */
  constructor(instances = []) {
    this.instances = instances;
    /** @type {{t: bigint, cpu: number, pid: number, writer: string, name: string, fields: string}[]} */
    this.events = [];
    this.raw = false;
    this.named = false;
  }

  /** @param {string} line */
  push(line) {
    const dropped = /^CPU:(\d+) \[.*EVENTS DROPPED\]$/.exec(line);
    if (dropped) {
      this.events.push({ t: -1n, cpu: Number(dropped[1]), pid: 0, writer: '', name: 'lost', fields: '' });
      return;
    }
    const found = RECORD.exec(line);
    if (!found) return;
    const [, writer, pid, bracket, plain, whole, part, name, fields] = found;
    if (!KNOWN.test(name) && !VECTORS.test(name)) return;
    if (this.instances.some((instance) => writer.trimStart().startsWith(`${instance}:`))) return;
    if (/^sys_(enter|exit)$/.test(name)) this.raw = true;
    if (/^sys_(enter|exit)_/.test(name)) this.named = true;
    const t = BigInt(whole + (part ?? ''));
    this.events.push({ t, cpu: Number(bracket ?? plain), pid: Number(pid), writer: writer.trim(), name, fields });
  }
}

/**
 * @param {import('./numbers.mjs').DerivedTrace} trace
 * @param {CallReader} read
 */
export function deriveCalls({ report, letters, story }, read) {
  const threads = threadsOf(report, letters, story);
  const totals = {
    enters: 0,
    exits: 0,
    calls: 0,
    exits_without_id: 0,
    child_returns: 0,
    before_trace: 0,
    exit_only: 0,
    lost_exits: 0,
    never_returned: 0,
    open_at_end: 0,
    unfinished: 0,
    across_loss: 0,
  };
  /** @type {Call[]} */
  const calls = [];
  /** @type {Map<number, string>} */
  const comms = new Map();
  /** @type {Map<number, Call[]>} calls whose thread was not named yet */
  const nameless = new Map();
  let gaps = 0;

  /** A name that a pid has now. @param {number} pid @param {string} comm @param {string} [before] that it had */
  const name = (pid, comm, before = comm) => {
    for (const call of nameless.get(pid) ?? []) call.comm = before;
    nameless.delete(pid);
    comms.set(pid, comm);
  };

  /** @param {typeof read.events[number]} event */
  const naming = ({ name: event, fields }) => {
    const switched = /^prev_comm=(.*) prev_pid=(\d+) .*? next_comm=(.*) next_pid=(\d+) /.exec(fields);
    const forked = /^parent_comm=(.*) parent_pid=(\d+) child_comm=(.*) child_pid=(\d+)/.exec(fields);
    const renamed = /^pid=(\d+) oldcomm=(.*) newcomm=(.*) oom_score_adj=/.exec(fields);
    const execed = /^filename=(.*) pid=(\d+) old_pid=(\d+)$/.exec(fields);
    const pair = event === 'sched_switch' ? switched : event === 'sched_process_fork' ? forked : undefined;
    if (pair) {
      name(Number(pair[2]), pair[1]);
      name(Number(pair[4]), pair[3]);
    } else if (event === 'task_rename' && renamed) name(Number(renamed[1]), renamed[3], renamed[2]);
    else if (event === 'sched_process_exec' && execed) {
      // What the thread was called until now, no event says.
      nameless.delete(Number(execed[3]));
      comms.set(Number(execed[2]), (execed[1].split('/').at(-1) ?? '').slice(0, 15));
    }
  };

  /** @param {number} pid @param {number} t */
  const threadAt = (pid, t) => {
    const generations = threads.get(pid) ?? [];
    const thread = generations.findLast(({ birth }) => birth <= t) ?? generations[0] ?? unknown(threads, report, pid);
    // Takes over the call in which its thread was.
    const before = [...threads.values()].flat().find(({ heir }) => heir === thread);
    if (before?.open && !thread.seen) [thread.open, before.open, thread.seen] = [before.open, undefined, true];
    return thread;
  };

  for (const event of read.events) {
    const { name: kind, pid, cpu, fields } = event;
    if (kind === 'lost') gaps++;
    naming(event);
    const isCall = read.raw ? /^sys_(enter|exit)$/.test(kind) : /^sys_(enter|exit)_/.test(kind);
    if (!isCall || pid === 0) continue;
    const t = Number(event.t - report.origin);
    const nr = number(/(?:\bid|__syscall_nr|\bnr)=(\S+?),?(?: |$)/.exec(fields)?.[1] ?? '');
    const thread = threadAt(pid, t);
    const { open } = thread;
    if (kind.startsWith('sys_enter')) {
      totals.enters++;
      if (open) {
        totals.lost_exits++;
        thread.other.push({ from: Math.max(open.at, thread.birth), to: t, known: false });
      }
      const comm = comms.get(pid);
      thread.open = { thread, nr, at: t, end: t, cpu, ret: 0n, comm: comm ?? '', returned: false, gaps, fields };
      if (comm === undefined) nameless.set(pid, [...(nameless.get(pid) ?? []), thread.open]);
    } else {
      totals.exits++;
      const ret = BigInt(/\bret=(\S+)/.exec(fields)?.[1] ?? 0);
      thread.open = undefined;
      const from = open ? Math.max(open.at, thread.birth) : thread.seen ? thread.last : thread.birth;
      if (open && (nr === open.nr || nr === -1)) {
        totals.calls++;
        if (nr === -1) totals.exits_without_id++;
        Object.assign(open, { end: t, ret: BigInt.asIntN(64, ret), returned: true });
        calls.push(open);
        if (gaps > open.gaps) totals.across_loss++;
        if (open.thread !== thread) thread.other.push({ from, to: t, known: true });
      } else if (open) {
        totals.lost_exits++;
        totals.exit_only++;
        thread.other.push({ from, to: t, known: false });
      } else if (thread.seen) {
        totals.exit_only++;
        thread.other.push({ from, to: t, known: false });
      } else {
        if (thread.forked) totals.child_returns++;
        else totals.before_trace++;
        thread.other.push({ from, to: t, known: true });
      }
    }
    thread.seen = true;
    thread.last = t;
  }
  for (const thread of [...threads.values()].flat()) {
    if (thread.heir && thread.open) [thread.heir.open, thread.open] = [thread.open, undefined];
  }
  for (const thread of [...threads.values()].flat()) {
    const { open } = thread;
    if (!open) continue;
    const died = thread.died && open.at <= thread.death;
    if (died) totals.never_returned++;
    else totals.open_at_end++;
    open.end = died ? thread.death : report.last;
    calls.push(open);
    if (open.thread !== thread) thread.other.push({ from: thread.birth, to: open.end, known: true });
  }
  totals.unfinished = totals.never_returned + totals.open_at_end;
  const made = new Set(calls.map(({ thread }) => thread));
  const all = [...threads.values()].flat().filter((thread) => made.has(thread) || thread.seen);
  return { totals, calls, threads: all, stolen: stolenTimes(report, read), raw: read.raw, named: read.named };
}

/** A number of 32 bits, which some machines print without its sign. @param {string} text */
function number(text) {
  return Number(BigInt.asIntN(32, BigInt(text === '' ? 0 : text)));
}

/**
 * @param {import('./report.mjs').Report} report
 * @param {(raw: number) => string} letters
 * @param {{tasks: import('./tasks.mjs').Task[]}} story
 */
function threadsOf(report, letters, { tasks }) {
  /** @type {Map<number, Thread[]>} */
  const threads = new Map();
  /** @type {Map<import('./tasks.mjs').Task, Thread>} */
  const ofTask = new Map();
  for (const { pid, generation, rows } of deriveStates(report, letters)) {
    const task = tasks.find((task) => task.pid === pid && task.generation === generation);
    const [first, last] = [rows[0], rows.at(-1)];
    // A thread that dies with the last event has no time in which it is dead.
    const diesLast = last?.state === 'running' && last.end === report.last && /^[XZx][^+]*$/.test(last.letters ?? '');
    const died = last?.state === 'dead' || diesLast;
    /** @type {Thread} */
    const thread = {
      ...unknownThread(pid, generation, report),
      forked: task?.forked ?? false,
      birth: first?.state === 'unborn' ? first.end : report.first,
      death: last?.state === 'dead' ? last.start : report.last,
      died,
      states: rows,
      comms: new Set(task?.comms),
    };
    threads.set(pid, [...(threads.get(pid) ?? []), thread]);
    if (task) ofTask.set(task, thread);
  }
  for (const [task, thread] of ofTask) {
    const before = task.continues && ofTask.get(task.continues);
    if (before) before.heir = thread;
  }
  return threads;
}

/** @param {number} pid @param {number} generation @param {import('./report.mjs').Report} report @returns {Thread} */
function unknownThread(pid, generation, { first, last }) {
  const none = { forked: false, died: false, states: [], heir: undefined, open: undefined, other: [] };
  return { ...none, pid, generation, birth: first, death: last, comms: new Set(), seen: false, last: first };
}

/** @param {Map<number, Thread[]>} threads @param {import('./report.mjs').Report} report @param {number} pid */
function unknown(threads, report, pid) {
  const thread = unknownThread(pid, 0, report);
  threads.set(pid, [thread]);
  return thread;
}

/** The column of each state. @type {Record<string, 'oncpu' | 'runnable' | 'sleeping' | 'blocked' | 'stopped'>} */
const COLUMNS = {
  running: 'oncpu',
  runnable: 'runnable',
  throttled: 'runnable',
  sleeping: 'sleeping',
  blocked: 'blocked',
  stopped: 'stopped',
};

/**
 * What a thread did in a time, and where it ran.
 *
 * @param {{thread: Thread, at: number, end: number}} time
 */
export function split({ thread, at, end }) {
  const sums = { oncpu: 0, runnable: 0, sleeping: 0, blocked: 0, stopped: 0, unknown: 0 };
  /** @type {{cpu: number, from: number, to: number}[]} */
  const ran = [];
  let known = 0;
  for (const of of [thread, thread.heir]) {
    const rows = of?.states ?? [];
    let low = 0;
    for (let high = rows.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (rows[middle].end <= at) low = middle + 1;
      else high = middle;
    }
    for (let index = low; index < rows.length && rows[index].start < end; index++) {
      const { start, end: to, state, cpu } = rows[index];
      const column = COLUMNS[state];
      if (!column) continue;
      const part = { from: Math.max(start, at), to: Math.min(to, end) };
      sums[column] += part.to - part.from;
      known += part.to - part.from;
      if (state === 'running' && cpu !== undefined) ran.push({ cpu, ...part });
    }
  }
  sums.unknown = end - at - known;
  return { ...sums, ran };
}

/**
 * Times in handlers by CPU, disjoint and ascending; nothing without such events.
 *
 * @param {import('./report.mjs').Report} report
 * @param {CallReader} read
 */
function stolenTimes(report, read) {
  /** @type {Map<number, {from: number, to: number}[]>} */
  const times = new Map();
  /** @type {Map<number, {key: string, from: number, own: boolean}[]>} */
  const open = new Map();
  let any = false;
  for (const { t, cpu, name, fields, writer } of read.events) {
    const stack = open.get(cpu) ?? [];
    open.set(cpu, stack);
    if (name === 'lost') stack.length = 0;
    const vector = VECTORS.exec(name);
    const handler = /^(irq_handler|softirq)_(entry|exit)$/.exec(name);
    if (!vector && !handler) continue;
    const [kind, side] = (vector ?? handler)?.slice(1) ?? [];
    const key = vector ? kind : `${kind} ${/^(?:irq|vec)=(\d+)/.exec(fields)?.[1]}`;
    const at = Number(t - report.origin);
    if (side === 'entry') {
      any = true;
      // `-l` cuts names to eight letters.
      stack.push({ key, from: at, own: kind === 'softirq' && writer.startsWith('ksoftirq') });
      continue;
    }
    const index = stack.findLastIndex((entry) => entry.key === key);
    if (index === -1) continue;
    const [begun] = stack.splice(index);
    if (begun.own) continue;
    const of = times.get(cpu);
    if (of) of.push({ from: begun.from, to: at });
    else times.set(cpu, [{ from: begun.from, to: at }]);
  }
  if (!any) return undefined;
  for (const list of times.values()) {
    list.sort((a, b) => a.from - b.from);
    const joined = list.splice(0);
    for (const { from, to } of joined) {
      const last = list.at(-1);
      if (last && from <= last.to) last.to = Math.max(last.to, to);
      else list.push({ from, to });
    }
  }
  return times;
}

/**
 * How much of some runs interrupts took.
 *
 * @param {Map<number, {from: number, to: number}[]>} stolen
 * @param {{cpu: number, from: number, to: number}[]} ran
 */
export function taken(stolen, ran) {
  let sum = 0;
  for (const { cpu, from, to } of ran) {
    for (const time of stolen.get(cpu) ?? []) {
      if (time.from >= to) break;
      sum += Math.max(0, Math.min(time.to, to) - Math.max(time.from, from));
    }
  }
  return sum;
}
