/** What the scenes know about the opened trace, put together from the engine's events. */
import { type Ns, ns } from '../base/units';
import type { EngineEvent } from '../engine/client';
import type { CommId, Cpu } from '../engine/protocol';

export interface TraceInfo {
  readonly session: number;
  readonly stage: 'metadata' | 'preview' | 'opened';
  /** Lanes from top to bottom. */
  readonly cpus: readonly Cpu[];
  /** Lane of a CPU. */
  readonly laneOf: ReadonlyMap<Cpu, number>;
  readonly span: Ns;
  readonly afterSleep: Ns | null;
  readonly clockIsNs: boolean;
  /** By `TaskId`; provisional until `opened`. */
  readonly pids: Int32Array;
  /** By `CommId`; empty until `opened`. */
  readonly comms: readonly string[];
  readonly commIds: ReadonlyMap<string, CommId>;
}

/** The next state of knowledge; null while no trace is open. */
export function learn(info: TraceInfo | null, event: EngineEvent): TraceInfo | null {
  switch (event.type) {
    case 'metadata':
      return {
        session: event.session,
        stage: 'metadata',
        cpus: event.metadata.cpus,
        laneOf: new Map(event.metadata.cpus.map((cpu, lane) => [cpu, lane])),
        span: ns(0),
        afterSleep: null,
        clockIsNs: event.metadata.clockIsNs,
        pids: new Int32Array(0),
        comms: [],
        commIds: new Map(),
      };
    case 'preview':
      return info && { ...info, stage: 'preview', span: event.end, pids: event.pids };
    case 'opened':
      return {
        session: event.session,
        stage: 'opened',
        cpus: event.summary.cpus,
        laneOf: new Map(event.summary.cpus.map((cpu, lane) => [cpu, lane])),
        span: event.summary.span,
        afterSleep: event.summary.afterSleep,
        clockIsNs: event.summary.clockIsNs,
        pids: event.summary.tasks.pid,
        comms: event.summary.comms,
        commIds: new Map(event.summary.comms.map((comm, id) => [comm, id])),
      };
    case 'failed':
      return null;
    case 'progress':
      return info;
  }
}
