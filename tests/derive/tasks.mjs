// @ts-check
// What happened to every task: generations, waiting, wake-up latencies, migrations, from all CPUs' events in order.

import { pidBefore } from './takeovers.mjs';
import { isThrottled } from './throttling.mjs';
import { contextOf, contextOfWakeup } from './wakeups.mjs';

/**
 * @typedef {import('./wakeups.mjs').Context} Context
 * @typedef {import('./wakeups.mjs').Wakeup} Wakeup
 */

/**
 * @typedef {object} Task one generation of a pid
 * @property {number} pid
 * @property {number} generation counts the forks of this pid after it was first seen
 * @property {boolean} forked during the trace
 * @property {Task | undefined} parent that forked it during the trace
 * @property {Task | undefined} continues the task that the thread was before it took over its leader's pid
 * @property {number | undefined} on the CPU it was switched in on last, while it runs
 * @property {boolean} dead switched out for good
 * @property {number | undefined} waitingSince
 * @property {number | undefined} throttledSince since when it is off its runqueue until its next period
 * @property {Cause | undefined} cause the cause of its next wait, while it waits
 * @property {boolean} plus its wait began with a switch-out whose state has a plus
 * @property {boolean} inQueue a wakeup has found it, or put it, on a runqueue
 * @property {number | undefined} asleepSince
 * @property {number | undefined} place the CPU that an event put it on last
 * @property {number | undefined} leftFrom the CPU on which its last run ended
 * @property {boolean} ran it was switched in before
 * @property {Wakeup | undefined} wakeup whose latency the next switch-in ends
 * @property {string} comm the last comm that an event gave it
 * @property {Set<string>} comms all comms that events gave it
 * @property {'waking' | 'fork' | undefined} placing a CPU is being chosen for it, since which event
 * @property {boolean} numa NUMA balancing announced its next migration
 */

/** @typedef {'wakeup' | 'preempted' | 'replenished'} Cause */
/**
 * @typedef {object} Run
 * @property {Task} task
 * @property {string} comm
 * @property {number} cpu
 * @property {number} start
 * @property {number} end
 * @property {boolean} inferred
 * @property {'preempted' | 'yielded' | 'throttled' | 'slept' | 'exited' | undefined} ended why it ended, if a switch said so
 * @property {string} [letters] of the prev_state with which it ended
 * @property {{since: number, cause: Cause, from: number | undefined} | undefined} wait the wait before it, and the CPU on
 * which that began
 * @property {Latency | undefined} latency the latency that it ended
 * @property {Run | undefined} from the run that this one continues after an exec that changed its pid
 * @property {Run | undefined} to the run that continues this one
 */

/** @typedef {{task: Task, comm: string, cpu: number, since: number, ns: number, wakeup: Wakeup, run: Run}} Latency */

