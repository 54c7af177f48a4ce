import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { formatCount, plural } from '../../base/format';
import { useObservable } from '../../components/useObservable';
import { hideAllLanes, hideLane } from '../../page/taskLanes';
import type { TaskOrder } from '../../state/tasks';
import { clockOf, metadataOf } from '../../state/traces';
import { timeOrigin } from '../../state/viewState';
import { type MakeTasksPane, TasksPane } from '../../timeline/tracks/task/tasksPane';
import { stateInWords, taskInWords } from '../../timeline/tracks/task/taskWords';
import { usePage, useScene, useSession, useView } from '../context';
import { FilterNote } from '../FilterNote';
import './tasks.css';

const ORDERS: readonly { value: TaskOrder; text: string }[] = [
  { value: 'pid', text: 'By PID' },
  { value: 'first', text: 'By first run' },
  { value: 'waiting', text: 'Longest waiting first' },
];

const makePane: MakeTasksPane = (...args) => new TasksPane(...args);

/** The lanes of the chosen tasks, with their states over time. The scene draws them. */
export function TaskLanesPane(): ReactNode {
  const page = usePage();
  const { lanes, total, absent } = useObservable(useScene().tasks.roster.lanes);
  const order = useView((view) => view.tasks.order);
  return (
    <section className="pane" aria-label="Task lanes">
      <header className="pane-head">
        <h2>Task lanes</h2>
        <span className="muted">
          {total > lanes.length
            ? `${formatCount(lanes.length)} of ${plural(total, 'task')}`
            : plural(lanes.length, 'task')}
        </span>
        <FilterNote />
        {absent.length > 0 && (
          <span className="badge" title={`Not in this trace: ${absent.join(', ')}`}>
            {formatCount(absent.length)} not in this trace
          </span>
        )}
        <span className="task-keys">
          <Key className="task-running" text="running" />
          <Key className="task-runnable" text="runnable, waiting" />
          <Key className="task-blocked" text="blocked" />
          <Key className="task-sleeping" text="sleeping" />
          <Key className="task-unknown" text="unknown" />
        </span>
        <select
          className="field small task-order"
          aria-label="Order of the task lanes"
          title="Order of the task lanes"
          value={order}
          onChange={(event) =>
            page.store.dispatch({ type: 'tasks', change: { order: event.target.value as TaskOrder } })
          }
        >
          {ORDERS.map(({ value, text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
        <button
          type="button"
          className="button small quiet"
          aria-label="Close all task lanes"
          title="Close all task lanes"
          onClick={() => hideAllLanes(page)}
        >
          ✕
        </button>
      </header>
      <Lanes />
    </section>
  );
}

function Lanes(): ReactNode {
  const page = usePage();
  const scene = useScene();
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => (element.current ? scene.mountTasks(element.current, makePane) : undefined), [scene]);
  useSpokenCursor();
  const press = (event: KeyboardEvent): void => {
    const task = scene.tasks.cursor.get()?.task;
    const { lanes } = scene.tasks.roster.lanes.get();
    const info = lanes.find((lane) => lane.task === task);
    if ((event.key === 'Delete' || event.key === 'Backspace') && info) {
      event.preventDefault();
      hideLane(page, info, lanes);
      page.announce(`The lane of ${taskInWords(info)} is closed.`);
    }
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: no element is a list of drawn lanes.
    <div
      ref={element}
      className="scene task-scene"
      // The lanes are one stop of the Tab key; the status bar says what arrow keys have reached.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys act on it.
      tabIndex={0}
      role="group"
      aria-label="Lanes of tasks: up and down for other lanes, comma and full stop along the states, Enter selects the run"
      onKeyDown={press}
    />
  );
}

/** Announces what the keys have reached. */
function useSpokenCursor(): void {
  const page = usePage();
  const { cursor, roster } = useScene().tasks;
  const metadata = metadataOf(useSession());
  useEffect(() => {
    const clock = metadata && clockOf(metadata);
    return cursor.subscribe(() => {
      const state = cursor.get()?.state;
      const info = state && roster.lanes.get().lanes.find(({ task }) => task === state.task);
      if (state && info && clock) {
        const origin = timeOrigin(page.store.getState(), page.store.getLimits());
        page.announce(`${taskInWords(info)}: ${stateInWords(state, clock, origin)}.`);
      }
    });
  }, [cursor, roster, page, metadata]);
}

function Key({ className, text }: { readonly className: string; readonly text: string }): ReactNode {
  return (
    <span className="key">
      <span className={`task-key ${className}`} />
      {text}
    </span>
  );
}
