/** Which trace the page has, or is about to have: what the engine's events make of it. Pure. */
import type { TraceClock } from '../base/traceTime';
import type { Ns } from '../base/units';
import type { Cpu, EngineError, EngineMessage, Metadata, Progress, Summary, TraceSource } from '../engine/protocol';
import type { TraceIdentity } from './url';

/** Where a trace comes from, and how the page's URL names it. */
export interface Origin {
  readonly source: TraceSource;
  /** The value of `?trace=` that opens it again; null for a file, which only its owner can open. */
  readonly query: string | null;
  readonly name: string;
}

export interface Preview {
  /** End of what has been read. */
  readonly end: Ns;
  readonly cpusDone: readonly Cpu[];
  /** By provisional `TaskId`. */
  readonly pids: Int32Array<ArrayBuffer>;
}

export type Session =
  /** `wanted`: the URL holds a view of this file, which has to be chosen by hand. */
  | { readonly kind: 'empty'; readonly wanted: TraceIdentity | null }
  | {
      readonly kind: 'loading';
      readonly origin: Origin;
      readonly metadata: Metadata | null;
      readonly progress: Progress | null;
      readonly preview: Preview | null;
    }
  | { readonly kind: 'open'; readonly origin: Origin; readonly summary: Summary }
  | { readonly kind: 'failed'; readonly origin: Origin; readonly error: EngineError };

export const noSession: Session = { kind: 'empty', wanted: null };

export const loading = (origin: Origin): Session => ({
  kind: 'loading',
  origin,
  metadata: null,
  progress: null,
  preview: null,
});

/** The engine's events that tell about a session. */
export type SessionEvent = Exclude<EngineMessage, { type: 'answer' | 'queryFailed' | 'jobProgress' | 'eventProgress' }>;

export function sessionAfter(session: Session, event: SessionEvent): Session {
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
      return { ...session, preview: { end: event.end, cpusDone: event.cpusDone, pids: event.pids } };
    case 'opened':
      return { kind: 'open', origin: session.origin, summary: event.summary };
    case 'failed':
      return { kind: 'failed', origin: session.origin, error: event.error };
  }
}

/** What is known of the trace; null before its metadata was read. */
export function metadataOf(session: Session): Metadata | null {
  switch (session.kind) {
    case 'empty':
    case 'failed':
      return null;
    case 'loading':
      return session.metadata;
    case 'open':
      return session.summary;
  }
}

export const clockOf = (metadata: Pick<Metadata, 'baseNs' | 'clockIsNs'>): TraceClock => ({
  baseNs: BigInt(metadata.baseNs),
  isNs: metadata.clockIsNs,
});
