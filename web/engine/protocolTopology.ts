/** What the page and the engine say about a machine's topology, which is never in a trace: the user gives it. */
import type { Ns, TimeWindow } from '../base/units';
import type { Cpu } from './protocol';

/**
 * `lscpu -p`'s text, a tar of `/sys/devices/system/cpu` (gzip or not), `SOCKETSxCORESxTHREADS`, or a `Topology.canonical`.
 */
export type TopologyText = string | Uint8Array<ArrayBuffer>;

/** Where a CPU is. Sockets, nodes, LLCs (last-level caches) and cores are each numbered from 0 over the whole machine. */
export interface TopologyCpu {
  readonly cpu: Cpu;
  readonly socket: number;
  readonly node: number;
  readonly llc: number;
  readonly core: number;
}

export interface Topology {
  /** The same topology in the shortest text: what URLs and the browser's storage keep. */
  readonly canonical: string;
  /** In words: `2 sockets × 1 LLC × 16 cores × 2 threads = 64 CPUs`. */
  readonly summary: string;
  readonly sockets: number;
  readonly nodes: number;
  readonly llcs: number;
  readonly cores: number;
  /** By number. */
  readonly cpus: readonly TopologyCpu[];
  /** The trace's CPUs by socket, LLC, core and thread; those that the topology does not know come last, by number. */
  readonly order: readonly Cpu[];
  /** CPUs of the trace that the topology does not know. */
  readonly unknown_cpus: readonly Cpu[];
  /** CPUs of the topology that the trace does not have. */
  readonly other_cpus: readonly Cpu[];
}

/** How far apart two CPUs are: the least that they share. `machine`: nothing but the machine, so they are on two sockets. */
export type CpuDistance = 'cpu' | 'core' | 'llc' | 'socket' | 'machine';

/** A run that began on another CPU than the task's last run. */
export interface CpuMove {
  readonly cpu: Cpu;
  /** Start of the run. */
  readonly at: Ns;
  /** Where the task last ran, and until when. */
  readonly from: Cpu;
  readonly left: Ns;
  /** null: the topology is not known, or does not know one of the CPUs. */
  readonly distance: CpuDistance | null;
}

export interface MoveCounts {
  readonly core: number;
  readonly llc: number;
  readonly socket: number;
  readonly machine: number;
  /** Those whose distance is not known. */
  readonly unknown: number;
}

export type TopologyQuery =
  /** Understands a topology, for a preview; changes nothing. */
  | { readonly type: 'parse_topology'; readonly text: TopologyText }
  /** From now on the trace's machine is known to be so; null: not known. What cannot be understood changes nothing. */
  | { readonly type: 'set_topology'; readonly text: TopologyText | null }
  /** The runs in a window that began on another CPU than the task's last run; of the CPUs given. */
  | {
      readonly type: 'moves';
      readonly window: TimeWindow;
      readonly cpus: readonly Cpu[];
      /** With more than so many only the counts are answered. */
      readonly most: number;
    };

export type TopologyAnswer =
  /** `error` says what was found, where, and what was expected. */
  | { readonly type: 'parse_topology'; readonly topology: Topology | null; readonly error: string | null }
  | { readonly type: 'set_topology'; readonly topology: Topology | null; readonly error: string | null }
  /** `moves` is null when there are more than `most`; by CPU in the order asked for, then by time. */
  | { readonly type: 'moves'; readonly counts: MoveCounts; readonly moves: readonly CpuMove[] | null };
