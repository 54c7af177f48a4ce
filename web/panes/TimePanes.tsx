import { type ReactNode, useEffect, useRef } from 'react';
import { Splitter } from '../components/Splitter';
import { useObservable } from '../components/useObservable';
import { hasSchedExt } from '../state/schedExt';
import { hasTaskLanes } from '../state/tasks';
import { metadataOf } from '../state/traces';
import { mostFilled } from '../timeline/frame/laneLayout';
import { AXIS_HEIGHT } from '../timeline/tracks/cpu/lanesPane';
import { usePage, useScene, useSession, useView } from './context';
import { Headline } from './Headline';
import { LANES_DESCRIPTION_ID, LanesDescription } from './lanes/LanesDescription';
import { BesideLanes, FilterNote, TaskLanesPane } from './later';
import { taskPaneHeight } from './tasks/taskPaneHeight';
import './timePanes.css';

/**
 * The panes on one time axis: the lanes of CPUs, the lanes of chosen tasks, and running/waiting. The scene draws them.
 */
export function TimePanes(): ReactNode {
  return (
    <div className="time-panes">
      <Headline />
      <OverviewPane />
      <Lanes />
    </div>
  );
}

function Lanes(): ReactNode {
  const withTasks = useView((view) => hasTaskLanes(view.tasks));
  const pitch = useView((view) => view.tasks.pitch);
  const { lanes } = useObservable(useScene().tasks.roster.lanes);
  const fit = useFit();
  return (
    <Splitter
      label="Height of the lanes"
      direction="rows"
      initial={0.72}
      firstMost={withTasks ? undefined : fit}
      first={
        <Splitter
          label="Height of the lanes above the task lanes"
          direction="rows"
          initial={0.6}
          first={<AllLanes />}
          second={withTasks ? <TaskLanesPane /> : null}
          most={taskPaneHeight(lanes.length, pitch)}
        />
      }
      second={<RunningWaitingPane />}
    />
  );
}

/** The height that the lanes of few CPUs fill, with their axis, so that the curve gets the rest; undefined: they fill any. */
function useFit(): number | undefined {
  const { engine, traces } = usePage();
  const metadata = metadataOf(useSession());
  const chosen = useView((view) => view.cpus.length);
  const areTaller = useView((view) => view.laneScale > 1);
  const systems = useObservable(engine.systems);
  const isAlone = useObservable(traces).length === 1;
  // Taller lanes need the room; schedulers and dispatch queues have lanes, too.
  if (metadata === null || !isAlone || areTaller || hasSchedExt(systems, metadata)) return undefined;
  const filled = mostFilled(chosen || metadata.cpus.length);
  return filled === undefined ? undefined : filled + AXIS_HEIGHT;
}

function AllLanes(): ReactNode {
  const [, ...beside] = useObservable(usePage().traces);
  return (
    <Splitter
      label="Height of the lanes above those of other traces"
      direction="rows"
      initial={0.5}
      first={<LanesPane />}
      second={beside.length > 0 ? <BesideLanes /> : null}
    />
  );
}

function OverviewPane(): ReactNode {
  const scene = useScene();
  const element = useRef<HTMLElement>(null);
  useEffect(() => (element.current ? scene.mountOverview(element.current) : undefined), [scene]);
  return (
    <section
      ref={element}
      className="overview"
      aria-label="Overview"
      title="The whole trace. Drag the window or its edges, draw another one, or click to go there; a double click shows everything"
    />
  );
}

function LanesPane(): ReactNode {
  const scene = useScene();
  const element = useRef<HTMLElement>(null);
  useEffect(() => (element.current ? scene.mountLanes(element.current) : undefined), [scene]);
  return (
    <>
      <section
        ref={element}
        className="pane lanes"
        // The lanes are one stop of the Tab key; their keys act on the whole page.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys act on it.
        tabIndex={0}
        aria-label="Lanes of all CPUs"
        aria-describedby={LANES_DESCRIPTION_ID}
      />
      <LanesDescription />
    </>
  );
}

function RunningWaitingPane(): ReactNode {
  const scene = useScene();
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => (element.current ? scene.mountRunning(element.current) : undefined), [scene]);
  return (
    <section className="pane" aria-label="Running and waiting tasks">
      <header className="pane-head">
        <h2>Running and waiting</h2>
        <FilterNote />
        <Key className="running" text="running" />
        <Key className="waiting" text="runnable, waiting for a CPU" />
        <Key className="cpus" text="CPUs recorded" />
        <Key className="violation" text="a task waits behind another while a CPU idles" />
      </header>
      <div ref={element} className="scene" />
    </section>
  );
}

function Key({ className, text }: { readonly className: string; readonly text: string }): ReactNode {
  return (
    <span className="key">
      <span className={`key-mark ${className}`} />
      {text}
    </span>
  );
}
