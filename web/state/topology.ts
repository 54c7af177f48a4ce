/** The machine's topology as a part of the view, and what the browser keeps of it for each trace. Pure but for the latter. */

export const LANE_ORDERS = ['topology', 'number'] as const;

export interface TopologyView {
  /** `Topology.canonical`; empty: not known. */
  readonly text: string;
  /** Of the CPUs, where a topology is known. */
  readonly order: (typeof LANE_ORDERS)[number];
  /** Marks on runs whose task came from another CPU. */
  readonly moves: boolean;
}

export const initialTopology: TopologyView = { text: '', order: 'topology', moves: true };

/** Longer ones, of very irregular machines, do not fit into a link. */
export const MAX_TOPOLOGY_TEXT = 600;

export type TopologyStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const keyOf = (fingerprint: string): string => `corelane.topology.${fingerprint}`;

/** What was kept for a trace; empty when nothing was. */
export function keptTopology(storage: TopologyStorage | undefined, fingerprint: string): string {
  const text = storage?.getItem(keyOf(fingerprint)) ?? '';
  return text.length <= MAX_TOPOLOGY_TEXT ? text : '';
}

/** Keeps it for the next time; nothing that is empty. A storage that is full keeps what it has. */
export function keepTopology(storage: TopologyStorage | undefined, fingerprint: string, text: string): void {
  try {
    if (text === '') storage?.removeItem(keyOf(fingerprint));
    else storage?.setItem(keyOf(fingerprint), text);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
