/** The painters of tracks on the pane of the CPU lanes, besides the CPUs themselves, from bottom to top. */
import { IrqLayer } from './irq/irqLayer';
import type { MakeLanePainter } from './lanePainter';
import { RunqueueLayer } from './runqueue/runqueueLayer';
import { SchedExtLayer } from './schedext/schedExtLayer';

export const LANE_PAINTERS: readonly MakeLanePainter[] = [
  (engine, arrived) => new RunqueueLayer(engine, arrived),
  (engine, arrived) => new IrqLayer(engine, arrived),
  (engine, arrived) => new SchedExtLayer(engine, arrived),
];
