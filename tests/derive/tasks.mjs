// @ts-check
// What happened to every task: generations, waiting, wake-up latencies, migrations, from all CPUs' events in order.

/**
 * @typedef {object} Task one generation of a pid
 * @property {number} pid
 * @property {number} generation counts the forks of this pid after it was first seen
 * @property {boolean} forked during the trace
 * @property {number | undefined} on the CPU it was switched in on last, while it runs
 * @property {boolean} dead switched out for good
 * @property {number | undefined} waitingSince
 * @property {number | undefined} wokenAt start of the latency that the next switch-in ends
 * @property {'waking' | 'fork' | undefined} placing a CPU is being chosen for it, since which event
 * @property {boolean} numa NUMA balancing announced its next migration
 */

/**
 * @typedef {object} TaskStory all times relative to the report's origin
 * @property {Task[]} tasks in the order in which they were first seen
 * @property {{task: Task, comm: string, start: number, end: number}[]} runs
 * @property {{task: Task, comm: string, t: number}[]} switches to a task
 * @property {{task: Task, start: number, end: number}[]} waits runnable without running
 * @property {{task: Task, since: number, ns: number}[]} latencies in the order of the switches that end them
 * @property {{task: Task, t: number, kind: 'placement' | 'load_balance' | 'numa' | 'other'}[]} migrations
 * @property {number} contradictions switches of which the previous task was not the one that ran
 */

/**
 * @param {import('./report.mjs').Report} report
 * @param {(raw: number) => string} letters of a raw prev_state
 * @returns {TaskStory}
 */
export function deriveTasks(report, letters) {
  const teller = new Teller(report, letters);
  for (const event of report.events) teller.tell(event);
  return teller.finish();
}

class Teller {
  /**
   * @param {import('./report.mjs').Report} report
   * @param {(raw: number) => string} letters
   */
  constructor(report, letters) {
    this.report = report;
    this.letters = letters;
    /** @type {Map<number, Task>} the living (latest) generation of each pid */
    this.current = new Map();
    /** @type {({task: Task | undefined, comm: string, since: number} | undefined)[]} per CPU; no task: idle */
    this.lanes = new Array(report.cpus);
    /** @type {TaskStory} */
    this.story = { tasks: [], runs: [], switches: [], waits: [], latencies: [], migrations: [], contradictions: 0 };
    this.seatFirstTasks();
  }

  /** Tasks that ran when the trace began, as each CPU's first switch tells. */
  seatFirstTasks() {
    const seen = new Set();
    for (const event of this.report.events) {
      if (seen.has(event.cpu) || (event.kind !== 'sched_switch' && event.kind !== 'lost')) continue;
      seen.add(event.cpu);
      if (event.kind === 'lost') continue;
      if (event.pid !== 0) this.task(event.pid);
      if (this.report.first < event.t) this.seat(event.cpu, event.pid, event.comm, this.report.first);
    }
  }

  /** @param {import('./report.mjs').Event} event */
  tell(event) {
    switch (event.kind) {
      case 'sched_switch':
        this.switchOut(event);
        this.switchIn(event);
        break;
      case 'lost':
        this.vacate(event.cpu, Math.max(event.t, this.report.first));
        this.lanes[event.cpu] = undefined;
        break;
      case 'sched_waking':
        this.waking(event);
        break;
      case 'sched_wakeup':
      case 'sched_wakeup_new':
        this.wakeup(event);
        break;
      case 'sched_process_fork':
        this.fork(event);
        break;
      case 'sched_migrate_task':
        this.migrate(event);
        break;
      case 'sched_move_numa':
      case 'sched_stick_numa':
      case 'sched_swap_numa':
        this.announceNuma(event);
        break;
      default:
        break;
    }
  }

  /** @returns {TaskStory} */
  finish() {
    for (let cpu = 0; cpu < this.lanes.length; cpu++) this.vacate(cpu, this.report.last);
    for (const task of this.story.tasks) this.stopWaiting(task, this.report.last);
    return this.story;
  }

  /** @param {import('./report.mjs').Event} event a switch, seen from the task that leaves */
  switchOut({ t, cpu, pid, state }) {
    const lane = this.lanes[cpu];
    if (lane && (lane.task?.pid ?? 0) !== pid) this.story.contradictions++;
    this.vacate(cpu, t);
    if (pid === 0) return;
    const task = this.living(pid);
    // Switched in elsewhere meanwhile: the clocks of the CPUs disagree, and there it goes on.
    if (lane?.task === task && task.on !== undefined) return;
    task.on = undefined;
    if (task.waitingSince !== undefined) {
      // It was switched in at some time that was not recorded: that ended its wait, and nobody knows when.
      this.stopWaiting(task, t);
      if (task.placing !== 'waking') task.wokenAt = undefined;
    }
    const letters = this.letters(state);
    // A child that ran has been placed.
    if (task.placing === 'fork') task.placing = undefined;
    // With a plus it was preempted, and is runnable whatever state it had set.
    const runnable = letters === 'R' || letters.endsWith('+');
    if (runnable) task.waitingSince = t;
    task.dead = !runnable && /^[XZx]/.test(letters);
  }

