// @ts-check
// Compares what the commands about latencies, overloads, placements, waits, cascades and chains print with what was
// derived.

import { isBound } from './bound.mjs';
import { compareFindings } from './findings.mjs';
import {
  behindSpare,
  deriveChain,
  deriveLatency,
  deriveMoves,
  deriveOverload,
  derivePlacements,
  Places,
  sums,
} from './queries.mjs';

/**
 * @typedef {import('./differences.mjs').Differences} Differences
 * @typedef {import('./numbers.mjs').DerivedTrace} DerivedTrace
 * @typedef {import('./numbers.mjs').Selection} Selection
 * @typedef {import('./tasks.mjs').Latency} Latency
 */

/** How many entries of long lists are compared. */
const TOP = 5000;
/** How many violations and waits are compared part by part. */
const EXPLAINED = 20;
/** How many chains of each trace are compared. */
const CHAINS = 6;

/** Compares the queries of one trace. */
export class QueryComparison {
  /**
   * @param {Differences} differences
   * @param {DerivedTrace} trace
   * @param {import('./corelane.mjs').Batch} batch
   * @param {(time: bigint) => string} option a time as options have it
   */
  constructor(differences, trace, batch, option) {
    this.option = option;
    this.differences = differences;
    this.trace = trace;
    this.places = new Places(trace);
    /** @param {string} command @param {string[]} args */
    this.corelane = (command, ...args) => batch.json(command, ...args);
  }

  /** @param {number} t */
  absolute(t) {
    return this.trace.report.origin + BigInt(t);
  }

  /**
   * @param {string[]} args
   * @param {Selection} selection
   */
  async selection(args, selection) {
    await this.latency(args, selection);
    await this.overload(args, selection);
    await this.placement(args, selection);
  }

  /** Compares what does not depend on a selection. */
  async whole() {
    await this.waits();
    await this.cascades();
    await this.chains();
    await this.findings();
  }

  /** Compares the findings as a whole. */
  async findings() {
    await compareFindings(this.differences, this.trace, this.places, (top) =>
      this.corelane('findings', `--top=${top}`),
    );
  }

  /**
   * @param {string[]} args
   * @param {Selection} selection
   */
  async latency(args, selection) {
    const name = ['latency', ...args].join(' ');
    const found = await this.corelane('latency', `--top=${TOP}`, ...args);
    const { all, uncertain, numbers, perCommand, perCpu } = deriveLatency(this.trace, selection);
    /** @param {string} what @param {any} expected @param {any} actual */
    const expect = (what, expected, actual) => this.differences.expect(`${name} ${what}`, expected, actual);
    expect('count', numbers.latency.count, found.count);
    expect('latency_ns', numbers.latency.ns, found.latency_ns);
    expect('uncertain', uncertain, found.uncertain);
    expect('waits.woken', numbers.woken, found.waits.woken);
    expect('waits.preempted', numbers.preemptedWaits, found.waits.preempted);
    expect('waits.replenished', numbers.replenished, found.waits.replenished);
    expect('runs.preempted', numbers.preempted, found.runs.preempted);
    expect('runs.yielded', numbers.yielded, found.runs.yielded);
    expect('runs.slept', numbers.slept, found.runs.slept);
    expect('runs.exited', numbers.exited, found.runs.exited);
    expect('runs.throttled', numbers.throttled, found.runs.throttled);
    expect('runs.cut', numbers.cut, found.runs.cut);
    this.groups(name, perCommand, found.groups, (group) => group.comm);
    // The shortest entries of a list that is cut may be any of several.
    const least = found.worst.length < TOP ? -1 : found.worst.at(-1).latency_ns;
    this.list(
      name,
      all.filter(({ ns }) => ns > least).map((latency) => this.worst(latency)),
      found.worst
        .filter((/** @type {any} */ row) => row.latency_ns > least)
        .map((/** @type {any} */ row) => this.known(row)),
    );
    if (args.length > 0) return;
    const byCpu = await this.corelane('latency', '--by=cpu', '--top=0', ...args);
    this.groups(`${name} by CPU`, perCpu, byCpu.groups, (group) => group.cpu);
  }

