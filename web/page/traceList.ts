/** The traces of the page: the first, and those beside it. Pure. */
import { type Ns, ns } from '../base/units';
import type { EngineClient } from '../engine/client';
import { FIRST_TRACE, type TraceId } from '../engine/protocolTracks';
import { noSession, type PlacedTrace, type Session } from '../state/traces';

/** One trace of the page, with the engine that has it in its memory. */
export interface Trace extends PlacedTrace {
  readonly id: TraceId;
  readonly engine: EngineClient;
}

/** The first trace is always there, though perhaps empty: the axis, the panes and the view are about it. */
export type Traces = readonly [first: Trace, ...beside: Trace[]];

export const tracesOf = (engine: EngineClient): Traces => [
  { id: FIRST_TRACE, engine, offset: ns(0), session: noSession },
];

/** The list after the session of one trace has changed. */
export function withSession(traces: Traces, id: TraceId, session: Session): Traces {
  const [first, ...beside] = traces;
  const changed = (trace: Trace): Trace => (trace.id === id ? { ...trace, session } : trace);
  return [changed(first), ...beside.map(changed)];
}

/** The list with one more trace, below the others. */
export const withTrace = ([first, ...beside]: Traces, trace: Trace): Traces => [first, ...beside, trace];

/** The list after a trace beside the first was moved along the axis. */
export function withOffset([first, ...beside]: Traces, id: TraceId, offset: Ns): Traces {
  return [first, ...beside.map((trace) => (trace.id === id ? { ...trace, offset } : trace))];
}

/** The list without one of those beside the first. */
export const without = ([first, ...beside]: Traces, id: TraceId): Traces => [
  first,
  ...beside.filter((trace) => trace.id !== id),
];
