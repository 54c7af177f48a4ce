// @ts-check
// Reads the text of `trace-cmd report -R -t`: raw fields, full time stamps, all CPUs merged by time. With `-l` it also
// has the flags of each record, in hexadecimal.
//
//       trace-cmd-178   [006]   160.499789416: sched_switch:          prev_comm=trace-cmd prev_pid=178 ...
//  trace-cm-178      6-0x1    160.499789416: sched_switch:          prev_comm=trace-cmd prev_pid=178 ...
//
// Times become numbers relative to the first line: nanoseconds since 1970 (`--date`) do not fit a double.

import { withBreaks } from './breaks.mjs';
import { withTakeovers } from './takeovers.mjs';
import { Yields } from './yields.mjs';

/**
 * @typedef {object} Event a scheduling event, or a gap (`kind: 'lost'`)
 * @property {number} t time relative to `Report.origin`, ns
 * @property {number} cpu
 * @property {string} kind the event's name, or `lost`
 * @property {number} pid prev_pid, the wakee, the migrated task, the parent, or the exiting task
 * @property {string} comm the comm that belongs to `pid`
 * @property {number} next next_pid, the forked child, or the pid before an exec; 0 elsewhere
 * @property {string} nextComm the comm that belongs to `next`
 * @property {number} state raw prev_state; 0 elsewhere
 * @property {number | undefined} prio of `pid`, where it is switched out
 * @property {number | undefined} nextPrio of `next`
 * @property {number} by the pid of the task that was on the CPU
 * @property {number | undefined} flags common_flags, where the text has them
 * @property {number | undefined} target target_cpu, or dest_cpu
 * @property {number | undefined} origin orig_cpu of a migration
 * @property {'break' | 'offline'} [cause] of a gap that no line reports; see breaks.mjs
 * @property {boolean} [inYield] of a switch: the task that leaves is inside sched_yield
 */

/**
 * @typedef {object} Report
 * @property {number} cpus how many CPUs the file has
 * @property {bigint} origin absolute time of t = 0
 * @property {number} first time of the first record of any kind
 * @property {number} last time of the last record of any kind
 * @property {number} records
 * @property {Map<string, number>} byName records by event name
 * @property {number[]} byCpu records by CPU
 * @property {number} lostEvents dropped events, where the kernel said how many
 * @property {number} lostGaps
 * @property {number} otherLines lines that are no record
 * @property {Event[]} events in the order of time, then CPU, then the file
 */

const RECORD = /^(.*?)-(\d+) +(?:\[(\d+)\] *|(\d+)-0x([0-9a-f]+) +)(\d+)(?:\.(\d{9}))?: ([^\s:]+): *(.*)$/;
const DROPPED = /^CPU:(\d+) \[(?:(\d+) )?EVENTS DROPPED\]$/;

const SWITCH =
  /^prev_comm=(.*) prev_pid=(\d+) prev_prio=(-?\d+) prev_state=(\S+) next_comm=(.*) next_pid=(\d+) next_prio=(-?\d+)/;
const WAKEE =
  /^comm=(.*) pid=(\d+) prio=-?\d+(?: success=\d+)?(?: target_cpu=(\d+))?(?: orig_cpu=(\d+) dest_cpu=(\d+))?/;
const RENAME = /^pid=(\d+) oldcomm=.* newcomm=(.*) oom_score_adj=/;
const FORK = /^parent_comm=(.*) parent_pid=(\d+) child_comm=(.*) child_pid=(\d+)/;
const EXEC = /^filename=.* pid=(\d+) old_pid=(\d+)$/;
const NUMA = /^(?:src_)?pid=(\d+)/;

/** How the fields of each scheduling event are found: a regular expression, and which of its groups is which field. */
const FIELDS = new Map([
  ['sched_switch', { pattern: SWITCH, comm: 1, pid: 2, prio: 3, state: 4, nextComm: 5, next: 6, nextPrio: 7 }],
  ['sched_waking', { pattern: WAKEE, comm: 1, pid: 2, target: 3 }],
  ['sched_wakeup', { pattern: WAKEE, comm: 1, pid: 2, target: 3 }],
  ['sched_wakeup_new', { pattern: WAKEE, comm: 1, pid: 2, target: 3 }],
  ['sched_migrate_task', { pattern: WAKEE, comm: 1, pid: 2, origin: 4, target: 5 }],
  ['sched_process_exit', { pattern: WAKEE, comm: 1, pid: 2 }],
  ['sched_process_fork', { pattern: FORK, comm: 1, pid: 2, nextComm: 3, next: 4 }],
  ['sched_process_exec', { pattern: EXEC, pid: 1, next: 2 }],
  ['task_rename', { pattern: RENAME, pid: 1, comm: 2 }],
  ['sched_move_numa', { pattern: NUMA, pid: 1 }],
  ['sched_stick_numa', { pattern: NUMA, pid: 1 }],
  ['sched_swap_numa', { pattern: NUMA, pid: 1 }],
]);

const NOT_SAID = { flags: undefined, target: undefined, origin: undefined, prio: undefined, nextPrio: undefined };

