/** What kinds of findings and of moves are called. */
import type { CascadeMove, FindingKind } from '../../engine/protocol';

interface KindWords {
  /** The text of its button. */
  readonly name: string;
  /** What the findings are, and what their cost is. */
  readonly title: string;
}

export const kindWords: Readonly<Record<FindingKind, KindWords>> = {
  overload: {
    name: 'Overload',
    title:
      'Tasks queued behind other tasks while CPUs were idle. Cost: min(tasks behind others, idle CPUs), summed over time. Tasks that only wait for an idle CPU to wake up do not count, nor do kernel threads bound to their CPU.',
  },
  wait: {
    name: 'Wait',
    title: 'A task queued behind others for its CPU. Cost: for how long of that another CPU was idle.',
  },
  gap: {
    name: 'Gap',
    title:
      'A command that is busy otherwise almost stopped. Cost: how long its tasks waited meanwhile, at most the execution time that is missing.',
  },
  moved_off_idle: {
    name: 'Left idle CPU',
    title: 'A wakeup put a task on another CPU although its last one was free. Cost: the wake-up latency.',
  },
  cascade: {
    name: 'Cascade',
    title: 'A task was put on a CPU whose owner was then put elsewhere, and so on. Cost: the waits of all moved tasks.',
  },
  latency: { name: 'Latency', title: 'A task came late onto a CPU after its wakeup. Cost: how late.' },
  kernel_preemption: {
    name: 'Kernel threads',
    title:
      'Kernel threads of one name ran next after tasks that stayed runnable. Preempted is what left as R+; R does not say. Known yields do not count. Cost: how long they then ran.',
  },
  preemption: {
    name: 'Preemption',
    title:
      'A command ran next after tasks of others that stayed runnable. Preempted is what left as R+; R does not say. Known yields do not count. Cost: how long it then ran.',
  },
  call_wait: { name: 'Wait in call', title: 'A task waited for a CPU in a system call. Cost: for how long.' },
  call_blocked: {
    name: 'Blocked call',
    title: 'A task was blocked (D) in a system call. Cost: for how long.',
  },
};

/** Why a task moved. */
export const moveInWords: Readonly<Record<CascadeMove['kind'], string>> = {
  placement: 'placed by its wakeup',
  load_balance: 'moved by load balancing',
  numa: 'moved by NUMA balancing',
  other: 'moved',
  fork: 'forked',
};