/**
 * @typedef {object} TaskStory all times relative to the report's origin
 * @property {Task[]} tasks in the order in which they were first seen
 * @property {Run[]} runs
 * @property {{task: Task, comm: string, cpu: number, t: number}[]} switches to a task
 * @property {{task: Task, comm: string, cpu: number | undefined, start: number, end: number}[]} waits times in which a
 * task was runnable without running, and on which CPU a switch-in ended them, if one did
 * @property {{task: Task, comm: string, start: number, end: number}[]} throttles
 * @property {Latency[]} latencies in the order of the switches that end them
 * @property {{task: Task, t: number, kind: 'placement' | 'load_balance' | 'numa' | 'other' | 'derived', origin: number | undefined,
 *   target: number | undefined}[]} migrations
 * @property {number} contradictions switches whose previous task was not the one that ran
 * @property {number} unseen wakeups of tasks that waited already
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
    /** @type {(Run | 'idle' | undefined)[]} per CPU */
    this.lanes = new Array(report.cpus);
    /** @type {Map<Task, Task>} leaders that die under the pid of the thread that took over theirs */
    this.exiting = new Map();
    /** @param {string} kind */
    const has = (kind) => report.events.some((event) => event.kind === kind);
    /** Nothing but sched_waking makes tasks runnable. */
    this.onlyWakings = has('sched_waking') && !has('sched_wakeup');
    this.recordsMoves = has('sched_migrate_task');
    /** @type {TaskStory} */
    this.story = {
      tasks: [],
      runs: [],
      switches: [],
      waits: [],
      throttles: [],
      latencies: [],
      migrations: [],
      contradictions: 0,
      unseen: 0,
    };
    this.seatFirstTasks();
  }

  /** Seats the tasks that ran when the trace began, as each CPU's first switch shows. */
  seatFirstTasks() {
    const seen = new Set();
    for (const event of this.report.events) {
      if (seen.has(event.cpu) || (event.kind !== 'sched_switch' && event.kind !== 'lost')) continue;
      seen.add(event.cpu);
      if (event.kind === 'lost') continue;
      const pid = pidBefore(this.report.events, event);
      if (pid !== 0) this.mention(pid, event.comm);
      if (pid !== 0) this.task(pid).place ??= event.cpu;
      if (this.report.first < event.t) this.seat(event.cpu, pid, event.comm, this.report.first, true);
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
      case 'takeover':
        this.takeOver(event);
        break;
      case 'sched_waking':
        this.waking(event);
        break;
      case 'sched_wakeup':
      case 'sched_wakeup_new':
        this.wakeup(event);
        break;
      case 'task_rename':
        if (event.pid !== 0) this.mention(event.pid, event.comm);
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
    for (const task of this.story.tasks) {
      this.stopWaiting(task, this.report.last, undefined);
      this.stopThrottling(task, this.report.last);
    }
    return this.story;
  }

  /** @param {import('./report.mjs').Event} event a switch, seen from the task that leaves */
  switchOut(event) {
    const { t, cpu, pid, comm, state } = event;
    const lane = this.lanes[cpu];
    const agrees = lane && (lane === 'idle' ? pid === 0 : pid !== 0 && lane.task === this.task(pid));
    if (lane && !agrees) this.story.contradictions++;
    this.vacate(cpu, t);
    if (pid === 0) return;
    const task = this.living(pid, comm);
    const letters = this.letters(state);
    // With a plus it was preempted, and is runnable whatever state it had set.
    const throttled = isThrottled(letters, event);
    const runnable = !throttled && (letters === 'R' || letters.endsWith('+'));
    const dead = !runnable && !throttled && /^[XZx]/.test(letters);
    const ran = lane !== undefined && lane !== 'idle' && lane.task === task ? lane : undefined;
    const yielded = letters === 'R' && event.inYield;
    if (ran && letters !== '?') {
      const stayed = yielded ? 'yielded' : 'preempted';
      ran.ended = throttled ? 'throttled' : runnable ? stayed : dead ? 'exited' : 'slept';
      ran.letters = letters;
    }
    // It was switched in elsewhere meanwhile: the clocks of the CPUs disagree, and it runs on there.
    if (ran && task.on !== undefined) return;
    task.on = undefined;
    task.leftFrom = ran && cpu;
    if (task.waitingSince !== undefined) {
      // It was switched in at a time that was not recorded: that ended its wait, but it is not known when.
      this.stopWaiting(task, t, undefined);
      if (task.placing !== 'waking') task.wakeup = undefined;
    }
    this.stopThrottling(task, t);
    if (throttled) task.throttledSince = t;
    // A child that ran has been placed.
    if (task.placing === 'fork') task.placing = undefined;
    if (runnable) {
      task.waitingSince = t;
      task.cause = 'preempted';
      task.plus = letters.endsWith('+');
    }
    task.asleepSince = runnable || throttled || dead || letters.startsWith('?') ? undefined : t;
    // What woke it on its way to sleep has kept it awake.
    if (this.onlyWakings && (!ran || task.asleepSince === undefined)) task.wakeup = undefined;
    if (this.onlyWakings && task.wakeup) task.placing = 'waking';
    task.dead = dead;
  }

  /** @param {import('./report.mjs').Event} event a switch, seen from the task that comes */
  switchIn({ t, cpu, next, nextComm }) {
    if (next === 0) {
      this.seat(cpu, next, nextComm, t, false);
      return;
    }
    const task = this.living(next, nextComm);
    const { asleepSince } = task;
    if (this.onlyWakings && task.on === undefined && asleepSince !== undefined && task.wakeup) {
      // It was woken before it had left its CPU, and by nothing since.
      task.waitingSince = asleepSince;
      task.cause = 'wakeup';
    }
    const wait = this.stopWaiting(task, t, cpu);
    this.arrive(task, t, cpu, wait !== undefined);
    this.stopThrottling(task, t);
    const goesOn = task.on !== undefined;
    const run = this.seat(cpu, next, nextComm, t, false);
    const { cause, wakeup, leftFrom } = { ...task, ...wait };
    if (run) run.wait = wait && { ...wait, from: cause === 'preempted' ? leftFrom : wakeup?.chosen };
    // A task that is thought to run elsewhere did not wait for this.
    if (run && !goesOn) this.endLatency(run);
    this.story.switches.push({ task, comm: nextComm, cpu, t });
  }

  /** @param {import('./report.mjs').Event} event */
  waking(event) {
    const task = this.wakee(event);
    if (!task) return;
    if (this.cannotBeWoken(task)) this.ranUnseen(task);
    const wakeup = { ...this.clock(event, contextOf(event)), previous: event.target };
    task.place = event.target;
    if (!this.onlyWakings) {
      task.wakeup = wakeup;
      task.placing = 'waking';
      return;
    }
    task.wakeup = wakeup;
    // While it still runs, only its next switches show whether it sleeps.
    if (task.on !== undefined) return;
    this.stopThrottling(task, event.t);
    task.placing = 'waking';
    task.cause = task.waitingSince === undefined ? 'wakeup' : task.cause;
    task.waitingSince ??= event.t;
    task.asleepSince = undefined;
    task.inQueue = true;
  }

  /**
   * Whether a task waits so that the kernel would not write a sched_waking for it: it is on a runqueue, and has not set
   * out to sleep.
   *
   * @param {Task} task
   */
  cannotBeWoken({ waitingSince, cause, plus, inQueue }) {
    return waitingSince !== undefined && (cause === 'wakeup' || !plus || inQueue);
  }

  /** @param {Task} task that ran and slept since it began to wait: how long it waited is not known */
  ranUnseen(task) {
    this.story.unseen++;
    task.waitingSince = undefined;
    task.wakeup = undefined;
    task.inQueue = false;
  }

  /**
   * A task is switched in: on another CPU than it was put on, it has moved at an unknown time.
   *
   * @param {Task} task
   * @param {number} t
   * @param {number} cpu
   * @param {boolean} waited
   */
  arrive(task, t, cpu, waited) {
    const { place, ran, wakeup } = task;
    if (this.onlyWakings && waited && wakeup && wakeup.chosen === undefined && task.inQueue) wakeup.chosen = place;
    if (place !== undefined && place !== cpu && (waited || (!this.recordsMoves && ran))) {
      this.story.migrations.push({ task, t, kind: 'derived', origin: undefined, target: cpu });
    }
    task.place = cpu;
    task.ran = true;
    task.inQueue = false;
    task.asleepSince = undefined;
  }

  /** @param {import('./report.mjs').Event} event */
  wakeup(event) {
    const task = this.wakee(event);
    if (!task) return;
    const announced = task.placing === 'waking';
    task.placing = undefined;
    task.place = event.target;
    if (task.on !== undefined) {
      // It was about to sleep and runs on: it neither slept nor waited.
      task.wakeup = undefined;
      return;
    }
    if (!announced && task.waitingSince !== undefined && (task.cause === 'wakeup' || task.inQueue))
      this.ranUnseen(task);
    task.inQueue = true;
    // Without a sched_waking, the latency counts from this event.
    task.wakeup ??= this.clock(event, event.kind === 'sched_wakeup_new' ? contextOf(event) : contextOfWakeup(event));
    if (task.wakeup.woken === undefined) {
      task.wakeup.woken = event.t;
      task.wakeup.chosen = event.target;
    }
    this.stopThrottling(task, event.t);
    task.cause = task.waitingSince === undefined ? 'wakeup' : task.cause;
    task.waitingSince ??= event.t;
  }

  /**
   * @param {import('./report.mjs').Event} event the event from which a latency counts
   * @param {Context | undefined} context
   * @returns {Wakeup}
   */
  clock({ t, cpu, kind, by }, context) {
    const waker = by === 0 || context === 'unknown' ? undefined : this.task(by);
    const lane = this.lanes[cpu];
    const wakerRun = lane !== undefined && lane !== 'idle' && lane.task === waker ? lane : undefined;
    return {
      at: t,
      event: kind,
      wakerCpu: cpu,
      context,
      waker,
      wakerRun,
      previous: undefined,
      woken: undefined,
      chosen: undefined,
    };
  }

  /** @param {import('./report.mjs').Event} event */
  fork({ t, pid, comm, next, nextComm }) {
    if (pid !== 0) this.mention(pid, comm);
    const known = this.current.get(next);
    if (known) {
      this.stopWaiting(known, t, undefined);
      this.stopThrottling(known, t);
    }
    const child = this.renew(next);
    this.name(child, nextComm);
    child.placing = 'fork';
    child.forked = true;
    child.parent = pid === 0 ? undefined : this.current.get(pid);
  }

  /**
   * A thread continues as the next task with its leader's pid, and so does its run, if it runs.
   *
   * @param {import('./report.mjs').Event} event
   */
  takeOver({ t, pid, next: old, target: cpu }) {
    const before = this.task(old);
    const leader = this.current.get(pid);
    const run = cpu === undefined ? undefined : this.lanes[cpu];
    const task = this.renew(pid);
    const { forked, comm, wakeup, placing, numa, place, ran } = before;
    Object.assign(task, { forked, wakeup, placing, numa, place, ran, continues: before });
    this.name(task, comm);
    this.stopWaiting(before, t, undefined);
    before.dead = true;
    if (cpu !== undefined) {
      this.vacate(cpu, t);
      const from = run === 'idle' ? undefined : run;
      const to = this.seat(cpu, pid, from?.comm ?? comm, t, false);
      if (to) task.comms.add(to.comm);
      if (from && to) {
        to.from = from;
        from.to = to;
      }
    }
    if (leader && !leader.dead) {
      if (leader.on !== undefined || leader.waitingSince !== undefined) this.exiting.set(before, leader);
      else leader.dead = true;
    }
  }

  /**
   * The task of a pid that runs: if the last one is dead, another was forked and that was not recorded.
   *
   * @param {number} pid
   * @param {string} comm
   */
  living(pid, comm) {
    return this.name(this.task(pid).dead ? this.renew(pid) : this.task(pid), comm);
  }

  /**
   * The task of a pid, dead or alive, to which an event gives a name.
   *
   * @param {number} pid
   * @param {string} comm
   */
  mention(pid, comm) {
    return this.name(this.task(pid), comm);
  }

  /**
   * @param {Task} task
   * @param {string} comm
   */
  name(task, comm) {
    task.comm = comm;
    task.comms.add(comm);
    return task;
  }

  /**
   * Begins the next generation of a pid, or the first.
   *
   * @param {number} pid
   */
  renew(pid) {
    const known = this.current.get(pid);
    this.current.delete(pid);
    return this.task(pid, known ? known.generation + 1 : 0);
  }

  /** @param {import('./report.mjs').Event} event */
  migrate({ t, cpu, pid, comm, origin, target }) {
    const task = this.mention(pid, comm);
    this.story.migrations.push({ task, t, kind: this.migrationKind(task, cpu), origin, target });
    if (task.throttledSince !== undefined && !task.placing) {
      this.stopThrottling(task, t);
      task.waitingSince = t;
      task.cause = 'replenished';
    }
    task.numa = false;
    task.place = target;
  }

  /** @param {import('./report.mjs').Event} event */
  announceNuma({ pid }) {
    const task = this.current.get(pid);
    if (task) task.numa = true;
  }

  /** @param {Run} run */
  endLatency(run) {
    const { task, comm, cpu, start } = run;
    const { wakeup } = task;
    if (wakeup) {
      run.latency = { task, comm, cpu, since: wakeup.at, ns: start - wakeup.at, wakeup, run };
      this.story.latencies.push(run.latency);
    }
    task.wakeup = undefined;
    task.placing = undefined;
  }

  /**
   * @param {Task} task
   * @param {number} cpu on which the migration is written
   */
  migrationKind(task, cpu) {
    const { placing, waitingSince, wakeup } = task;
    if (placing === 'waking' && this.onlyWakings) {
      // The waker places its wakee at once.
      task.placing = undefined;
      const lane = this.lanes[cpu];
      const writer = lane === 'idle' ? undefined : lane?.task;
      if (wakeup?.wakerCpu === cpu && wakeup.waker === writer && wakeup.context !== undefined) return 'placement';
    } else if (placing && !(placing === 'waking' && waitingSince !== undefined && task.plus)) return 'placement';
    if (task.numa) return 'numa';
    return (task.waitingSince ?? task.throttledSince) !== undefined ? 'load_balance' : 'other';
  }

  /**
   * The task that a wakeup is for; none for idle, and for dead tasks, whose wakeups are stale.
   *
   * @param {import('./report.mjs').Event} event
   */
  wakee({ kind, pid, comm }) {
    if (pid === 0) return undefined;
    const task = this.mention(pid, comm);
    if (!task.dead) return task;
    // A new task's first wakeup: its fork was not recorded.
    return kind === 'sched_wakeup_new' ? this.living(pid, comm) : undefined;
  }

  /**
   * @param {number} pid
   * @param {number} [generation] of a pid that has no living task
   */
  task(pid, generation = 0) {
    let task = this.current.get(pid);
    const leader = task && this.exiting.get(task);
    if (leader && !leader.dead) return leader;
    if (!task) {
      task = {
        pid,
        generation,
        forked: false,
        parent: undefined,
        continues: undefined,
        on: undefined,
        dead: false,
        waitingSince: undefined,
        throttledSince: undefined,
        cause: undefined,
        plus: false,
        inQueue: false,
        asleepSince: undefined,
        place: undefined,
        leftFrom: undefined,
        ran: false,
        wakeup: undefined,
        comm: '',
        comms: new Set(),
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
   * @param {boolean} inferred
   */
  seat(cpu, pid, comm, since, inferred) {
    if (pid === 0) {
      this.lanes[cpu] = 'idle';
      return undefined;
    }
    const task = this.task(pid);
    task.on = cpu;
    /** @type {Run} */
    const run = {
      task,
      comm,
      cpu,
      start: since,
      end: since,
      inferred,
      ended: undefined,
      wait: undefined,
      latency: undefined,
      from: undefined,
      to: undefined,
    };
    this.lanes[cpu] = run;
    return run;
  }

  /**
   * Ends the run on a CPU.
   *
   * @param {number} cpu
   * @param {number} t
   */
  vacate(cpu, t) {
    const run = this.lanes[cpu];
    this.lanes[cpu] = undefined;
    if (!run || run === 'idle') return;
    if (run.task.on === cpu) run.task.on = undefined;
    run.end = t;
    this.story.runs.push(run);
  }

  /**
   * @param {Task} task
   * @param {number} t
   */
  stopThrottling(task, t) {
    const { throttledSince: start, comm } = task;
    task.throttledSince = undefined;
    if (start !== undefined && start < t) this.story.throttles.push({ task, comm, start, end: t });
  }

  /**
   * @param {Task} task
   * @param {number} t
   * @param {number | undefined} cpu on which it is switched in
   */
  stopWaiting(task, t, cpu) {
    const { waitingSince: since, cause = 'wakeup' } = task;
    if (since === undefined) return undefined;
    task.waitingSince = undefined;
    if (since < t) this.story.waits.push({ task, comm: task.comm, cpu, start: since, end: t });
    return { since, cause };
  }
}