/** @param {string | undefined} text */
function optional(text) {
  return text === undefined ? undefined : Number(text);
}

/**
 * Takes a report line by line; `finish` returns the result.
 */
export class ReportReader {
  /**
   * @param {string[]} instances names of the file's other buffers, whose lines are left out
   * @param {number} [schedYield] the number of that call
   */
  constructor(instances = [], schedYield = undefined) {
    this.yields = new Yields(schedYield);
    this.instances = new Set(instances);
    /** @type {Report} */
    this.report = {
      cpus: 0,
      origin: 0n,
      first: Infinity,
      last: -Infinity,
      records: 0,
      byName: new Map(),
      byCpu: [],
      lostEvents: 0,
      lostGaps: 0,
      otherLines: 0,
      events: [],
    };
    /** @type {number | undefined} */
    this.originWhole = undefined;
    /** @type {(number | undefined)[]} time of each CPU's latest record of any kind */
    this.latest = [];
    /** @type {Map<string, string>} one copy of each name: a part of a line keeps the whole line alive */
    this.names = new Map();
  }

  /** @param {string} line */
  push(line) {
    if (this.isOfInstance(line)) return;
    const found = RECORD.exec(line);
    if (found) this.record(found);
    else this.other(line);
  }

  /** @returns {Report} */
  finish() {
    const { report } = this;
    while (report.byCpu.length < report.cpus) report.byCpu.push(0);
    report.cpus = Math.max(report.cpus, report.byCpu.length);
    // A stable sort: events of one CPU keep the file's order. Lines are merged by time already, but gaps were added
    // late.
    report.events.sort((a, b) => a.t - b.t || a.cpu - b.cpu);
    report.events = withBreaks(withTakeovers(report.events, report.cpus), report.last, this.latest);
    return report;
  }

  /** @param {string} line */
  isOfInstance(line) {
    if (this.instances.size === 0) return false;
    const name = /^ *(\S+): /.exec(line);
    return name !== null && this.instances.has(name[1]);
  }

  /** @param {RegExpExecArray} found */
  record(found) {
    const { report } = this;
    const [, , by, plainCpu, cpuOfFlags, flags, whole, fraction, name, fields] = found;
    const cpu = Number(plainCpu ?? cpuOfFlags);
    const t = this.time(whole, fraction);
    this.latest[cpu] = t;
    report.first = Math.min(report.first, t);
    report.last = Math.max(report.last, t);
    report.records++;
    report.byName.set(name, (report.byName.get(name) ?? 0) + 1);
    while (report.byCpu.length <= cpu) report.byCpu.push(0);
    report.byCpu[cpu]++;

    this.yields.event(cpu, Number(by), name, fields);
    const layout = FIELDS.get(name);
    if (!layout) return;
    const values = layout.pattern.exec(fields);
    if (!values) throw new Error(`fields of ${name} not understood: ${fields}`);
    const pid = Number(values[layout.pid]);
    report.events.push({
      t,
      cpu,
      kind: this.name(name),
      pid,
      comm: this.name(values[layout.comm ?? -1] ?? ''),
      next: Number(values[layout.next ?? -1] ?? 0),
      nextComm: this.name(values[layout.nextComm ?? -1] ?? ''),
      state: Number(values[layout.state ?? -1] ?? 0),
      by: Number(by),
      flags: flags === undefined ? undefined : Number.parseInt(flags, 16),
      target: optional(values[layout.target ?? -1]),
      origin: optional(values[layout.origin ?? -1]),
      prio: optional(values[layout.prio ?? -1]),
      nextPrio: optional(values[layout.nextPrio ?? -1]),
      inYield: name === 'sched_switch' && this.yields.leaves(cpu, pid),
    });
  }

  /** @param {string} line */
  other(line) {
    const { report } = this;
    const cpus = /^cpus=(\d+)$/.exec(line);
    const dropped = DROPPED.exec(line);
    if (cpus) {
      report.cpus = Number(cpus[1]);
    } else if (dropped) {
      const cpu = Number(dropped[1]);
      this.yields.lost(cpu);
      report.lostGaps++;
      report.lostEvents += Number(dropped[2] ?? 0);
      const t = this.latest[cpu] ?? -Infinity;
      report.events.push({
        t,
        cpu,
        kind: 'lost',
        pid: 0,
        comm: '',
        next: 0,
        nextComm: '',
        state: 0,
        by: 0,
        ...NOT_SAID,
      });
    } else if (line !== '') {
      report.otherLines++;
    }
  }

  /**
   * Clocks without a scale (x86-tsc, counter) print ticks without a point.
   *
   * @param {string} whole
   * @param {string | undefined} fraction
   */
  time(whole, fraction) {
    const perWhole = fraction === undefined ? 1 : 1e9;
    if (this.originWhole === undefined) {
      this.originWhole = Number(whole);
      this.report.origin = BigInt(whole) * BigInt(perWhole);
    }
    return (Number(whole) - this.originWhole) * perWhole + Number(fraction ?? 0);
  }

  /** @param {string} text */
  name(text) {
    const known = this.names.get(text);
    if (known !== undefined) return known;
    this.names.set(text, text);
    return text;
  }
}
