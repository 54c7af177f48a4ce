/** What the scenes know about the opened trace, derived from its session. */
import { type Ns, ns } from '../../base/units';
import type { CommId, Cpu, Topology, TopologyCpu } from '../../engine/protocol';
import { laneCpus } from '../../state/cpus';
import { hasQueues } from '../../state/schedExt';
import type { TopologyView } from '../../state/topology';
import { NO_COMMS, type Session } from '../../state/traces';

export interface TraceInfo {
  readonly session: number;
  readonly stage: 'metadata' | 'preview' | 'opened';
  /** How many CPUs the trace has, whether they have lanes or not. */
  readonly cpuCount: number;
  /** Lanes from top to bottom. */
  readonly cpus: readonly Cpu[];
  /** Lane of a CPU. */
  readonly laneOf: ReadonlyMap<Cpu, number>;
  /** The CPUs that were scanned, whose lanes are exact: all, once `opened`. */
  readonly scanned: ReadonlySet<Cpu>;
  readonly span: Ns;
  readonly afterSleep: Ns | null;
  readonly clockIsNs: boolean;
  /** Whether the file may have dispatch queues of sched_ext. */
  readonly hasQueues: boolean;
  /** By `TaskId`; provisional until `opened`. */
  readonly pids: Int32Array;
  /** The tasks' kernel priorities at their last switch-ins, by `TaskId`; 32767 where none is known; empty until `opened`. */
  readonly prios: Int16Array;
  /** By `CommId`; provisional until `opened`. */
  readonly comms: readonly string[];
  /** Empty until `opened`. */
  readonly commIds: ReadonlyMap<string, CommId>;
  /** null: the machine is not known. */
  readonly topology: Topology | null;
  /** The places of its CPUs; empty if they are not known. */
  readonly placeOf: ReadonlyMap<Cpu, TopologyCpu>;
}

/** Whether the lanes of CPUs can be asked about; `early`: also while the trace loads. */
export const canAsk = ({ stage }: Pick<TraceInfo, 'stage'>, early = false): boolean =>
  stage === 'opened' || (early && stage === 'preview');

const UNKNOWN_MACHINE = { topology: null, placeOf: new Map<Cpu, TopologyCpu>() } as const;

const lanesOf = (cpus: readonly Cpu[]): Pick<TraceInfo, 'cpus' | 'laneOf'> => ({
  cpus,
  laneOf: new Map(cpus.map((cpu, lane) => [cpu, lane])),
});

/** What is known about a trace, with the lanes that the view chooses, in the order that the machine and the view give. */
export function arranged(
  learnt: TraceInfo,
  topology: Topology | null,
  order: TopologyView['order'],
  chosen: readonly Cpu[],
  activity: readonly Cpu[] | null = null,
): TraceInfo {
  const isOrdered = topology !== null && learnt.stage === 'opened';
  const orders = { number: learnt.cpus, topology: isOrdered ? topology.order : null, activity };
  const cpus = laneCpus(chosen, order, orders);
  const lanes = cpus === learnt.cpus ? learnt : { ...learnt, ...lanesOf(cpus) };
  if (!isOrdered) return lanes;
  return { ...lanes, topology, placeOf: new Map(topology.cpus.map((place) => [place.cpu, place])) };
}

/**
 * What the scene knows from a trace's session; null while nothing is known. As long as the session's data are the same,
 * so is the object.
 */
export function traceInfoOf(session: Session): TraceInfo | null {
  const source = session.kind === 'open' ? session.summary : session.kind === 'loading' ? loaded(session) : null;
  if (source === null) return null;
  const known = INFOS.get(source);
  if (known) return known;
  const info = infoOf(session);
  if (info) INFOS.set(source, info);
  return info;
}

/** The results, by the data from which they are derived. */
const INFOS = new WeakMap<object, TraceInfo>();

const loaded = ({ preview, metadata }: Loading): object | null => metadata && (preview ?? metadata);

type Loading = Extract<Session, { kind: 'loading' }>;

function infoOf(session: Session): TraceInfo | null {
  if (session.kind === 'open') {
    const { number, summary } = session;
    return {
      session: number,
      stage: 'opened',
      cpuCount: summary.cpus.length,
      ...lanesOf(summary.cpus),
      ...UNKNOWN_MACHINE,
      scanned: new Set(summary.cpus),
      span: summary.span,
      afterSleep: summary.after_sleep,
      clockIsNs: summary.clock_is_ns,
      hasQueues: hasQueues(summary),
      pids: summary.tasks.pid,
      prios: summary.tasks.prio,
      comms: summary.comms,
      commIds: new Map(summary.comms.map((comm, id) => [comm, id])),
    };
  }
  if (session.kind !== 'loading' || session.metadata === null) return null;
  const { number, metadata, preview } = session;
  return {
    session: number,
    stage: preview ? 'preview' : 'metadata',
    cpuCount: metadata.cpus.length,
    ...lanesOf(metadata.cpus),
    ...UNKNOWN_MACHINE,
    scanned: new Set(preview?.cpusDone),
    span: preview?.end ?? ns(0),
    afterSleep: null,
    clockIsNs: metadata.clock_is_ns,
    hasQueues: false,
    pids: preview?.pids ?? new Int32Array(0),
    prios: NO_PRIOS,
    comms: preview?.comms ?? NO_COMMS,
    commIds: new Map(),
  };
}

const NO_PRIOS = new Int16Array(0);
