/** The painters of tracks on the pane of the CPU lanes, besides the CPUs themselves, from bottom to top. */
import { hasSchedExtEvents } from '../../state/schedExt';
import { showsIrqs } from './irq/showsIrqs';
import type { MakeLanePainter } from './lanePainter';
import { latePainter } from './latePainter';

export const LANE_PAINTERS: readonly MakeLanePainter[] = [
  latePainter({
    kind: 'runqueue',
    isWanted: ({ trace, view }) => trace?.stage === 'opened' && view.depth,
    load: async () => {
      const { RunqueueLayer } = await import('./runqueue/runqueueLayer');
      return (engine, arrived) => new RunqueueLayer(engine, arrived);
    },
  }),
  latePainter({
    kind: 'cpu_irqs',
    isWanted: showsIrqs,
    load: async () => {
      const { IrqLayer } = await import('./irq/irqLayer');
      return (engine, arrived, ask) => new IrqLayer(engine, arrived, ask);
    },
  }),
  latePainter({
    kind: 'sched_ext',
    isWanted: ({ trace }, { systems }) =>
      trace?.stage === 'opened' && (trace.hasQueues || hasSchedExtEvents(systems.get())),
    load: async () => {
      const { SchedExtLayer } = await import('./schedext/schedExtLayer');
      return (engine, arrived, ask) => new SchedExtLayer(engine, arrived, ask);
    },
  }),
  latePainter({
    kind: 'counter',
    isWanted: ({ view }) => view.counter !== '',
    load: async () => {
      const { CounterLayer } = await import('./counter/counterLayer');
      return (engine, arrived, ask) => new CounterLayer(engine, arrived, ask);
    },
  }),
  hitsPainter('hits'),
];

/** The painters of tracks on the overview, where a single lane is as high as the strip. */
export const OVERVIEW_PAINTERS: readonly MakeLanePainter[] = [hitsPainter('all_hits')];

function hitsPainter(kind: 'hits' | 'all_hits'): MakeLanePainter {
  return latePainter({
    kind,
    isWanted: ({ view }) => view.filter !== '',
    load: async () => {
      const { HitsLayer } = await import('./hits/hitsLayer');
      return (engine, arrived, ask) => new HitsLayer(engine, kind, arrived, ask);
    },
  });
}
