// @ts-check
// Random stories as scenario text for tracegen: few CPUs and few tasks that meet often, in an order that a kernel could
// write, with gaps, forks of pids that were used before, execs that change a pid, and traces in which an event is
// missing.

const PIDS = [100, 101, 102, 103, 104, 105, 106];
const COMMS = ['a', 'b', 'sleep'];
/** Priorities of tasks that are switched to: fair, real time, deadline. */
const PRIOS = [120, 120, 120, 139, 98, 0, -1];
const STATES = ['S', 'S', 'S', 'R', 'R', 'R+', 'D', 'Z', 'X', 'I', 'T'];

/**
 * Tells a random story; the same seed gives the same story.
 *
 * @param {number} seed
 * @returns {string}
 */
export function story(seed) {
  const random = new Random(seed);
  const cpus = 1 + random.below(4);
  /** The pid that each CPU runs; 0 is idle. */
  const running = Array.from({ length: cpus }, (_, cpu) => (random.below(2) === 0 ? 0 : PIDS[cpu]));
  /** Leaders that died, whose pids an exec may take over. @type {Set<number>} */
  const dead = new Set();
  const lost = random.pick([0, 0, 2, 5]);
  const step = random.pick([1, 3, 20]);
  const absent = random.pick(['', '', '', 'waking', 'wakeup']);
  const lines = [`cpus ${cpus}`, 'start 10s'];
  for (let events = 10 + random.below(150); events > 0; events--) {
    const cpu = random.below(cpus);
    const what = event(random, running, dead, cpu, lost);
    if (what && (absent === '' || !what.startsWith(absent))) lines.push(`+${1 + random.below(step)} cpu${cpu} ${what}`);
  }
  return `${lines.join('\n')}\n`;
}

/**
 * @param {Random} random
 * @param {number[]} running
 * @param {Set<number>} dead
 * @param {number} cpu
 * @param {number} lost chance of a gap, in tenths of the chance of a marker
 */
function event(random, running, dead, cpu, lost) {
  const anyone = () => random.pick(PIDS);
  /** A task that begins with that pid is not dead. @param {number} pid */
  const born = (pid) => {
    dead.delete(pid);
    return pid;
  };
  /** @param {number} pid */
  const task = (pid) => (pid === 0 ? `swapper/${cpu}:0` : `${random.pick(COMMS)}${pid % 3}:${pid}`);
  const free = PIDS.filter((pid) => !running.includes(pid));
  const choice = random.below(100);
  if (choice < 45) {
    const prev = running[cpu];
    const next = prev !== 0 && random.below(3) === 0 ? 0 : random.pick(free);
    running[cpu] = next;
    const state = prev === 0 ? 'R' : random.pick(STATES);
    if (/[ZX]/.test(state)) dead.add(prev);
    dead.delete(next);
    return `switch ${task(prev)} ${state} -> ${task(next)} prio ${random.pick(PRIOS)}`;
  }
  if (choice < 58) return `waking ${task(anyone())} on 0`;
  if (choice < 72) return `wakeup ${task(anyone())} on ${cpu}`;
  if (choice < 75) return `wakeup_new ${task(born(anyone()))} on ${cpu}`;
  if (choice < 83) return `migrate ${task(anyone())} 0 -> ${cpu}`;
  if (choice < 88) return `fork ${task(running[cpu])} -> ${task(born(random.pick(free)))}`;
  const leaders = free.filter((pid) => dead.has(pid));
  if (choice < 90 && running[cpu] !== 0 && leaders.length > 0) {
    const [old, pid] = [running[cpu], random.pick(leaders)];
    running[cpu] = pid;
    dead.delete(pid);
    return `exec ${task(pid)} /bin/c from ${old}`;
  }
  if (choice < 91) return `numa ${task(anyone())} 0 -> 1`;
  if (choice < 93) return `exit ${task(running[cpu])}`;
  return random.below(10) < lost ? random.pick(['lost', 'lost 3']) : 'print marker';
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
