/** The latency pane as a part of the view: which durations it shows, of what, and of when. Pure. */
import { escapeValue } from './escape';
import { oneOf, type ReadField } from './urlFields';

/** Which durations: wake-up latencies, waits (by what began them), lengths of runs (by why they ended). */
export const MEASURES = [
  'wakeup',
  'wait',
  'wait-woken',
  'wait-preempted',
  'run',
  'run-preempted',
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
  /** The group whose numbers are shown beside those of all, by what identifies it in any trace; null: none. */
  readonly group: string | null;
}

export const initialLatency: LatencyView = { measure: 'wakeup', by: 'command', span: 'trace', group: null };

const MAX_GROUP = 64;

/** Groups of another kind are other groups. */
export function withLatency(view: LatencyView, change: Partial<LatencyView>): LatencyView {
  const group = change.by !== undefined && change.by !== view.by ? null : view.group;
  return { ...view, group, ...change };
}

/** Characters of a URL that the trace's own names take. */
export const latencyLength = ({ group }: LatencyView): number => (group === null ? 0 : escapeValue(group).length);

/** `latency=run-slept,task,window&latency-group=1234`: only what differs from the pane as it begins. */
export function encodeLatency(view: LatencyView): [string, string][] {
  const { measure, by, span, group } = view;
  const words = [measure, by, span].filter((word) => !Object.values(initialLatency).some((first) => first === word));
  const fields: [string, string][] = [
    ['latency', words.join(',')],
    ['latency-group', group ?? ''],
  ];
  return fields.filter(([, value]) => value !== '');
}

export function decodeLatency(read: ReadField): LatencyView {
  const group = (text: string): string | null => (text !== '' && text.length <= MAX_GROUP ? text : null);
  return {
    ...read('latency', decodeWords, initialLatency, [...MEASURES, ...GROUPINGS, ...SPANS].join(', ')),
    group: read<string | null>('latency-group', group, null, 'a command, a PID or a CPU'),
  };
}

function decodeWords(text: string): LatencyView | null {
  let view: LatencyView | null = initialLatency;
  for (const word of text.split(',')) {
    const measure = oneOf(MEASURES)(word);
    const by = oneOf(GROUPINGS)(word);
    const span = oneOf(SPANS)(word);
    view =
      view && (measure ?? by ?? span) !== null
        ? { ...view, ...(measure && { measure }), ...(by && { by }), ...(span && { span }) }
        : null;
  }
  return view;
}
