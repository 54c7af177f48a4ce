// @ts-check
// Which CPUs could take a task at once: idle, with no task on their runqueue and none on its way to it. From the events
// alone: each task is followed from the event that makes it runnable to its switch-in.

import { isThrottled } from './throttling.mjs';

/**
 * A task that a CPU will have to run: queued there, or on its way there.
 *
 * @typedef {object} Claim
 * @property {number} pid
 * @property {number | undefined} cpu unknown if the task ran elsewhere and no event says when it left
 * @property {number} from when the kernel began to place it (`sched_waking`), or when it was switched out or moved there
 * @property {number} to when it was switched in, moved elsewhere or died
 */

/**
 * @typedef {object} Claims switches are named "cpu@t"
 * @property {Claim[]} claims
 * @property {Set<string>} switches
 * @property {Set<string>} unexplained switch-ins of tasks without a claim
 */

/**
 * @param {import('./report.mjs').Report} report
 * @param {(raw: number) => string} letters of a raw prev_state
 * @returns {Claims}
 */
export function deriveClaims({ events, last }, letters) {
  /** @type {Claims} */
  const found = { claims: [], switches: new Set(), unexplained: new Set() };
  /** @type {Map<number, Claim>} by pid, while it lasts */
  const open = new Map();
  /** @type {Map<number, Claim>} by pid, of tasks that were woken before they left, if no sched_wakeup says what became of it */
  const early = new Map();
  /** @type {Set<number>} whose claim is on the CPU that sched_waking names, until a move shows which CPU the waker chose */
  const choosing = new Set();
  /** @type {Map<number, number>} by pid, since when the kernel looks for a CPU */
  const waking = new Map();
  /** @type {Map<number, number>} the CPU that each task runs on */
  const running = new Map();
  /** @type {Set<number>} */
  const dead = new Set();
  /** @type {Set<number>} off their runqueue until their next period, which ends with a switch-in as far as events tell */
  const throttled = new Set();
  /** @param {number} pid @param {number | undefined} cpu @param {number} from */
  const begin = (pid, cpu, from) => open.set(pid, { pid, cpu, from, to: last });
  /** @param {number} pid @param {number} to @param {number} [ranOn] */
  const end = (pid, to, ranOn) => {
    const claim = open.get(pid);
    open.delete(pid);
    choosing.delete(pid);
    if (claim) found.claims.push({ ...claim, to, cpu: (ranOn ?? claim.cpu) === claim.cpu ? claim.cpu : undefined });
    return claim !== undefined;
  };
  const hasWakeups = events.some(({ kind }) => kind === 'sched_wakeup');
  for (const event of events) {
    const { kind, t, cpu, pid, next, target } = event;
    if (kind === 'sched_switch') {
      found.switches.add(`${cpu}@${t}`);
      if (pid !== 0 && (running.get(pid) ?? cpu) === cpu) {
        running.delete(pid);
        end(pid, t);
        const left = letters(event.state);
        throttled.delete(pid);
        if (isThrottled(left, event)) throttled.add(pid);
        else if (/^[XZx]/.test(left)) dead.add(pid);
        else if (left.endsWith('+')) begin(pid, cpu, t);
        // The waker chooses a CPU once it has left this one. Its state may be TASK_WAKING then, which reads as R.
        else if (hasWakeups && waking.has(pid)) waking.set(pid, t);
        else if (left === 'R') begin(pid, cpu, t);
        else if (waking.has(pid)) early.set(pid, { pid, cpu, from: t, to: last });
      }
      if (next === 0) continue;
      // If nothing woke it after it had left, the waking before that did.
      const woken = early.get(next);
      early.delete(next);
      if (woken) open.set(next, woken);
      if (!end(next, t, cpu) && !throttled.delete(next)) found.unexplained.add(`${cpu}@${t}`);
      dead.delete(next);
      waking.delete(next);
      running.set(next, cpu);
    } else if (kind === 'sched_waking') {
      if (dead.has(pid)) continue;
      early.delete(pid);
      if (hasWakeups || running.has(pid)) waking.set(pid, t);
      else if (!open.has(pid)) {
        begin(pid, target, t);
        choosing.add(pid);
      }
    } else if (kind === 'sched_wakeup' || kind === 'sched_wakeup_new') {
      if (kind === 'sched_wakeup_new') dead.delete(pid);
      const since = waking.get(pid) ?? t;
      waking.delete(pid);
      // One that runs was about to sleep, and does not.
      if (dead.has(pid) || running.has(pid) || open.has(pid)) continue;
      throttled.delete(pid);
      // What happens at the same time does not count yet.
      found.claims.push({ pid, cpu: target, from: since, to: t + 1 });
      begin(pid, target, t);
    } else if (kind === 'sched_migrate_task') {
      const chosen = early.get(pid) ?? (choosing.delete(pid) ? open.get(pid) : undefined);
      if (chosen) {
        chosen.cpu = target;
        continue;
      }
      // Of a throttled task it shows that its next period has begun: see throttling.mjs.
      if (open.has(pid) || (!waking.has(pid) && throttled.delete(pid))) {
        end(pid, t);
        begin(pid, target, t);
      }
    } else if (kind === 'sched_process_fork') {
      end(next, t);
      dead.delete(next);
      running.delete(next);
    } else if (kind === 'lost') {
      for (const [task, on] of running) if (on === cpu) running.delete(task);
    } else if (kind === 'takeover') {
      // The two swap their pids: the thread lives on under the leader's, the leader leaves its CPU under the thread's.
      const [thread, leader, queued] = [running.get(next), running.get(pid), open.get(pid)];
      end(next, t);
      open.delete(pid);
      running.delete(pid);
      running.delete(next);
      if (thread !== undefined) running.set(pid, thread);
      if (leader !== undefined) running.set(next, leader);
      if (queued) open.set(next, { ...queued, pid: next });
      dead.delete(pid);
      dead.add(next);
    }
  }
  for (const pid of [...open.keys()]) end(pid, last + 1);
  return found;
}

