import { type ReactNode, useRef, useState } from 'react';
import { Popover } from '../../components/Popover';
import { CONTROLS } from '../../page/controls';
import { hasTaskLanes } from '../../state/tasks';
import { useView } from '../context';
import { TasksChoices } from '../later';

/** Chooses the tasks that have lanes. */
export function TasksMenu(): ReactNode {
  const isOn = useView((view) => hasTaskLanes(view.tasks));
  // What was typed is gone with the next opening.
  const [opening, setOpening] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  return (
    <Popover
      buttonId={CONTROLS.tasks}
      text="Task lanes"
      title="A lane for each chosen task, with its states over time"
      label="Which tasks have lanes"
      large
      isOn={isOn}
      box={box}
      onOpen={() => setOpening(opening + 1)}
    >
      {opening > 0 && <TasksChoices key={opening} close={() => box.current?.hidePopover()} />}
    </Popover>
  );
}
