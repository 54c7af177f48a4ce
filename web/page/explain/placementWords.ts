/** Remarks on where a wakeup placed its task. Pure. */
import { plural } from '../../base/format';
import type { CpuChoice, WakeupEdge } from '../../engine/protocol';

export interface Remark {
  readonly text: string;
  /** Whether the scheduler is not expected to do this. */
  readonly isOdd: boolean;
}

/** What a trace does not hold, and the kernel goes by. */
const WHY_A_FREE_CPU_IS_LEFT =
  'The kernel may have had a reason that a trace does not hold: an affinity mask, a sync wakeup that pulls the task to ' +
  'its waker, wake_wide, energy-aware placement, sched_ext, or the rules of realtime and deadline tasks. Kernels before ' +
  '5.11 also compared loads first.';

type Placed = Pick<WakeupEdge, 'previous_cpu' | 'waker_cpu' | 'chosen_cpu' | 'cpu'>;

/** Where the task was placed, and what is odd about that; plain facts come first. */
export function placementInWords(placed: Placed, choice: CpuChoice): Remark[] {
  const { previous_cpu: previous, chosen_cpu: chosen, waker_cpu: waker, cpu } = placed;
  const remarks: Remark[] = [{ text: whereInWords(placed), isOdd: false }];
  const odd = (text: string): void => {
    remarks.push({ text, isOdd: true });
  };
  if (previous !== null && chosen !== null && previous !== chosen) {
    if (choice.previous_was_free === true) {
      odd(`Its last CPU ${previous} was free and yet not chosen. ${WHY_A_FREE_CPU_IS_LEFT}`);
    } else if (choice.idle_cpus.includes(previous)) {
      const why =
        choice.previous_was_free === false
          ? 'a task was queued there or on its way there'
          : 'the trace does not say whether a task was queued there';
      remarks.push({ text: `Its last CPU ${previous} was idle, but ${why}.`, isOdd: false });
    }
  }
  if (choice.chosen_was_free === false && choice.idle_cpus.length > 0) {
    const others = choice.idle_cpus.filter((idle) => idle !== chosen).length;
    if (others > 0) {
      odd(`CPU ${chosen} was not free, although ${plural(others, 'other CPU')} ${others === 1 ? 'was' : 'were'} idle.`);
    }
  }
  if (chosen !== null && chosen !== waker) {
    remarks.push({ text: `A remote wakeup: the waker was on CPU ${waker}.`, isOdd: false });
  }
  if (chosen !== null && cpu !== null && cpu !== chosen) {
    remarks.push({
      text: `It ran on CPU ${cpu}: load balancing took it from CPU ${chosen} while it waited.`,
      isOdd: false,
    });
  }
  return remarks;
}

function whereInWords({ previous_cpu: previous, chosen_cpu: chosen, waker_cpu: waker }: Placed): string {
  if (chosen === null) {
    return 'The trace does not say which CPU was chosen.';
  }
  if (previous === null) {
    return `Put on CPU ${chosen}. The trace does not say where it last ran.`;
  }
  if (previous === chosen) {
    return `Stayed on its last CPU ${chosen}${chosen === waker ? ', which is the waker’s too' : ''}.`;
  }
  return chosen === waker
    ? `Moved from CPU ${previous} to the waker’s CPU ${chosen}.`
    : `Moved from CPU ${previous} to CPU ${chosen}.`;
}
