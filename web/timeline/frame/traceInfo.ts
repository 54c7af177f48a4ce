/** What the scenes know about the opened trace, put together from the engine's events. */
import { type Ns, ns } from '../../base/units';
import type { EngineEvent } from '../../engine/client';
import type { CommId, Cpu } from '../../engine/protocol';
import type { Topology, TopologyCpu } from '../../engine/protocolTopology';
import type { TopologyView } from '../../state/topology';

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
  /** null: the machine is not known. */
  readonly topology: Topology | null;
  /** Where its CPUs are; empty when it is not known. */
  readonly placeOf: ReadonlyMap<Cpu, TopologyCpu>;
}

const UNKNOWN_MACHINE = { topology: null, placeOf: new Map<Cpu, TopologyCpu>() } as const;

const lanesOf = (cpus: readonly Cpu[]): Pick<TraceInfo, 'cpus' | 'laneOf'> => ({
  cpus,
  laneOf: new Map(cpus.map((cpu, lane) => [cpu, lane])),
});

/** What was learnt, by number, with the lanes in the order that the machine and the view give them. */
export function arranged(learnt: TraceInfo, topology: Topology | null, order: TopologyView['order']): TraceInfo {
  if (topology === null || learnt.stage !== 'opened') return learnt;
  const placeOf = new Map(topology.cpus.map((place) => [place.cpu, place]));
  const lanes = order === 'topology' ? lanesOf(topology.order) : {};
  return { ...learnt, ...lanes, topology, placeOf };
}

/** The next state of knowledge; null while no trace is open. */
export function learn(info: TraceInfo | null, event: EngineEvent): TraceInfo | null {
  switch (event.type) {
    case 'metadata':
      return {
        session: event.session,
        stage: 'metadata',
        ...lanesOf(event.metadata.cpus),
        ...UNKNOWN_MACHINE,
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
        ...lanesOf(event.summary.cpus),
        ...UNKNOWN_MACHINE,
        span: event.summary.span,
        afterSleep: event.summary.afterSleep,
        clockIsNs: event.summary.clockIsNs,
        pids: event.summary.tasks.pid,
        comms: event.summary.comms,
        commIds: new Map(event.summary.comms.map((comm, id) => [comm, id])),
      };
    case 'failed':
    case 'closed':
      return null;
    case 'progress':
      return info;
  }
}
