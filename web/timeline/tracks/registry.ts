/** The kinds of lanes and of strips on them, besides what the CPUs run. */
import { hasSchedExtEvents } from '../../state/schedExt';
import { showsIrqs } from './irq/showsIrqs';
import { type Late, latePainter } from './latePainter';

/** On the lanes of CPUs, from bottom to top. */
const LANES: readonly Late[] = [
  {
    kind: 'runqueue',
    isWanted: ({ trace, view }) => trace?.stage === 'opened' && view.depth,
    load: async () => (await import('./runqueue/runqueueLane')).runqueueLane,
  },
  {
    kind: 'cpu_irqs',
    isWanted: showsIrqs,
    load: async () => (await import('./irq/irqLane')).irqLane,
  },
  {
    kind: 'sched_ext',
    isWanted: ({ trace }, { systems }) =>
      trace?.stage === 'opened' && (trace.hasQueues || hasSchedExtEvents(systems.get())),
    load: async () => (await import('./schedext/schedExtLanes')).schedExtLanes,
  },
  {
    kind: 'counter',
    isWanted: ({ view }) => view.counter !== '',
    load: async () => (await import('./counter/counterLane')).counterLane,
  },
  {
    kind: 'hits',
    isWanted: ({ view }) => view.filter !== '',
    load: async () => (await import('./hits/hitsLane')).hitsLane,
  },
];

/** On the overview, where a single lane is as high as the strip. */
const OVERVIEW: readonly Late[] = [
  {
    kind: 'all_hits',
    isWanted: ({ view }) => view.filter !== '',
    load: async () => (await import('./hits/hitsLane')).allHitsLane,
  },
];

export const LANE_PAINTERS = LANES.map(latePainter);
export const OVERVIEW_PAINTERS = OVERVIEW.map(latePainter);
