import { type ReactNode, useState } from 'react';
import { Segmented } from '../components/Segmented';
import { Toggle } from '../components/Toggle';
import { NARROW, useMedia } from '../components/useMedia';
import { useObservable } from '../components/useObservable';
import { COLOURS } from '../page/colourWords';
import { sceneThemes } from '../timeline/frame/theme';
import { usePage, useSession, useView } from './context';
import { CpusMenu } from './lanes/CpusMenu';
import { CountersMenu, FilterBox, TopologyControl } from './later';
import { TasksMenu } from './tasks/TasksMenu';

/** The controls of how the trace is shown. */
export function Toolbar(): ReactNode {
  const { store } = usePage();
  const session = useSession();
  const colour = useView((view) => view.colour);
  const target = useView((view) => view.target);
  const forked = useView((view) => view.forked);
  const afterSleep = useView((view) => view.afterSleep);
  const depth = useView((view) => view.depth);
  const wholeTrace = useView((view) => view.window === null);
  const open = session.kind === 'open';
  const isNarrow = useMedia(NARROW);
  const [unfolded, setUnfolded] = useState(false);
  const isFolded = isNarrow && !unfolded;
  const hasSleep = open && session.summary.after_sleep !== null;
  return (
    <section aria-label="View">
      <div className={isFolded ? 'toolbar folded' : 'toolbar'} role="toolbar" aria-label="View">
        {isNarrow && (
          <button
            type="button"
            className={isFolded ? 'button' : 'button on'}
            aria-expanded={!isFolded}
            title="Colours, lanes and events: how the trace is shown"
            onClick={() => setUnfolded(isFolded)}
          >
            View <span aria-hidden="true">▾</span>
          </button>
        )}
        <span className="folds">
          <span className="toolbar-group">
            <span aria-hidden="true">Colour by</span>
            <Segmented
              label="Colour by"
              options={COLOURS}
              value={colour}
              onChange={(value) => store.dispatch({ type: 'colour', colour: value })}
            />
            {colour === 'target' && (
              <input
                className="field"
                aria-label="Target: beginning of a command name"
                placeholder="Command begins with…"
                maxLength={15}
                spellCheck={false}
                value={target}
                onChange={(event) => store.dispatch({ type: 'target', target: event.target.value })}
              />
            )}
          </span>
          <Toggle
            text="Skip sleep"
            title={
              open && !hasSleep
                ? 'This trace has no task named “sleep” that exits'
                : 'Skip the leading sleep: time 0 is the exit of the first task named “sleep”'
            }
            on={afterSleep && hasSleep}
            disabled={!hasSleep}
            onChange={(on) => store.dispatch({ type: 'afterSleep', on })}
          />
          <Toggle
            text="New tasks"
            title="Only tasks created after the trace began; kernel threads made meanwhile included"
            on={forked}
            disabled={!open}
            onChange={(on) => store.dispatch({ type: 'forked', on })}
          />
          <Toggle
            text="Queues"
            title="On each lane, how many tasks wait on its CPU’s runqueue: red at the lower edge, the more the darker or higher (Q)"
            on={depth}
            disabled={!open}
            onChange={(on) => store.dispatch({ type: 'depth', on })}
          />
          {depth && open && <DepthKey />}
          <button
            type="button"
            className="button"
            disabled={!open || wholeTrace}
            title="Show the whole trace (0). Lanes: T taller, G shorter"
            onClick={() => store.dispatch({ type: 'showWindow', window: null })}
          >
            Fit
          </button>
          <CpusMenu />
          <TasksMenu />
          <EventsButton />
          {open && <CountersMenu />}
          <TopologyControl />
        </span>
        {open && <FilterBox />}
      </div>
    </section>
  );
}

/** Explains how many tasks each red on the lanes' lower edges stands for. */
function DepthKey(): ReactNode {
  const theme = useObservable(usePage().theme);
  return (
    <span className="toolbar-group depth-key" title="Tasks that wait on the CPU’s runqueue">
      {['1', '2–3', '4–7', '8 or more'].map((text, step) => (
        <span key={text} className="key">
          <span className="key-mark" style={{ background: sceneThemes[theme].depth[step] }} />
          {text}
        </span>
      ))}
    </span>
  );
}

function EventsButton(): ReactNode {
  const { store } = usePage();
  const isOpen = useView((view) => view.events.open);
  return (
    <button
      type="button"
      className={isOpen ? 'button on' : 'button'}
      aria-expanded={isOpen}
      title="All events of the trace, as text (E); / searches in them"
      onClick={() => store.dispatch({ type: 'events', change: { open: !isOpen } })}
    >
      Events
    </button>
  );
}