  /** @param {import('./report.mjs').Event} event a switch, seen from the task that comes */
  switchIn({ t, cpu, next, nextComm }) {
    if (next !== 0) {
      const task = this.living(next);
      this.stopWaiting(task, t);
      // Who is thought to run elsewhere did not wait for this.
      if (task.on === undefined) this.endLatency(task, t);
      this.story.switches.push({ task, comm: nextComm, t });
    }
    this.seat(cpu, next, nextComm, t);
  }

  /** @param {import('./report.mjs').Event} event */
  waking({ t, pid }) {
    const task = this.wakee(pid);
    if (!task) return;
    task.wokenAt = t;
    task.placing = 'waking';
  }

  /** @param {import('./report.mjs').Event} event */
  wakeup({ t, pid }) {
    const task = this.wakee(pid);
    if (!task) return;
    task.placing = undefined;
    if (task.on !== undefined) {
      // It was about to sleep and goes on: neither slept nor waited.
      task.wokenAt = undefined;
      return;
    }
    task.wokenAt ??= t;
    task.waitingSince ??= t;
  }

  /** @param {import('./report.mjs').Event} event */
  fork({ t, pid, next }) {
    if (pid !== 0) this.task(pid);
    const known = this.current.get(next);
    if (known) this.stopWaiting(known, t);
    const child = this.renew(next);
    child.placing = 'fork';
    child.forked = true;
  }

  /**
   * The task of a pid that runs: where the last one is dead, another was forked, and that was not recorded.
   *
   * @param {number} pid
   */
  living(pid) {
    return this.current.get(pid)?.dead ? this.renew(pid) : this.task(pid);
  }

  /**
   * Begins the next generation of a pid, the first if there was none.
   *
   * @param {number} pid
   */
  renew(pid) {
    const known = this.current.get(pid);
    this.current.delete(pid);
    return this.task(pid, known ? known.generation + 1 : 0);
  }

  /** @param {import('./report.mjs').Event} event */
  migrate({ t, pid }) {
    const task = this.task(pid);
    this.story.migrations.push({ task, t, kind: this.migrationKind(task) });
    task.numa = false;
  }

  /** @param {import('./report.mjs').Event} event */
  announceNuma({ pid }) {
    const task = this.current.get(pid);
    if (task) task.numa = true;
  }

  /**
   * @param {Task} task
   * @param {number} t
   */
  endLatency(task, t) {
    if (task.wokenAt !== undefined) this.story.latencies.push({ task, since: task.wokenAt, ns: t - task.wokenAt });
    task.wokenAt = undefined;
    task.placing = undefined;
  }

  /** @param {Task} task */
  migrationKind(task) {
    if (task.placing) return 'placement';
    if (task.numa) return 'numa';
    return task.waitingSince !== undefined ? 'load_balance' : 'other';
  }

  /**
   * The task that a wakeup is for; none for idle and for the dead, whose wakeups are stale.
   *
   * @param {number} pid
   */
  wakee(pid) {
    if (pid === 0) return undefined;
    const task = this.task(pid);
    return task.dead ? undefined : task;
  }

  /**
   * @param {number} pid
   * @param {number} [generation] of a pid that has no living task
   */
  task(pid, generation = 0) {
    let task = this.current.get(pid);
    if (!task) {
      task = {
        pid,
        generation,
        forked: false,
        on: undefined,
        dead: false,
        waitingSince: undefined,
        wokenAt: undefined,
        placing: undefined,
        numa: false,
      };
      this.current.set(pid, task);
      this.story.tasks.push(task);
    }
    return task;
  }

  /**
   * @param {number} cpu
   * @param {number} pid
   * @param {string} comm
   * @param {number} since
   */
  seat(cpu, pid, comm, since) {
    const task = pid === 0 ? undefined : this.task(pid);
    if (task) task.on = cpu;
    this.lanes[cpu] = { task, comm, since };
  }

  /**
   * Ends what runs on a CPU.
   *
   * @param {number} cpu
   * @param {number} t
   */
  vacate(cpu, t) {
    const lane = this.lanes[cpu];
    if (!lane?.task) return;
    if (lane.task.on === cpu) lane.task.on = undefined;
    this.story.runs.push({ task: lane.task, comm: lane.comm, start: lane.since, end: t });
    this.lanes[cpu] = undefined;
  }

  /**
   * @param {Task} task
   * @param {number} t
   */
  stopWaiting(task, t) {
    const start = task.waitingSince;
    if (start === undefined) return;
    task.waitingSince = undefined;
    if (start < t) this.story.waits.push({ task, start, end: t });
  }
}
