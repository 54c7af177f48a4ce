/** What happens at an instant, in words. Pure. */
import type { InstantChange, TaskName, WaitCause } from '../../engine/protocol';
import { taskName } from '../words';

const task = (name: TaskName | null): string => (name === null ? 'idle' : taskName(name.comm, name.pid));
const cpuText = (cpu: number | null): string => (cpu === null ? 'an unknown CPU' : `CPU ${cpu}`);

const CONTEXTS: Readonly<Record<string, string>> = {
  hardirq: 'A hard interrupt',
  softirq: 'A soft interrupt',
  task: 'The idle loop',
};

const BEGINS: Readonly<Record<WaitCause, string>> = {
  wakeup: 'it was woken',
  preempted: 'it was switched out runnable',
  replenished: 'its next deadline period has begun',
};

export function changeInWords({ kind, cpu, from_cpu: from, task: who, other, why }: InstantChange): string {
  switch (kind) {
    case 'switch':
      return `${cpuText(cpu)} switches from ${task(other)}${other && why ? ` (${why})` : ''} to ${task(who)}`;
    case 'waking': {
      const waker = other ? task(other) : (CONTEXTS[why ?? ''] ?? 'Something that is not known');
      return `${waker} on ${cpuText(cpu)} wakes ${task(who)}`;
    }
    case 'runnable':
      return `${task(who)} begins to wait on ${cpuText(cpu)}: ${BEGINS[why as WaitCause]}`;
    case 'migration':
      return `${task(who)} migrates from ${cpuText(from)} to ${cpuText(cpu)} (${(why ?? '').replace('_', ' ')})`;
  }
}
