/**
 * What is known of a trace that the page has, or is about to have. This module decides how its engine's events change that.
 * What others know about a trace is derived from it: the limits of the view (`limitsOf`),
 * what the scene draws (`timeline/frame/traceInfo.ts`), what the panes show. Pure.
 */
import type { TraceClock } from '../base/traceTime';
import { type Ns, ns } from '../base/units';
import type { Cpu, EngineError, EngineEvent, Metadata, Progress, Summary, TraceSource } from '../engine/protocol';
import type { TraceIdentity } from './url/link';
import { type Limits, noLimits } from './viewState';

/** Where a trace comes from, and how the page's URL names it. */
export interface Origin {
  readonly source: TraceSource;
  /** The value of `?trace=` that opens it again; null for a file, which only its owner can open. */
  readonly query: string | null;
  readonly name: string;
}

export interface Preview {
  /** The end of what has been read. */
  readonly end: Ns;
  readonly cpusDone: readonly Cpu[];
  /** By provisional `TaskId`. */
  readonly pids: Int32Array<ArrayBuffer>;
  /** By provisional `CommId`; the same object as long as there are no more. */
  readonly comms: readonly string[];
}

/** As long as none are told. */
export const NO_COMMS: readonly string[] = [];

/** After another preview, which tells the names that are new. */
function previewAfter(before: Preview | null, { end, cpusDone, pids, comms }: Preview): Preview {
  const known = before?.comms ?? NO_COMMS;
  return { end, cpusDone, pids, comms: comms.length === 0 ? known : [...known, ...comms] };
}

/** What is known about one trace. `number`: the engine's number, which every opened trace gets anew. */
export type Session =
  /** `wanted`: the URL holds a view of this file, which has to be chosen by hand. */
  | { readonly kind: 'empty'; readonly wanted: TraceIdentity | null }
  /** The link names traces of other servers (`hosts`, by origin): the user has to agree before they are fetched. */
  | { readonly kind: 'asking'; readonly origin: Origin; readonly hosts: readonly string[] }
  | {
      readonly kind: 'loading';
      readonly number: number;
      readonly origin: Origin;
      readonly metadata: Metadata | null;
      readonly progress: Progress | null;
      readonly preview: Preview | null;
    }
  | { readonly kind: 'open'; readonly number: number; readonly origin: Origin; readonly summary: Summary }
  | { readonly kind: 'failed'; readonly origin: Origin; readonly error: EngineError };

export const noSession: Session = { kind: 'empty', wanted: null };

export const loading = (origin: Origin, number: number): Session => ({
  kind: 'loading',
  number,
  origin,
  metadata: null,
  progress: null,
  preview: null,
});

/** A trace on the time axis that all traces share, whose time 0 is the first trace's. */
export interface PlacedTrace {
  /** Where its time 0 is on that axis. */
  readonly offset: Ns;
  readonly session: Session;
}

/** The most traces beside the first for which a URL, and a screen, has room. */
export const MAX_BESIDE = 3;

/** The session of a trace after an event of its engine. */
export function sessionAfter(session: Session, event: EngineEvent): Session {
  if (session.kind !== 'loading') {
    // An open trace can still be lost, when its worker dies.
    return session.kind === 'open' && event.type === 'failed'
      ? { kind: 'failed', origin: session.origin, error: event.error }
      : session;
  }
  switch (event.type) {
    case 'metadata':
      return { ...session, metadata: event.metadata };
    case 'progress':
      return { ...session, progress: event.progress };
    case 'preview':
      return { ...session, preview: previewAfter(session.preview, event) };
    case 'opened':
      return { kind: 'open', number: session.number, origin: session.origin, summary: event.summary };
    case 'failed':
      return { kind: 'failed', origin: session.origin, error: event.error };
    case 'restarted':
    case 'closed':
      // The page closed it and knows what comes next.
      return session;
  }
}

/** What the view can show: the first trace, and the axis as far as any trace reaches. */
export function limitsOf([first, ...beside]: readonly [PlacedTrace, ...PlacedTrace[]]): Limits {
  const limits = limitsOfFirst(first);
  if (first.session.kind !== 'open') return limits;
  const ends = beside.map(({ offset, session }) => (session.kind === 'open' ? offset + session.summary.span : 0));
  return { ...limits, span: ns(Math.max(limits.span, ...ends)) };
}

function limitsOfFirst({ session }: PlacedTrace): Limits {
  switch (session.kind) {
    case 'empty':
    case 'asking':
    case 'failed':
      return noLimits;
    case 'loading':
      return session.preview
        ? { span: session.preview.end, afterSleep: null, lanes: session.metadata?.cpus.length ?? 0 }
        : noLimits;
    case 'open': {
      const { span, after_sleep: afterSleep, cpus } = session.summary;
      return { span, afterSleep, lanes: cpus.length };
    }
  }
}

/** The trace's metadata; null until they have been read. */
export function metadataOf(session: Session): Metadata | null {
  switch (session.kind) {
    case 'empty':
    case 'asking':
    case 'failed':
      return null;
    case 'loading':
      return session.metadata;
    case 'open':
      return session.summary;
  }
}

export const clockOf = (metadata: Pick<Metadata, 'base_ns' | 'clock_is_ns'>): TraceClock => ({
  baseNs: BigInt(metadata.base_ns),
  isNs: metadata.clock_is_ns,
});