  /**
   * @template K
   * @param {string} name
   * @param {Map<K, any>} expected
   * @param {any[]} groups
   * @param {(group: any) => K} key
   */
  groups(name, expected, groups, key) {
    const found = new Map(
      groups.filter(({ wakeups }) => wakeups.count > 0).map((group) => [key(group), group.wakeups]),
    );
    for (const id of new Set([...expected.keys(), ...found.keys()])) {
      this.differences.expect(`${name} group ${id}`, expected.get(id), found.get(id));
    }
  }

  /** @param {Latency} latency */
  worst({ since, ns, task, comm, cpu, wakeup }) {
    const { waker, wakerRun, wakerCpu, context, event, previous, woken, chosen } = wakeup;
    const unknown = context === 'unknown';
    return this.known({
      at_ns: this.absolute(since),
      latency_ns: ns,
      event,
      woken_ns: woken === undefined ? null : this.absolute(woken),
      wakee_pid: task.pid,
      wakee_generation: task.generation,
      wakee_comm: comm,
      waker_pid: waker ? waker.pid : unknown ? -1 : 0,
      waker_comm: waker ? (wakerRun ?? waker).comm : unknown ? '' : `swapper/${wakerCpu}`,
      waker_context: context,
      waker_cpu: wakerCpu,
      previous_cpu: previous ?? null,
      chosen_cpu: chosen ?? null,
      cpu,
      idle_cpus: this.places.idleCpus(since),
      previous_was_free: previous === undefined ? null : (this.places.free.isFree(previous, since) ?? null),
      uncertain: this.places.doubts({ since, ns, task, cpu, wakeup }),
    });
  }

  /** What both sides can know, in one order; if the text has no flags, contexts are unknown. @param {any} row */
  known({ running_ns: _, ...row }) {
    const flags = this.trace.report.events.find(({ kind }) => kind !== 'lost')?.flags !== undefined;
    if (!flags) {
      delete row.waker_context;
      delete row.waker_pid;
      delete row.waker_comm;
    }
    return JSON.stringify(
      Object.fromEntries(
        Object.keys(row)
          .sort()
          .map((key) => [key, String(row[key])]),
      ),
    );
  }

  /**
   * @param {string} name
   * @param {string[]} expected in any order
   * @param {string[]} actual in any order
   */
  list(name, expected, actual) {
    this.differences.expect(`${name} list's length`, expected.length, actual.length);
    const [a, b] = [expected.sort(), actual.sort()];
    for (const [index, row] of a.entries()) this.differences.expect(`${name} list`, row, b[index]);
  }

  /**
   * @param {string[]} args
   * @param {Selection} selection
   */
  async overload(args, selection) {
    const name = ['overload', ...args].join(' ');
    const found = await this.corelane('overload', `--top=${EXPLAINED}`, ...args);
    const { overload, intervals, behind } = deriveOverload(this.trace, selection, EXPLAINED);
    const totals = [found.count, found.violation_ns, found.cost_task_ns];
    this.differences.expect(name, [overload.intervals, overload.violation_ns, overload.cost_task_ns], totals);
    const { behind_count: behind_intervals, behind_ns, behind_cost_task_ns, leaving_idle_ns } = found;
    const { violation_ns: _n, cost_task_ns: _c, intervals: _i, ...expected } = overload;
    const { leaving_idle_task_ns } = found;
    const { bound_ns, bound_task_ns } = found;
    const told = {
      behind_ns,
      behind_cost_task_ns,
      behind_intervals,
      bound_ns,
      bound_task_ns,
      leaving_idle_ns,
      leaving_idle_task_ns,
    };
    this.differences.expect(`${name} behind`, plain(expected), plain(told));
    this.violations(name, intervals, found.intervals);
    this.violations(`${name} behind`, behind, found.behind);
  }

