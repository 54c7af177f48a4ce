/** The tab of sched_ext as a part of the view, and which traces have it. Pure. */
import type { Metadata } from '../engine/protocol';

/** What the tab of sched_ext shows. */
export interface SchedExtView {
  /** The time slice that runs are compared with. */
  readonly sliceUs: number;
  /** The command whose runs the histogram has; empty: all. */
  readonly comm: string;
}

/** The slice is `SCX_SLICE_DFL` of kernel/sched/ext.c. */
export const initialSchedExt: SchedExtView = { sliceUs: 20_000, comm: '' };
export const MAX_SLICE_US = 1_000_000;

/** As in `10000,barrier`; the command may have commas. */
export const printSlice = ({ sliceUs, comm }: SchedExtView): string =>
  comm === '' ? `${sliceUs}` : `${sliceUs},${comm}`;

export function parseSlice(text: string): SchedExtView | null {
  const [, us = '', comm = ''] = /^([1-9]\d{0,6})(?:,(.{1,16}))?$/.exec(text) ?? [];
  return us === '' || Number(us) > MAX_SLICE_US ? null : { sliceUs: Number(us), comm };
}

/** Whether the file has dispatch queues: scxtop writes them. */
export const hasQueues = ({ writer }: Pick<Metadata, 'writer'>): boolean => writer === 'scxtop';

/** Whether the trace has events of sched_ext. `systems`: those of its events; none as long as there is no list of events. */
export const hasSchedExtEvents = (systems: readonly string[]): boolean => systems.includes('sched_ext');

/** Whether there is anything of sched_ext. */
export const hasSchedExt = (systems: readonly string[], metadata: Pick<Metadata, 'writer'>): boolean =>
  hasSchedExtEvents(systems) || hasQueues(metadata);
