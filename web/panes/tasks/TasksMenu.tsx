import { type ReactNode, useRef } from 'react';
import { Popover } from '../../components/Popover';
import { hasTaskLanes } from '../../state/tasks';
import { useView } from '../context';
import { TasksChoices } from '../later';

/** Chooses the tasks that have lanes. */
export function TasksMenu(): ReactNode {
  const isOn = useView((view) => hasTaskLanes(view.tasks));
  const box = useRef<HTMLDivElement>(null);
  return (
    <Popover
      text="Task lanes"
      title="A lane for each chosen task, with its states over time"
      label="Which tasks have lanes"
      large
      isOn={isOn}
      box={box}
    >
      <TasksChoices close={() => box.current?.hidePopover()} />
    </Popover>
  );
}
