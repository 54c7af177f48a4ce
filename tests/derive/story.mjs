// @ts-check
// Random stories as scenario text for tracegen: few CPUs and few tasks that meet often, in an order that a kernel could
// write, with gaps, forks of pids that were used before, execs that change a pid, and traces in which an event is
// missing.

const PIDS = [100, 101, 102, 103, 104, 105, 106];
const COMMS = ['a', 'b', 'sleep'];
/** Priorities of tasks that are switched to: fair, real time, deadline. */
const PRIOS = [120, 120, 120, 139, 98, 0, -1];
const STATES = ['S', 'S', 'S', 'R', 'R', 'R+', 'D', 'Z', 'X', 'I', 'T'];
const MARKER = 'print marker';

/** How many events of its CPU a gap takes at most. */
const LOST = 6;

/**
 * Tells a random story; the same seed gives the same story.
 *
 * @param {number} seed
 * @returns {string}
 */
export function story(seed) {
  const random = new Random(seed);
  const cpus = 1 + random.below(4);
  const machine = new Machine(random, cpus);
  const lost = random.pick([0, 0, 2, 5]);
  const step = random.pick([1, 3, 20]);
  const absent = random.pick(['', '', '', 'waking', 'wakeup', 'migrate']);
  /** How many events of each CPU are still to be lost. @type {number[]} */
  const missing = new Array(cpus).fill(0);
  const lines = [`cpus ${cpus}`, 'start 10s'];
  for (let events = 10 + random.below(150); events > 0; events--) {
    const cpu = random.below(cpus);
    const gap = missing[cpu] === 0 && random.below(100) < lost;
    const what = gap ? random.pick(['lost', 'lost 3']) : machine.event(cpu);
    if (gap) missing[cpu] = 1 + random.below(LOST);
    else if (missing[cpu] > 0) missing[cpu]--;
    if (gap || (missing[cpu] === 0 && (absent === '' || !what.startsWith(absent)))) {
      lines.push(`+${1 + random.below(step)} cpu${cpu} ${what}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/**
 * @typedef {object} Task
 * @property {'unseen' | 'running' | 'queued' | 'asleep' | 'waking' | 'sent' | 'new' | 'exiting' | 'dead'} state `sent`: the CPU is
 *   to queue it
 * @property {number} cpu where it runs, is queued, ran last, or is to be queued
 * @property {boolean} woken it runs, and a waker has found it on its way to sleep
 */

/** What CPUs and tasks can do next. */
class Machine {
  /**
   * @param {Random} random
   * @param {number} cpus
   */
  constructor(random, cpus) {
    this.random = random;
    this.cpus = cpus;
    /** The pid that each CPU runs; 0 is idle. */
    this.running = Array.from({ length: cpus }, (_, cpu) => (random.below(2) === 0 ? 0 : PIDS[cpu]));
    /** The pid that each CPU is waking up. @type {(number | undefined)[]} */
    this.wakees = new Array(cpus);
    /** @type {Map<number, Task>} */
    this.tasks = new Map(
      PIDS.map((pid) => {
        const on = this.running.indexOf(pid);
        return [pid, { state: on < 0 ? 'unseen' : 'running', cpu: Math.max(on, 0), woken: false }];
      }),
    );
  }

  /**
   * What a CPU does next.
   *
   * @param {number} cpu
   */
  event(cpu) {
    const wakee = this.wakees[cpu];
    if (wakee !== undefined) return this.wakeup(cpu, wakee);
    const choice = this.random.below(100);
    if (choice < 45) return this.switched(cpu);
    if (choice < 63) return this.waking(cpu);
    if (choice < 76) return this.queue(cpu);
    if (choice < 83) return this.migrate();
    if (choice < 88) return this.fork(cpu);
    if (choice < 90) return this.exec(cpu);
    if (choice < 91) return `numa ${this.name(this.random.pick(PIDS), cpu)} 0 -> 1`;
    if (choice < 93) return this.exit(cpu);
    return MARKER;
  }

  /** @param {number} cpu */
  switched(cpu) {
    const { random } = this;
    const prev = this.running[cpu];
    const ready = PIDS.filter((pid) => {
      const { state, cpu: on } = this.task(pid);
      return state === 'unseen' || (state === 'queued' && on === cpu);
    });
    const next = ready.length === 0 || (prev !== 0 && random.below(3) === 0) ? 0 : random.pick(ready);
    if (prev === next) return MARKER;
    let letters = 'R';
    if (prev !== 0) {
      const task = this.task(prev);
      letters = task.state === 'exiting' ? random.pick(['Z', 'X']) : random.pick(STATES);
      if (task.woken) letters = random.pick(['S', 'D', 'I']);
      const stays = letters.startsWith('R') ? 'queued' : 'asleep';
      const left = task.woken ? 'waking' : stays;
      Object.assign(task, { state: /[ZX]/.test(letters) ? 'dead' : left, cpu, woken: false });
    }
    if (next !== 0) Object.assign(this.task(next), { state: 'running', cpu });
    this.running[cpu] = next;
    return `switch ${this.name(prev, cpu)} ${letters} -> ${this.name(next, cpu)} prio ${random.pick(PRIOS)}`;
  }

  /** @param {number} cpu */
  waking(cpu) {
    const pid = this.some(
      ({ state, woken }) => state === 'asleep' || state === 'unseen' || (state === 'running' && !woken),
    );
    if (pid === undefined || pid === this.running[cpu]) return MARKER;
    const task = this.task(pid);
    if (task.state === 'running') task.woken = true;
    else task.state = 'waking';
    this.wakees[cpu] = pid;
    return `waking ${this.name(pid, cpu)} on ${task.cpu}`;
  }

  /**
   * What a waker does next: it keeps its CPU until the wakee is on a runqueue, or that of another CPU is to take it.
   *
   * @param {number} cpu
   * @param {number} pid
   */
  wakeup(cpu, pid) {
    const { random } = this;
    const task = this.task(pid);
    const from = task.cpu;
    if (task.state === 'waking') {
      task.cpu = random.below(this.cpus);
      task.state = task.cpu !== cpu && random.below(3) === 0 ? 'sent' : 'queued';
      if (task.cpu !== from) {
        task.state = 'sent';
        this.wakees[cpu] = undefined;
        return `migrate ${this.name(pid, cpu)} ${from} -> ${task.cpu}`;
      }
    } else if (random.below(2) === 0) return MARKER;
    this.wakees[cpu] = undefined;
    task.woken = false;
    return task.state === 'sent' ? MARKER : `wakeup ${this.name(pid, cpu)} on ${task.cpu}`;
  }

  /** A CPU queues a task that was sent to it, or a new one. @param {number} cpu */
  queue(cpu) {
    const pid = this.some((task) => task.state === 'new' || (task.state === 'sent' && task.cpu === cpu));
    if (pid === undefined) return MARKER;
    const task = this.task(pid);
    const kind = task.state === 'new' ? 'wakeup_new' : 'wakeup';
    task.state = 'queued';
    return `${kind} ${this.name(pid, cpu)} on ${task.cpu}`;
  }

  migrate() {
    const pid = this.some(({ state }) => state === 'queued');
    if (pid === undefined) return MARKER;
    const task = this.task(pid);
    const from = task.cpu;
    task.cpu = this.random.below(this.cpus);
    return from === task.cpu ? MARKER : `migrate ${this.name(pid, 0)} ${from} -> ${task.cpu}`;
  }

  /** @param {number} cpu */
  fork(cpu) {
    const pid = this.some(({ state }) => state === 'dead' || state === 'unseen');
    if (pid === undefined) return MARKER;
    Object.assign(this.task(pid), { state: 'new', cpu });
    return `fork ${this.name(this.running[cpu], cpu)} -> ${this.name(pid, cpu)}`;
  }

  /** A thread takes over the pid of its dead leader. @param {number} cpu */
  exec(cpu) {
    const old = this.running[cpu];
    const pid = this.some(({ state }) => state === 'dead');
    if (old === 0 || pid === undefined) return MARKER;
    this.tasks.set(pid, this.task(old));
    this.tasks.set(old, { state: 'dead', cpu, woken: false });
    this.running[cpu] = pid;
    return `exec ${this.name(pid, cpu)} /bin/c from ${old}`;
  }

  /** @param {number} cpu */
  exit(cpu) {
    const pid = this.running[cpu];
    if (pid === 0 || this.task(pid).woken) return MARKER;
    this.task(pid).state = 'exiting';
    return `exit ${this.name(pid, cpu)}`;
  }

  /**
   * A pid of the tasks that pass, if there is one.
   *
   * @param {(task: Task) => boolean} passes
   */
  some(passes) {
    const found = PIDS.filter((pid) => passes(this.task(pid)));
    return found.length === 0 ? undefined : this.random.pick(found);
  }

  /**
   * @param {number} pid
   * @returns {Task}
   */
  task(pid) {
    const task = this.tasks.get(pid);
    if (!task) throw new Error(`no task ${pid}`);
    return task;
  }

  /**
   * @param {number} pid
   * @param {number} cpu
   */
  name(pid, cpu) {
    return pid === 0 ? `swapper/${cpu}:0` : `${this.random.pick(COMMS)}${pid % 3}:${pid}`;
  }
}

/** Marsaglia's xorshift. */
class Random {
  /** @param {number} seed */
  constructor(seed) {
    this.state = Math.imul(seed, 2654435761) >>> 0 || 1;
  }

  /** @param {number} bound */
  below(bound) {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    this.state >>>= 0;
    return this.state % bound;
  }

  /**
   * @template T
   * @param {T[]} from
   */
  pick(from) {
    return from[this.below(from.length)];
  }
}
