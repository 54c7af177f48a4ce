// @ts-check
// Derives what `corelane latency`, `overload`, `placement`, `waits`, `cascades` and `chain` answer from the derived
// story alone.

import { common, deriveBehind, deriveStanding, union } from './behind.mjs';
import { deriveCurves } from './curves.mjs';
import { deriveClaims, FreeCpus } from './free.mjs';
import { clip, selected, sumOf } from './numbers.mjs';

/**
 * @typedef {import('./numbers.mjs').DerivedTrace} DerivedTrace
 * @typedef {import('./numbers.mjs').Selection} Selection
 * @typedef {import('./tasks.mjs').Run} Run
 * @typedef {import('./tasks.mjs').Task} Task
 * @typedef {import('./tasks.mjs').Latency} Latency
 */

/**
 * The durations of a selection. Each belongs to the instant at which it begins, and is not clipped.
 *
 * @param {DerivedTrace} trace
 * @param {Selection} selection
 */
export function deriveLatency(trace, selection) {
  const { story } = trace;
  const { within, shows, hasCpu } = selected(trace, selection);
  const runs = story.runs.filter((run) => shows(run) && hasCpu(run.cpu));
  const all = story.latencies.filter((of) => shows(of) && hasCpu(of.cpu) && within(of.since));
  const places = placesOf(trace);
  const latencies = all.filter((latency) => !places.doubts(latency));
  const begun = runs.filter(({ wait }) => wait && within(wait.since));
  const waited = begun.filter((run) => !places.doubtsWait(run));
  const doubted = begun.filter((run) => places.doubtsWait(run));
  /** @param {string} cause */
  const waits = (cause) =>
    waited.flatMap(({ start, wait }) => (wait && wait.cause === cause ? [start - wait.since] : []));
  const ran = runs.filter((run) => !run.to && within(beginOf(run).start));
  /** @param {string} end */
  const ended = (end) =>
    ran.filter((run) => whole(run) && run.ended === end).map((run) => run.end - beginOf(run).start);
  return {
    all,
    uncertain: {
      wakeups: sumOf(all.filter((latency) => places.doubts(latency)).map(({ ns }) => ns)),
      waits: sumOf(doubted.map(({ start, wait }) => start - (wait?.since ?? start))),
    },
    numbers: {
      latency: spread(latencies.map(({ ns }) => ns)),
      woken: spread(waits('wakeup')),
      preemptedWaits: spread(waits('preempted')),
      replenished: spread(waits('replenished')),
      preempted: spread(ended('preempted')),
      yielded: spread(ended('yielded')),
      slept: spread(ended('slept')),
      exited: spread(ended('exited')),
      throttled: spread(ended('throttled')),
      cut: ran.filter((run) => !whole(run)).length,
    },
    perCommand: perKey(latencies, ({ comm }) => comm),
    perCpu: perKey(latencies, ({ cpu }) => cpu),
  };
}

/** Whether begin and end of a run are in the trace. @param {Run} run */
function whole(run) {
  return !beginOf(run).inferred && run.ended !== undefined;
}

/** Where a run was switched in, before any exec that changed its pid. @param {Run} run */
function beginOf(run) {
  while (run.from) run = run.from;
  return run;
}

/**
 * @template K
 * @param {Latency[]} latencies
 * @param {(latency: Latency) => K} key
 */
function perKey(latencies, key) {
  /** @type {Map<K, number[]>} */
  const groups = new Map();
  for (const latency of latencies) {
    const group = groups.get(key(latency));
    if (group) group.push(latency.ns);
    else groups.set(key(latency), [latency.ns]);
  }
  return new Map([...groups].map(([name, values]) => [name, spread(values)]));
}

/** @param {number[]} values */
function spread(values) {
  const ascending = new Float64Array(values).sort();
  const nearest = (/** @type {number} */ share) => ascending[Math.ceil((share * ascending.length) / 1000) - 1] ?? null;
  /** @type {Map<number, number>} */
  const buckets = new Map();
  let sum = 0;
  for (const value of ascending) {
    sum += value;
    const from = value === 0 ? 0 : 2 ** Math.floor(Math.log2(value));
    // The logarithm of a double may be rounded up to the next power.
    const exact = value < from ? from / 2 : from;
    buckets.set(exact, (buckets.get(exact) ?? 0) + 1);
  }
  return {
    count: ascending.length,
    ns: {
      p50: nearest(500),
      p90: nearest(900),
      p99: nearest(990),
      p999: nearest(999),
      max: nearest(1000),
      sum,
      histogram: [...buckets],
    },
  };
}