/** Looks up which CPUs are free. */
export class FreeCpus {
  /**
   * @param {import('./lanes.mjs').Interval[][]} lanes
   * @param {Claims} claims
   */
  constructor(lanes, { claims, switches, unexplained }) {
    this.lanes = lanes;
    this.switches = switches;
    this.unexplained = unexplained;
    /** @type {Map<number | undefined, {from: number, latest: number}[]>} by begin, with the latest end until then */
    this.byCpu = new Map();
    for (const { cpu, from, to } of [...claims].sort((a, b) => a.from - b.from)) {
      const before = this.byCpu.get(cpu) ?? [];
      this.byCpu.set(cpu, before);
      before.push({ from, latest: Math.max(to, before.at(-1)?.latest ?? to) });
    }
  }

  /**
   * Whether a task has claimed the CPU before an instant, and still does.
   *
   * @param {number | undefined} cpu
   * @param {number} t
   */
  isClaimed(cpu, t) {
    const claims = this.byCpu.get(cpu) ?? [];
    const begun = firstNot(claims, ({ from }) => from < t);
    return begun > 0 && t < claims[begun - 1].latest;
  }

  /**
   * Undefined if the events do not tell: they do not tell what the CPU did, or since when the task that it runs next was
   * there, or where a task was that is runnable.
   *
   * @param {number} cpu
   * @param {number} t
   */
  isFree(cpu, t) {
    const lane = this.lanes[cpu] ?? [];
    const index = firstNot(lane, ({ end }) => end <= t);
    const interval = lane[index];
    if (!interval || interval.kind === 'unknown') return undefined;
    if (interval.kind === 'run' || this.isClaimed(cpu, t)) return false;
    const end = `${cpu}@${interval.end}`;
    const cut = lane[index + 1]?.kind === 'unknown' && !this.switches.has(end);
    return cut || this.unexplained.has(end) || this.isClaimed(undefined, t) ? undefined : true;
  }
}

/**
 * The index of the first item that is not `early`, where all early ones come first.
 *
 * @template T
 * @param {T[]} items
 * @param {(item: T) => boolean} early
 */
function firstNot(items, early) {
  let low = 0;
  for (let high = items.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (early(items[middle])) low = middle + 1;
    else high = middle;
  }
  return low;
}
