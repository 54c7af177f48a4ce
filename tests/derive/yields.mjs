// @ts-check
// Which switches take a thread off its CPU inside sched_yield, from the events of system calls on the same CPU.

/** The number of sched_yield (asm/unistd.h), by what `uname -m` prints. @type {[RegExp, number][]} */
const NUMBERS = [
  [/^x86_64$/, 24],
  [/^(aarch64|riscv64)$/, 124],
  [/^(i[3-6]86|armv.*|s390x?|ppc64(le)?)$/, 158],
];

/** @param {string | null} uname of the traced system */
export function schedYield(uname) {
  const words = (uname ?? '').split(' ').reverse();
  const found = words.flatMap((word) => NUMBERS.filter(([machine]) => machine.test(word)));
  return found[0]?.[1];
}

/**
 * A thread yielded where a switch takes it off a CPU as R, and it entered sched_yield on that CPU, in that run, and no call returned
 * there since. Without events of returns a call that did not return cannot be told from one that did: so some must have come before.
 */
export class Yields {
  /** @param {number | undefined} number of sched_yield, if the machine is known */
  constructor(number) {
    this.number = number;
    /** @type {(number | undefined)[]} by CPU: the thread inside sched_yield */
    this.inside = [];
    /** @type {boolean[]} by CPU */
    this.returns = [];
  }

  /**
   * @param {number} cpu
   * @param {number} pid the thread on the CPU
   * @param {string} name of the event
   * @param {string} fields
   */
  event(cpu, pid, name, fields) {
    if (name === 'sys_exit' || name === 'sys_exit_sched_yield') {
      this.returns[cpu] = true;
      this.inside[cpu] = undefined;
    }
    const entered = name === 'sys_enter' ? Number(/\bid=(-?\d+)/.exec(fields)?.[1]) === this.number : false;
    if ((entered || name === 'sys_enter_sched_yield') && this.returns[cpu]) this.inside[cpu] = pid;
  }

  /** Whether the thread that a switch takes off the CPU is inside sched_yield; its run ends. @param {number} cpu @param {number} pid */
  leaves(cpu, pid) {
    const inside = this.inside[cpu] === pid;
    this.lost(cpu);
    return inside;
  }

  /** @param {number} cpu */
  lost(cpu) {
    this.inside[cpu] = undefined;
  }
}
