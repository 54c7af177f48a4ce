// @ts-check
// Which thread belongs to which process, from the text of a report: by task_newtask's flags, or by those of the call in which
// its parent made it.

const CLONE_THREAD = 0x10000n;

/** The calls that make tasks, by machine. @type {Record<string, Record<number, 'clone' | 'fork'>>} */
const MAKERS = {
  x86_64: { 56: 'clone', 57: 'fork', 58: 'fork' },
  aarch64: { 220: 'clone' },
  s390x: { 120: 'clone', 2: 'fork', 190: 'fork' },
};

/**
 * @param {import('./report.mjs').Report} report
 * @param {import('./calls.mjs').CallReader} read
 * @param {import('./calls.mjs').Thread[]} threads
 * @param {string | null} arch
 * @returns {(thread: import('./calls.mjs').Thread) => number | null} the pid of its first thread; null if it is not known
 */
export function processesOf({ origin }, read, threads, arch) {
  const makers = MAKERS[arch ?? ''] ?? {};
  /** The flags of the call in which a pid is. @type {Map<number, bigint | undefined>} */
  const within = new Map();
  /** @type {Map<number, bigint>} */
  const told = new Map();
  /** @type {Map<import('./calls.mjs').Thread, {parent: import('./calls.mjs').Thread | undefined, flags: bigint | undefined}>} */
  const made = new Map();
  /** @param {number} pid @param {number} at */
  const alive = (pid, at) => {
    const generations = threads.filter((thread) => thread.pid === pid);
    return generations.findLast(({ birth }) => birth <= at) ?? generations[0];
  };
  for (const { t, pid, name, fields } of read.events) {
    const number = Number(/(?:\bid|__syscall_nr|\bnr)=(-?\d+)/.exec(fields)?.[1] ?? -1);
    const named = /^sys_(enter|exit)_/.test(name);
    if (name === 'sys_enter' || (named && !read.raw && name.startsWith('sys_enter_'))) {
      within.set(pid, makers[number] === 'fork' ? 0n : makers[number] === 'clone' ? flagsOf(fields, arch) : undefined);
    } else if (name === 'sys_exit' || (named && !read.raw)) {
      within.delete(pid);
    } else if (name === 'task_newtask') {
      const [, child, flags] = /^pid=(\d+) .*clone_flags=([0-9a-f]+) /.exec(fields) ?? [];
      if (child) told.set(Number(child), BigInt(`0x${flags}`));
    } else if (name === 'sched_process_fork') {
      const [, parent, child] = /parent_pid=(\d+) .*child_pid=(\d+)/.exec(fields) ?? [];
      const at = Number(t - origin);
      const thread = alive(Number(child), at);
      if (!thread || thread.birth !== at) continue;
      made.set(thread, {
        parent: alive(Number(parent), at),
        flags: told.get(Number(child)) ?? within.get(Number(parent)),
      });
      told.delete(Number(child));
    }
  }
  const heirs = new Set(threads.flatMap(({ heir }) => (heir ? [heir] : [])));
  /** @param {import('./calls.mjs').Thread} thread @returns {number | null} */
  const processOf = (thread) => {
    const how = made.get(thread);
    if (heirs.has(thread) || !how?.parent || !thread.forked) return thread.pid;
    if (how.flags === undefined) return null;
    return how.flags & CLONE_THREAD ? processOf(how.parent) : thread.pid;
  };
  return processOf;
}

/** The flags of a clone: its first argument, on s390x the second. @param {string} fields @param {string | null} arch */
function flagsOf(fields, arch) {
  const named = /clone_flags=0x([0-9a-f]+)/.exec(fields);
  if (named) return BigInt(`0x${named[1]}`);
  const bytes = /ARRAY\[([0-9a-f, ]+)\]/.exec(fields)?.[1].split(', ') ?? [];
  const [from, order] = arch === 's390x' ? [8, bytes.slice(8, 16)] : [0, bytes.slice(0, 8).reverse()];
  return order.length < 8 && from === 0 ? undefined : BigInt(`0x${order.join('') || 0}`);
}
