import { type ReactNode, useEffect, useRef } from 'react';
import { Splitter } from '../components/Splitter';
import { useScene } from './context';

/** The two panes over one time axis: a lane for each CPU, and running and waiting below. The scene draws them. */
export function TimePanes(): ReactNode {
  return (
    <Splitter
      label="Height of the lanes"
      direction="rows"
      initial={0.72}
      first={<LanesPane />}
      second={<RunningWaitingPane />}
    />
  );
}

function LanesPane(): ReactNode {
  const scene = useScene();
  const element = useRef<HTMLElement>(null);
  useEffect(() => (element.current ? scene.mountLanes(element.current) : undefined), [scene]);
  return <section ref={element} className="pane" aria-label="Lanes of all CPUs" />;
}

function RunningWaitingPane(): ReactNode {
  const scene = useScene();
  const element = useRef<HTMLElement>(null);
  useEffect(() => (element.current ? scene.mountRunning(element.current) : undefined), [scene]);
  return <section ref={element} className="pane" aria-label="Running and waiting tasks" />;
}
