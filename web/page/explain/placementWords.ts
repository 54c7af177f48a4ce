/** Remarks on where a wakeup placed its task. Pure. */
import { plural } from '../../base/format';
import type { CpuChoice, WakeupEdge } from '../../engine/protocol';

export interface Remark {
  readonly text: string;
  /** Whether the scheduler is not expected to do this. */
  readonly isOdd: boolean;
}

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
      odd(
        `Its last CPU ${previous} was idle and yet not chosen. Since Linux 5.11 (commit d8fcb81f1acf) an idle last CPU ` +
          'goes first: an older kernel, or an affinity mask, which a trace does not hold, may explain it.',
      );
    } else if (choice.idle_cpus.includes(previous)) {
      remarks.push({
        text: `Its last CPU ${previous} was idle, but another woken task was on its way there.`,
        isOdd: false,
      });
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
