/** The latency pane as a part of the view: which durations it shows, of which groups, and from which time. Pure. */

/** The measures: wake-up latencies, waits (by what began them), lengths of runs (by why they ended). */
export const MEASURES = [
  'wakeup',
  'wait',
  'wait-woken',
  'wait-preempted',
  'run',
  'run-preempted',
  'run-yielded',
  'run-slept',
  'run-exited',
] as const;
export type Measure = (typeof MEASURES)[number];

export const GROUPINGS = ['command', 'task', 'cpu'] as const;
export type Grouping = (typeof GROUPINGS)[number];

export const SPANS = ['trace', 'window'] as const;

export interface LatencyView {
  readonly measure: Measure;
  readonly by: Grouping;
  /** `window`: the range, else the window on the screen. */
  readonly span: (typeof SPANS)[number];
  /** The group that is compared with everything, by what identifies it in any trace; null: none. */
  readonly group: string | null;
}

export const initialLatency: LatencyView = { measure: 'wakeup', by: 'command', span: 'trace', group: null };

/** Changes the pane; with another grouping the chosen group no longer applies. */
export function withLatency(view: LatencyView, change: Partial<LatencyView>): LatencyView {
  const group = change.by !== undefined && change.by !== view.by ? null : view.group;
  return { ...view, group, ...change };
}