/**
 * The costliest violations, with the tasks that waited and the CPUs that idled.
 *
 * @param {DerivedTrace} trace
 * @param {Selection} selection
 * @param {number} top
 */
export function deriveOverload(trace, selection, top) {
  const { lanes, story } = trace;
  const { window, shows, hasCpu, hasAllCpus } = selected(trace, selection);
  const waits = hasAllCpus ? story.waits.filter(shows) : trace.queued.filter((part) => shows(part) && hasCpu(part.cpu));
  const idles = lanes.flatMap((lane, cpu) =>
    hasCpu(cpu) ? lane.filter(({ kind }) => kind === 'idle').map((idle) => ({ ...idle, cpu })) : [],
  );
  const { violations, overload } = deriveCurves(window, [], clip(idles, window), clip(waits, window));
  const standing = deriveStanding(lanes, trace.queued, shows, hasCpu);
  const behind = deriveBehind(window, {
    behind: clip(standing.behind, window),
    bound: clip(standing.bound, window),
    leaving: clip(standing.leaving, window),
    spare: clip(standing.spare, window),
  });
  /**
   * @param {{start: number, end: number, cost: number, waitingMax: number}[]} stretches
   * @param {{task: Task, start: number, end: number}[]} waited
   * @param {{cpu: number, start: number, end: number}[]} idled
   */
  const explained = (stretches, waited, idled) =>
    [...stretches]
      .sort((a, b) => b.cost - a.cost || a.start - b.start)
      .slice(0, top)
      .map((stretch) => ({
        ...stretch,
        tasks: sums(waited, stretch, ({ task }) => `${task.pid}#${task.generation}`),
        idleCpus: sums(idled, stretch, ({ cpu }) => `${cpu}`),
      }));
  return {
    overload: { ...overload, ...behind.sums },
    intervals: explained(violations, waits, idles),
    behind: explained(behind.stretches, standing.behind, standing.spare),
  };
}

/**
 * How long each wait that led to a run was spent behind others while some CPU was spare.
 *
 * @param {DerivedTrace} trace
 * @returns {Map<import('./queues.mjs').Wait, number>}
 */
export function deriveBehindWaits({ lanes, queued }) {
  const all = () => true;
  const { behind, spare } = deriveStanding(lanes, queued, all, all);
  const times = union(spare);
  /** @type {Map<import('./queues.mjs').Wait, number>} */
  const found = new Map();
  for (const part of behind.filter(({ wait }) => wait.cpu !== undefined)) {
    const ns = common(part, times).reduce((sum, { start, end }) => sum + end - start, 0);
    if (ns > 0) found.set(part.wait, (found.get(part.wait) ?? 0) + ns);
  }
  return found;
}

/**
 * How long tasks waited behind others while some CPU was spare, for parts of waits.
 *
 * @param {DerivedTrace} trace
 * @returns {(periods: {cpu: number, start: number, end: number}[]) => number}
 */
export function behindSpare({ lanes, queued }) {
  const all = () => true;
  const spare = union(deriveStanding(lanes, queued, all, all).spare);
  return (periods) => {
    let ns = 0;
    for (const period of periods) {
      const busy = busyOf(lanes[period.cpu] ?? [], period);
      for (const part of busy) for (const { start, end } of common(part, spare)) ns += end - start;
    }
    return ns;
  };
}

/**
 * @param {import('./lanes.mjs').Interval[]} lane
 * @param {{start: number, end: number}} period
 */
function busyOf(lane, period) {
  return lane
    .filter(({ kind, start, end }) => kind === 'run' && start < period.end && period.start < end)
    .flatMap((run) => common(run, [period]));
}

/**
 * How long the periods of each key overlap a window.
 *
 * @template {{start: number, end: number}} T
 * @param {T[]} periods
 * @param {{start: number, end: number}} window
 * @param {(period: T) => string} key
 */
