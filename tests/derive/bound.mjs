// @ts-check
// Which tasks are kernel threads that are bound to one CPU: their name says so, and the text does not say otherwise.

/** @typedef {import('./tasks.mjs').Task} Task */

/** Names with a CPU after the slash; of a kworker, its number in the pool follows, and H for a high priority. */
const BOUND =
  /^(?:kworker\/(\d+):.*|(?:ksoftirqd|ktimersd?|migration|cpuhp|k?idle_inject|irq_work|rcuc|backlog_napi|watchdog)\/(\d+))$/;

/** Names that only kernel threads have. */
const KERNEL = new RegExp(
  `^(?:${[
    'kthreadd$',
    '(?:kworker|ksoftirqd|ktimersd?|migration|cpuhp|idle_inject|irq_work|irq|rcuc|rcub|rcuop|rcuog|rcuos|jbd2)/',
    'backlog_napi|rcu_tasks_|rcu_exp_',
    '(?:rcu_sched|rcu_preempt|rcu_bh|rcu_gp|rcu_par_gp|kswapd|kcompactd|khugepaged)\\d*$',
    '(?:khungtaskd|kauditd|oom_reaper|kdevtmpfs)\\d*$',
  ].join('|')})`,
);

/**
 * Whether a task that waits on the runqueue of a CPU may run on no other.
 *
 * @param {Task} task
 * @param {string} comm what it is called in that wait
 * @param {number | undefined} cpu
 */
export function isBound({ parent, comms, continues }, comm, cpu) {
  const [, worker, other] = BOUND.exec(comm) ?? [];
  if (cpu === undefined || (worker ?? other) === undefined || Number(worker ?? other) !== cpu) return false;
  if (parent) return parent.pid === 2 && parent.comm === 'kthreadd';
  return !continues && [...comms].every((name) => KERNEL.test(name));
}
