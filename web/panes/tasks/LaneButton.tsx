import type { ReactNode } from 'react';
import { useObservable } from '../../components/useObservable';
import { hideLane, showLanesOfTasks } from '../../page/taskLanes';
import { sameTask, type TaskKey } from '../../state/tasks';
import { usePage, useScene } from '../context';

/** Gives one task a lane, or closes it. */
export function LaneButton({ task }: { readonly task: TaskKey }): ReactNode {
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