  /**
   * @param {string} name
   * @param {ReturnType<typeof deriveOverload>['intervals']} intervals
   * @param {any[]} found
   */
  violations(name, intervals, found) {
    this.differences.expect(`${name} listed`, intervals.length, found.length);
    for (const [index, violation] of intervals.entries()) {
      const actual = found[index] ?? { tasks: [], idle_cpus: [] };
      const expected = {
        start_ns: this.absolute(violation.start),
        end_ns: this.absolute(violation.end),
        cost: violation.cost,
        waiting: violation.waitingMax,
        tasks: violation.tasks,
        cpus: violation.idleCpus,
      };
      const { start_ns, end_ns, cost_task_ns: cost, waiting_max: waiting } = actual;
      const tasks = byKey(actual.tasks, ({ pid, generation }) => `${pid}#${generation}`, 'waited_ns');
      const cpus = byKey(actual.idle_cpus, ({ cpu }) => `${cpu}`, 'idle_ns');
      const what = { start_ns, end_ns, cost, waiting, tasks, cpus };
      this.differences.expect(`${name} interval ${index}`, plain(expected), plain(what));
    }
  }

  /**
   * @param {string[]} args
   * @param {Selection} selection
   */
  async placement(args, selection) {
    const name = ['placement', ...args].join(' ');
    const { moved: rows, caveat: _, ...found } = await this.corelane('placement', `--top=${TOP}`, ...args);
    const { counts, moved } = derivePlacements(this.trace, this.places, selection);
    this.differences.expect(name, counts, found);
    if (moved.length > TOP) return;
    const expected = moved.map(({ since, ns, task, comm, cpu, wakeup }) =>
      plain([
        this.absolute(since),
        ns,
        task.pid,
        comm,
        wakeup.previous,
        wakeup.wakerCpu,
        wakeup.chosen,
        cpu,
        this.places.doubts({ since, ns, task, cpu, wakeup }),
      ]),
    );
    const actual = rows.map((/** @type {any} */ row) =>
      plain([
        row.at_ns,
        row.latency_ns,
        row.wakee.pid,
        row.wakee.comm,
        row.previous_cpu,
        row.waker_cpu,
        row.chosen_cpu,
        row.cpu,
        row.uncertain,
      ]),
    );
    this.list(`${name} moved`, expected, actual);
  }

  /** Compares which tasks had the CPU while a task waited. */
  async waits() {
    const found = await this.corelane('waits', `--top=${EXPLAINED}`);
    const { runs, migrations } = this.trace.story;
    const behind = behindSpare(this.trace);
    this.differences.expect('waits count', runs.filter(({ wait }) => wait).length, found.count);
    const byEnd = new Map(
      runs.filter(({ wait }) => wait).map((run) => [`${run.cpu} ${this.absolute(run.start)}`, run]),
    );
    for (const row of found.longest) {
      const run = byEnd.get(`${row.cpu} ${row.until_ns}`);
      const since = run?.wait?.since ?? 0;
      this.differences.expect('waits since', this.absolute(since), row.since_ns);
      if (!run) continue;
      const moves = migrations.filter(
        ({ task, t, kind }) => task === run.task && kind !== 'placement' && since <= t && t <= run.start,
      );
      // The CPUs on which it waited: up to each move the CPU that this move left, then the CPU on which it ran.
      const bounds = [since, ...moves.map(({ t }) => t), run.start];
      const cpus = [...moves.map(({ origin }) => origin ?? -1), run.cpu];
      const periods = cpus.flatMap((cpu, index) => {
        const [start, end] = [bounds[index], bounds[index + 1]];
        return start < end ? [{ cpu, start, end }] : [];
      });
      /** @type {Record<string, number>} */
      const took = {};
      for (const period of periods) {
        const there = this.places.runs[period.cpu] ?? [];
        const named = sums(there, period, ({ task, comm }) => `${task.pid}#${task.generation} ${comm}`);
        for (const [task, ns] of Object.entries(named)) took[task] = (took[task] ?? 0) + ns;
      }
      const movable = periods.filter(({ cpu }) => !isBound(run.task, run.comm, cpu));
      this.differences.expect('waits behind', behind(movable), row.behind_ns);
      this.differences.expect('waits bound', isBound(run.task, run.comm, run.cpu), row.bound);
      this.differences.expect('waits took', sorted(took), byKey(row.took, taskKey, 'ran_ns'));
    }
  }

