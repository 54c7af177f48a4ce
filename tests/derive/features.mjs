// @ts-check
// The features and labels of `corelane features`, from their definitions: event by event over the derived story, in
// BigInt where the definition is in integers.

/** @typedef {import('./tasks.mjs').Task} Task */

/**
 * @typedef {object} Row
 * @property {number} at
 * @property {number} pid
 * @property {number} load
 * @property {bigint} blocked_freq
 * @property {bigint} waker_freq
 * @property {number} weight
 * @property {bigint} deadline
 * @property {bigint} avg_runtime
 * @property {number} label
 * @property {bigint} request
 * @property {number} wait
 */

/**
 * @typedef {object} Known
 * @property {bigint} sum
 * @property {bigint} avgRuntime
 * @property {bigint} vtime
 * @property {bigint} wakerFreq
 * @property {bigint} lastWoke
 * @property {bigint} blockedFreq
 * @property {bigint} lastBlocked
 * @property {[number, number][]} runnable times in which it was runnable; the last one may go on
 */

const KERNEL_WEIGHTS = [
  88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916, 9548, 7620, 6100, 4904, 3906, 3121, 2501, 1991,
  1586, 1277, 1024, 820, 655, 526, 423, 335, 272, 215, 172, 137, 110, 87, 70, 56, 45, 36, 29, 23, 18, 15,
];

/** @param {bigint} old @param {bigint} value */
export const average = (old, value) => old - (old >> 2n) + (value >> 2n);

/** @param {bigint} old @param {bigint} since */
export const frequency = (old, since) => average(old, 100_000_000n / (since > 1n ? since : 1n));

/** @param {number} prio */
export function weightOf(prio) {
  const kernel = KERNEL_WEIGHTS[prio - 100];
  return kernel === undefined ? undefined : Math.min(Math.max(Math.round((kernel * 100) / 1024), 1), 10_000);
}

/** @param {bigint} value */
const lg = (value) => (value === 0n ? 1 : value.toString(2).length);

/** @param {bigint} a @param {bigint} b */
const least = (a, b) => (a < b ? a : b);

/** @param {Pick<Known, 'blockedFreq' | 'wakerFreq' | 'avgRuntime'>} known @param {number} weight */
export function requestOf({ blockedFreq, wakerFreq, avgRuntime }, weight) {
  const waker = least(wakerFreq, 100_000n);
  const f = (least(blockedFreq, 100_000n) * waker * waker * BigInt(weight)) / 100n;
  const a = (least(avgRuntime / 2n, 50_000_000n) * 100n) / BigInt(weight);
  const lat = Math.max(0, Math.min(lg(f + 1n), 39) - lg(a + 1n));
  return (avgRuntime * 100n) / BigInt(Math.min(KERNEL_WEIGHTS[38 - lat], 10_000));
}

/**
 * The average share of runnable time at `now`, by summing up each period from the first on.
 *
 * @param {[number, number][]} runnable
 * @param {number} now
 * @param {bigint} origin
 */
export function dutyAt(runnable, now, origin) {
  const H = 1_000_000_000n;
  const at = origin + BigInt(now);
  /** @param {bigint} from @param {bigint} to */
  const within = (from, to) => {
    let sum = 0n;
    for (const [start, end] of runnable) {
      const [a, b] = [origin + BigInt(start), origin + BigInt(Math.min(end, now))];
      const [low, high] = [a > from ? a : from, b < to ? b : to];
      if (low < high) sum += high - low;
    }
    return Number(sum) / Number(H);
  };
  let period = origin / H;
  let old = 0;
  for (; (period + 1n) * H <= at; period++) old = old / 2 + within(period * H, (period + 1n) * H) / 2;
  const elapsed = Number(at - period * H) / Number(H);
  return old * (1 - elapsed / 2) + within(period * H, at) / 2;
}

/**
 * The rows, in the order of time: those of waits that a run ended.
 *
 * @param {import('./numbers.mjs').DerivedTrace} trace
 * @param {number} delta ns
 */
