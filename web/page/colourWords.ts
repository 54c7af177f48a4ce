/** What colours of runs can say, in words. */
import type { ColourMode } from '../state/viewState';

export const COLOURS: readonly { value: ColourMode; text: string; title: string }[] = [
  { value: 'pid', text: 'PID', title: 'A colour for each PID' },
  { value: 'command', text: 'Command', title: 'A colour for each command' },
  {
    value: 'state',
    text: 'State',
    title: 'Runs pale, and idle time in strong colour while some task waits behind another for a CPU',
  },
  { value: 'load', text: 'Load', title: 'How busy each CPU is, from pale to dark' },
  {
    value: 'priority',
    text: 'Priority',
    title: 'By each task’s priority when it last came onto a CPU: deadline, real-time, nice',
  },
  { value: 'target', text: 'Target', title: 'Tasks whose command begins with the target by PID, all others black' },
];
