import { type ReactNode, useMemo, useState } from 'react';
import { formatCount } from '../../base/format';
import { useObservable } from '../../components/useObservable';
import {
  hideAllLanes,
  hideLanesOfCommand,
  showChainLanes,
  showLanesOfCommands,
  showLanesOfTasks,
  showSelectedCommand,
  toggleSelectedLane,
} from '../../page/taskLanes';
import { hasTaskLanes, MAX_TASK_COMMS, parseTasks } from '../../state/tasks';
import { usePage, useScene, useSession, useView } from '../context';
import { CheckList, Picker } from '../Picker';

/** The most commands in the menu; with more, typing narrows them. */
const MOST_COMMANDS = 200;

/** The ways to choose tasks; `close`: closes the menu. */
export function TasksChoices({ close }: { readonly close: () => void }): ReactNode {
  const page = usePage();
  const session = useSession();
  const { lanes } = useObservable(useScene().tasks.roster.lanes);
  const chosen = useView((view) => view.tasks);
  const highlighted = useView((view) => view.highlighted);
  const isSelected = useView((view) => view.selection !== null);
  const [typed, setTyped] = useState('');
  const all = session.kind === 'open' ? session.summary.comms : NO_COMMS;
  const comms = useMemo(() => [...all].sort((a, b) => (a < b ? -1 : 1)), [all]);
  const wanted = typed.trim();
  const shown = comms.filter((comm) => comm.includes(wanted));
  const pids = wanted === '' ? null : parseTasks(wanted);
  const full = chosen.comms.length >= MAX_TASK_COMMS;
  const choose = (act: () => void): void => {
    close();
    act();
  };
  const toggle = (comm: string): void =>
    chosen.comms.includes(comm) ? hideLanesOfCommand(page, comm) : showLanesOfCommands(page, [comm]);
  return (
    <>
      <div className="tasks-choices">
        <Choice
          text="The selected run’s task"
          keyName="L"
          isPossible={isSelected}
          act={() => choose(() => void toggleSelectedLane(page, lanes))}
        />
        <Choice
          text="Tasks of its wakeup chain"
          keyName="C"
          isPossible={isSelected}
          act={() => choose(() => void showChainLanes(page))}
        />
        <Choice
          text="Tasks of its command"
          isPossible={isSelected}
          act={() => choose(() => void showSelectedCommand(page))}
        />
        <Choice
          text="Tasks of the highlighted commands"
          isPossible={highlighted.length > 0}
          act={() => choose(() => showLanesOfCommands(page, highlighted))}
        />
        <Choice
          text={`Close all lanes (${formatCount(lanes.length)})`}
          isPossible={hasTaskLanes(chosen)}
          act={() => choose(() => hideAllLanes(page))}
        />
      </div>
      <Picker
        label="PIDs, or a part of a command’s name"
        placeholder="PIDs, or a command…"
        typed={typed}
        onType={setTyped}
        onEnter={() => {
          const [first] = shown;
          if (wanted === '') return;
          if (pids) choose(() => showLanesOfTasks(page, pids));
          else if (first !== undefined) toggle(first);
        }}
        beside={
          <button
            type="button"
            className="button small"
            disabled={!pids}
            onClick={() => pids && choose(() => showLanesOfTasks(page, pids))}
          >
            Add PIDs
          </button>
        }
      >
        <CheckList
          choices={shown.slice(0, MOST_COMMANDS).map((name) => ({ name }))}
          chosen={chosen.comms}
          isFull={full}
          onToggle={toggle}
          none={pids ? 'Enter adds these PIDs.' : 'No command of the trace is named so.'}
        />
      </Picker>
    </>
  );
}

const NO_COMMS: readonly string[] = [];

interface ChoiceProps {
  readonly text: string;
  readonly keyName?: string;
  readonly isPossible: boolean;
  readonly act: () => void;
}

function Choice({ text, keyName, isPossible, act }: ChoiceProps): ReactNode {
  return (
    <button type="button" className="tasks-choice" disabled={!isPossible} onClick={act}>
      <span>{text}</span>
      {keyName && <kbd>{keyName}</kbd>}
    </button>
  );
}