export function sums(periods, { start, end }, key) {
  /** @type {Map<string, number>} */
  const byKey = new Map();
  for (const period of periods) {
    const ns = Math.min(end, period.end) - Math.max(start, period.start);
    if (ns > 0) byKey.set(key(period), (byKey.get(key(period)) ?? 0) + ns);
  }
  return Object.fromEntries([...byKey].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** @type {WeakMap<DerivedTrace['story'], Places>} */
const PLACES = new WeakMap();

/**
 * The places of a trace, found once.
 *
 * @param {DerivedTrace} trace
 */
export function placesOf(trace) {
  const places = PLACES.get(trace.story) ?? new Places(trace);
  PLACES.set(trace.story, places);
  return places;
}

/** Looks up places on the lanes. */
export class Places {
  /** @param {DerivedTrace} trace */
  constructor({ lanes, story, report, letters }) {
    this.lanes = lanes;
    this.free = new FreeCpus(lanes, deriveClaims(report, letters));
    const switches = report.events.some(({ kind }) => kind === 'sched_switch');
    /** Stretches of CPUs of which records are missing. */
    this.holes = lanes.flatMap((lane, cpu) => {
      const own = report.events.filter((event) => event.cpu === cpu);
      const unknown = lane.filter(({ kind }) => kind === 'unknown').map(({ start, end }) => ({ cpu, start, end }));
      if (own.some(({ kind, cause }) => kind === 'sched_switch' || (kind === 'lost' && cause === undefined))) {
        // Nothing is missing of a CPU that is offline.
        const offline = own.filter(({ cause }) => cause === 'offline').map(({ t }) => t);
        return unknown.filter(({ start }) => !offline.includes(start));
      }
      // Without a switch a CPU is unknown and lacks nothing, until a task is sent there.
      const sent = report.events.find(
        ({ kind, pid, target }) => target === cpu && pid !== 0 && /^sched_(wakeup|wakeup_new|migrate_task)$/.test(kind),
      );
      // If no switch at all is recorded, no CPU lacks its own.
      return sent && switches ? unknown.map(({ start, end }) => ({ cpu, start: Math.max(start, sent.t), end })) : [];
    });
    this.moves = grouped(story.migrations);
    /** @type {Run[][]} runs of each CPU, by start, those without length included */
    this.runs = Array.from({ length: report.cpus }, () => []);
    for (const run of story.runs) this.runs[run.cpu].push(run);
  }

  /**
   * @param {number} cpu
   * @param {number} t
   */
  interval(cpu, t) {
    const lane = this.lanes[cpu];
    if (!lane) return undefined;
    const found = lane[after(lane, t) - 1];
    return found && t < found.end ? found : undefined;
  }

  /**
   * The run at an instant, or, if the CPU is idle then, the run that ends the idleness.
   *
   * @param {number} cpu
   * @param {number} t
   * @returns {{kind: 'run' | 'idle' | 'unknown', run: Run | undefined}}
   */
  at(cpu, t) {
    const interval = this.interval(cpu, t);
    if (!interval || interval.kind === 'unknown') return { kind: 'unknown', run: undefined };
    const runs = this.runs[cpu];
    const next = after(runs, t);
    if (interval.kind === 'run') {
      let index = next - 1;
      while (runs[index].start === runs[index].end) index--;
      return { kind: 'run', run: runs[index] };
    }
    const follows = runs[next]?.start === interval.end ? runs[next] : undefined;
    return { kind: 'idle', run: follows };
  }

  /**
   * Whether a wait that began on the first of some CPUs and ended on the last may be none.
   *
   * @param {(number | undefined)[]} cpus
   * @param {number} from
   * @param {number} to
   * @param {Task} task
   */
  inDoubt(cpus, from, to, task) {
    const holes = this.holes.filter(({ start, end }) => start < to && from < end);
    if (holes.length === 0) return false;
    if (to - from > 100e6) return true;
    // It went through a CPU that is not known, or at a time that is not.
    const moves = (this.moves.get(task) ?? []).filter(({ t }) => from <= t && t <= to);
    if (
      moves.some(({ kind, t, target }) => kind === 'derived' || holes.some(({ cpu, end }) => cpu === target && t < end))
    )
      return true;
    return cpus.some(
      (cpu) =>
        cpu === undefined ||
        holes.some((hole) => hole.cpu === cpu) ||
        this.lanes[cpu].some(({ start, kind }) => kind === 'idle' && from < start && start < to),
    );
  }

  /** Whether records of any CPU are missing in a period. @param {{start: number, end: number}} period */
  lacks({ start, end }) {
    return this.holes.some((hole) => hole.start < end && start < hole.end);
  }

  /** Whether a latency may be that of a later wakeup. @param {Pick<Latency, 'since' | 'ns' | 'cpu' | 'wakeup' | 'task'>} latency */
  doubts({ since, ns, cpu, wakeup, task }) {
    return this.inDoubt([wakeup.chosen, cpu], since, since + ns, task);
  }

  /** Whether the wait before a run may have ended in an unseen run before. @param {Run} run */
  doubtsWait({ wait, start, cpu, task }) {
    return wait !== undefined && this.inDoubt([wait.from, cpu], wait.since, start, task);
  }

  /** @param {number} t */
  idleCpus(t) {
    return this.lanes.flatMap((_, cpu) => (this.interval(cpu, t)?.kind === 'idle' ? [cpu] : []));
  }
}

/**
 * How many values are at most an instant.
 *
 * @param {{start: number}[]} sorted
 * @param {number} t
 */
function after(sorted, t) {
  let low = 0;
  for (let high = sorted.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if (sorted[middle].start <= t) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The placements of tasks by wakeups.
 *
 * @param {DerivedTrace} trace
 * @param {Places} places
 * @param {Selection} selection
 */
export function derivePlacements(trace, places, selection) {
  const { within, shows, hasCpu } = selected(trace, selection);
  const counts = {
    wakeups: 0,
    stayed: 0,
    to_waker: 0,
    elsewhere: 0,
    unknown: 0,
    moved_off_idle: 0,
    onto_busy: 0,
    moved_off_unknown: 0,
    onto_unknown: 0,
  };
  /** @type {Latency[]} */
  const moved = [];
  for (const latency of trace.story.latencies) {
    if (!shows(latency) || !hasCpu(latency.cpu) || !within(latency.since)) continue;
    counts.wakeups++;
    const { at, previous, chosen, wakerCpu } = latency.wakeup;
    const onto = chosen === undefined ? true : places.free.isFree(chosen, at);
    if (onto === undefined) counts.onto_unknown++;
    else if (!onto && places.idleCpus(at).length > 0) counts.onto_busy++;
    if (previous === undefined || chosen === undefined) counts.unknown++;
    else if (previous === chosen) counts.stayed++;
    else {
      if (chosen === wakerCpu) counts.to_waker++;
      else counts.elsewhere++;
      const free = places.free.isFree(previous, at);
      if (free === undefined) counts.moved_off_unknown++;
      if (free) {
        counts.moved_off_idle++;
        moved.push(latency);
      }
    }
  }
  return { counts, moved };
}

/** @typedef {{run: Run, from: number, to: number, decided: number, kind: string, by: Move | undefined}} Move */

/**
 * Every run that begins on another CPU than its task's run before, the CPUs that its last migration names, else those of the
 * runs (-1 for the first run after a fork), and the move that displaced its task.
 *
 * @param {DerivedTrace} trace
 * @param {Places} places
 * @returns {Move[]}
 */
export function deriveMoves({ story }, places) {
  const byTask = grouped(story.runs);
  const migrations = grouped(story.migrations);
  /** @type {Move[]} */
  const moves = [];
  /** @type {Map<Run, Move | undefined>} by which move a run is where it is */
  const arrivals = new Map();
  /** @type {Map<Move, Run>} the run before */
  const before = new Map();
  for (const [task, runs] of byTask) {
    runs.sort((a, b) => a.start - b.start || a.cpu - b.cpu);
    // The same thread before an exec.
    const earlier = task.continues && byTask.get(task.continues)?.at(-1);
    /** @type {Move | undefined} */
    let stay = earlier && arrivals.get(earlier);
    for (const [index, run] of runs.entries()) {
      const last = runs[index - 1] ?? earlier;
      if (last ? last.cpu !== run.cpu : task.forked) {
        const inBetween = (migrations.get(task) ?? []).filter(({ t }) => last && last.start < t && t <= run.start);
        const moved = inBetween.at(-1);
        stay = {
          run,
          from: last ? (moved?.origin ?? last.cpu) : -1,
          to: moved?.target ?? run.cpu,
          decided: moved?.t ?? run.latency?.since ?? run.start,
          kind: last ? kindOf(moved, run) : 'fork',
          by: undefined,
        };
        moves.push(stay);
        if (last) before.set(stay, last);
      }
      arrivals.set(run, stay);
    }
  }
  const order = new Map(places.runs.flatMap((runs) => runs.map((run, index) => [run, index])));
  const rank = (/** @type {Move} */ move) => [move.decided, move.run.cpu, order.get(move.run) ?? 0];
  moves.sort((a, b) => compare(rank(a), rank(b)));
  for (const move of moves) {
    const last = before.get(move);
    if (!last) continue;
    const { kind, run } = places.at(move.from, move.decided);
    const arrival = run && run.task !== move.run.task ? arrivals.get(run) : undefined;
    if (!arrival || compare(rank(move), rank(arrival)) <= 0 || arrival.run.start < last.end) continue;
    if (kind === 'run' || (arrival.run === run && arrival.decided <= move.decided)) move.by = arrival;
  }
  return moves;
}

/**
 * Why a task came onto another CPU.
 *
 * @param {DerivedTrace['story']['migrations'][number] | undefined} moved
 * @param {Run} run
 */
function kindOf(moved, run) {
  if (moved?.kind === 'derived') return 'other';
  return moved?.kind ?? (run.latency ? 'placement' : 'other');
}

/** @param {number[]} a @param {number[]} b */
function compare(a, b) {
  const index = a.findIndex((value, at) => value !== b[at]);
  return index < 0 ? 0 : a[index] - b[index];
}

/**
 * @template {{task: Task}} T
 * @param {T[]} all
 */
function grouped(all) {
  /** @type {Map<Task, T[]>} */
  const groups = new Map();
  for (const each of all) {
    const group = groups.get(each.task);
    if (group) group.push(each);
    else groups.set(each.task, [each]);
  }
  return groups;
}

/**
 * Whether records are missing between an instant and a run, and the task's runs do not follow each other without a pause.
 *
 * @param {Places} places
 * @param {Run[]} runs of the task
 * @param {Run} run
 * @param {number} from
 */
function mayHaveSlept(places, runs, run, from) {
  if (!places.holes.some(({ start, end }) => start < run.start && from < end)) return false;
  for (let here = beginOf(run); from < here.start && !here.inferred; ) {
    const { wait } = here;
    const before = runs.find((other) => other !== here && other.end === wait?.since);
    if (!wait || !before || wait.cause !== 'preempted') return true;
    if (places.doubtsWait(here)) return true;
    here = beginOf(before);
  }
  return false;
}

/**
 * The wakeups that led to a run, back to a cause.
 *
 * @param {DerivedTrace} trace
 * @param {Places} places
 * @param {Run} run
 * @param {number} limit
 */
export function deriveChain({ story }, places, run, limit) {
  const latencies = grouped(story.latencies);
  const runs = grouped(story.runs);
  /** @type {Latency[]} */
  const hops = [];
  for (let here = run; ; ) {
    here = beginOf(here);
    const preempted = here.wait?.cause === 'preempted';
    // If it was preempted, it has been runnable since the last wakeup that led to a run.
    /** @type {Latency[]} */
    let led = [];
    let { task } = here;
    for (let before = /** @type {Task | undefined} */ (task); before && led.length === 0; before = before.continues) {
      task = before;
      led = (latencies.get(task) ?? []).filter(({ run, since }) => run.start <= here.start && since <= here.start);
    }
    led.sort((a, b) => a.since - b.since);
    const last = led.at(-1);
    const cause = preempted || last?.run.start === here.start ? last : undefined;
    // A wakeup may be missing: behind a latency that is uncertain, and where the task may have slept since.
    const led_to = last?.run.start ?? 0;
    const slept = preempted && led_to !== here.start && mayHaveSlept(places, runs.get(task) ?? [], here, led_to);
    const unsure = cause && places.doubts(cause);
    if (slept || unsure) return { hops, endsAt: 'unknown' };
    if (!cause) {
      const first = (runs.get(task) ?? []).reduce((a, b) => (b.start < a.start ? b : a), here);
      return { hops, endsAt: (preempted ? first : here).inferred ? 'trace_start' : 'unknown' };
    }
    if (hops.length === limit) return { hops, endsAt: 'limit' };
    hops.push(cause);
    const { context, waker, wakerRun } = cause.wakeup;
    if (context === 'hardirq' || context === 'softirq') return { hops, endsAt: 'interrupt' };
    if (context === 'unknown') return { hops, endsAt: 'unknown' };
    if (!waker) return { hops, endsAt: 'idle' };
    if (!wakerRun) return { hops, endsAt: 'unknown' };
    here = wakerRun;
  }
}