export function deriveFeatures({ report, story }, delta) {
  /** @type {Map<Task, Known>} */
  const all = new Map();
  /** @param {Task} task @param {number} [at] */
  const known = (task, at) => {
    let found = at === undefined ? all.get(task) : undefined;
    if (!found) {
      const since = BigInt(at ?? report.first);
      found = {
        sum: 0n,
        avgRuntime: 0n,
        vtime: 0n,
        wakerFreq: 0n,
        lastWoke: since,
        blockedFreq: 0n,
        lastBlocked: since,
        runnable: [],
      };
      all.set(task, found);
    }
    return found;
  };
  /** The priority with which each CPU's task was switched in. @type {Map<string, number>} */
  const prios = new Map();
  for (const event of report.events)
    if (event.kind === 'sched_switch') prios.set(`${event.cpu} ${event.t}`, event.nextPrio ?? 120);
  /** @type {{at: number, order: number, pid: number, act: () => void}[]} */
  const steps = [];
  /** @type {Row[]} */
  const rows = [];
  for (const event of report.events) {
    if (event.kind !== 'sched_process_fork') continue;
    const child = story.tasks.find((task) => task.pid === event.next && task.forked);
    if (child) steps.push({ at: event.t, order: 0, pid: child.pid, act: () => known(child, event.t) });
  }
  for (const { task, wakeup } of story.latencies) {
    // rusty learns of a wakeup when the task is put on a runqueue: at its sched_wakeup.
    const enqueued = wakeup.woken ?? wakeup.at;
    const act = () => {
      known(task).sum = 0n;
      if (!wakeup.waker) return;
      const waker = known(wakeup.waker);
      waker.wakerFreq = frequency(waker.wakerFreq, BigInt(enqueued) - waker.lastWoke);
      waker.lastWoke = BigInt(enqueued);
    };
    steps.push({ at: enqueued, order: 2, pid: task.pid, act });
  }
  for (const { task, cpu, start, end, ended, wait, inferred } of story.runs) {
    const prio = inferred ? 120 : (prios.get(`${cpu} ${start}`) ?? 120);
    const weight = weightOf(prio);
    const began = () => {
      const { runnable } = known(task);
      if (runnable.at(-1)?.[1] !== Number.POSITIVE_INFINITY) runnable.push([start, Number.POSITIVE_INFINITY]);
    };
    steps.push({ at: start, order: 4, pid: task.pid, act: began });
    if (ended !== undefined) {
      const act = () => {
        const of = known(task);
        of.sum += BigInt(end - start);
        of.avgRuntime = average(of.avgRuntime, of.sum);
        if (weight) of.vtime += (BigInt(end - start) * 100n) / BigInt(weight);
        if (ended === 'preempted' || ended === 'yielded') return;
        const open = of.runnable.at(-1);
        if (open) open[1] = end;
        if (ended === 'throttled') return;
        of.blockedFreq = frequency(of.blockedFreq, BigInt(end) - of.lastBlocked);
        of.lastBlocked = BigInt(end);
      };
      steps.push({ at: end, order: 1, pid: task.pid, act });
    }
    if (!wait) continue;
    const act = () => {
      const of = known(task);
      if (of.runnable.at(-1)?.[1] !== Number.POSITIVE_INFINITY)
        of.runnable.push([wait.since, Number.POSITIVE_INFINITY]);
      if (!weight) return;
      const request = requestOf(of, weight);
      const move = story.migrations.find(
        (move) => move.task === task && move.kind === 'load_balance' && wait.since <= move.t && move.t <= start,
      );
      const label = move && move.t - wait.since <= delta ? 1 : 0;
      rows.push({
        at: wait.since,
        pid: task.pid,
        load: dutyAt(of.runnable, wait.since, report.origin) * weight,
        blocked_freq: of.blockedFreq,
        waker_freq: of.wakerFreq,
        weight,
        deadline: of.vtime + request,
        avg_runtime: of.avgRuntime,
        label,
        request,
        wait: start - wait.since,
      });
    };
    steps.push({ at: wait.since, order: 3, pid: task.pid, act });
  }
  steps.sort((a, b) => a.at - b.at || a.order - b.order);
  for (const { act } of steps) act();
  return rows;
}

/**
 * Percentiles in schbench's buckets, found by counting the buckets up.
 *
 * @param {number[]} latencies ns
 */
export function deriveSchbench(latencies) {
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const ns of latencies) {
    const us = Math.floor(ns / 1000);
    const e = Math.floor(Math.log2(us)) - 8;
    const bucket = us < 512 ? us : Math.min((e + 1) * 256 + (Math.floor(us / 2 ** e) % 256), 4863);
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  }
  const ascending = [...counts].sort(([a], [b]) => a - b);
  /** @param {number} p */
  const percentile = (p) => {
    let count = 0;
    for (const [bucket, of] of ascending) {
      count += of;
      if (count * 1000 < p * latencies.length) continue;
      const e = (bucket >> 8) - 1;
      return bucket < 512 ? bucket : 2 ** (e + 8) + Math.trunc(((bucket & 255) + 0.5) * 2 ** e);
    }
    return null;
  };
  const [p20, p50, p90, p99, p999] = [200, 500, 900, 990, 999].map(percentile);
  return { count: latencies.length, p20, p50, p90, p99, p999 };
}