  /** Compares every move that another one caused. */
  async cascades() {
    const found = await this.corelane('cascades', `--top=${TOP}`);
    const cut = found.count > TOP || found.cascades.some((/** @type {any} */ cascade) => cascade.moves_total > 1000);
    const moves = deriveMoves(this.trace, this.places);
    const caused = moves.filter(({ by }) => by);
    /** @param {import('./queries.mjs').Move} move */
    const told = ({ run, from, to, decided, kind }) => [run.task.pid, this.absolute(decided), from, to, kind];
    const expected = caused.map((move) => plain([told(move), move.by && told(move.by)]));
    const name = (/** @type {any} */ row) => [row.pid, row.at_ns, row.from_cpu ?? -1, row.to_cpu, row.kind];
    const actual = found.cascades.flatMap((/** @type {any} */ { moves: rows }) =>
      rows
        .filter((/** @type {any} */ row) => row.displaced_by !== null)
        .map((/** @type {any} */ row) => plain([name(row), name(rows[row.displaced_by])])),
    );
    if (!cut) this.list('cascades', expected, actual);
  }

  /** Compares some chains, spread over the trace. */
  async chains() {
    const { report, story } = this.trace;
    // Without flags it is unknown where a chain ends.
    if (report.events.find(({ kind }) => kind !== 'lost')?.flags === undefined) return;
    const runs = story.runs.filter(({ start, end }) => start < end);
    for (let index = 0; index < CHAINS && runs.length > 0; index++) {
      const run = runs[Math.floor(((index + 0.5) * runs.length) / CHAINS)];
      const at = this.absolute(run.start);
      const time = this.option(at);
      const found = await this.corelane('chain', `--cpu=${run.cpu}`, `--at=${time}`, '--hops=50');
      const name = `chain of CPU ${run.cpu} at ${time}`;
      const { hops, endsAt } = deriveChain(this.trace, this.places, run, 50);
      const { pid, comm, start_ns, end_ns } = found.run;
      const expected = plain([run.task.pid, run.comm, at, this.absolute(run.end)]);
      this.differences.expect(`${name} run`, expected, plain([pid, comm, start_ns, end_ns]));
      this.differences.expect(`${name} ends`, endsAt, found.ends_at);
      /** @param {any} row */
      const hop = (row) => {
        const {
          wakee_generation: _g,
          woken_ns: _w,
          previous_cpu: _p,
          chosen_cpu: _c,
          idle_cpus: _i,
          previous_was_free: _f,
          uncertain: _u,
          ...known
        } = JSON.parse(row);
        return JSON.stringify(known);
      };
      const actual = found.hops.map((/** @type {any} */ { woken_ns: at_ns, ...row }) => this.known({ ...row, at_ns }));
      this.differences.expect(
        `${name} hops`,
        hops.map((each) => hop(this.worst(each))),
        actual,
      );
    }
  }
}

/** @param {any} task */
function taskKey({ pid, generation, comm }) {
  return `${pid}#${generation} ${comm}`;
}

/**
 * @param {any[]} rows
 * @param {(row: any) => string} key
 * @param {string} value
 */
function byKey(rows, key, value) {
  return sorted(Object.fromEntries(rows.map((row) => [key(row), Number(row[value])])));
}

/** @param {Record<string, number>} sums */
function sorted(sums) {
  return Object.fromEntries(Object.entries(sums).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A value as text; integers of any size are written alike. @param {unknown} value */
function plain(value) {
  return JSON.stringify(value, (_, inner) =>
    typeof inner === 'bigint' || typeof inner === 'number' ? String(inner) : inner,
  );
}
