import type { ReactNode } from 'react';
import { useObservable } from '../../components/useObservable';
import { sameTask, type TaskName } from '../../state/tasks';
import { usePage, useScene } from '../context';
import { hideLane, showLanesOfCommands, showLanesOfTasks } from './actions';

/** Gives one task a lane, or closes it. */
export function LaneButton({ task }: { readonly task: TaskName }): ReactNode {
  const page = usePage();
  const { lanes } = useObservable(useScene().tasks.roster.lanes);
  const isShown = lanes.some((info) => sameTask(info, task));
  return (
    <button
      type="button"
      className="button small"
      aria-pressed={isShown}
      title="A lane with the states of this task over time, below those of the CPUs (L)"
      onClick={() => (isShown ? hideLane(page, task, lanes) : showLanesOfTasks(page, [task]))}
    >
      {isShown ? 'Close its lane' : 'Show its lane'}
    </button>
  );
}

/** Gives all tasks of some commands lanes. */
export function CommandLanesButton({ comms }: { readonly comms: readonly string[] }): ReactNode {
  const page = usePage();
  return (
    <button
      type="button"
      className="link"
      title="A lane for each task of these commands, with its states over time"
      onClick={() => showLanesOfCommands(page, comms)}
    >
      Show lanes
    </button>
  );
}
