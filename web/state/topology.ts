/** The machine's topology as a part of the view, and in the browser's storage by trace. Pure but for the latter. */

/** How CPUs are ordered: by the machine where it is known, by number, the busiest first, or as the list of CPUs has them. */
export const LANE_ORDERS = ['topology', 'number', 'activity', 'list'] as const;

export interface TopologyView {
  /** `Topology.canonical`; empty: not known. */
  readonly text: string;
  /** The order of the CPUs. */
  readonly order: (typeof LANE_ORDERS)[number];
  /** Whether runs whose task came from another CPU are marked. */
  readonly moves: boolean;
}

export const initialTopology: TopologyView = { text: '', order: 'topology', moves: true };

/** The longest text that fits into a link; that of a very irregular machine may be longer. */
export const MAX_TOPOLOGY_TEXT = 600;

export type TopologyStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const keyOf = (fingerprint: string): string => `corelane.topology.${fingerprint}`;

/** The text that was kept for a trace; empty if there is none. */
export function keptTopology(storage: TopologyStorage | undefined, fingerprint: string): string {
  const text = storage?.getItem(keyOf(fingerprint)) ?? '';
  return text.length <= MAX_TOPOLOGY_TEXT ? text : '';
}

/** Keeps a text for the next visit, unless it is empty. A full storage keeps what it has. */
export function keepTopology(storage: TopologyStorage | undefined, fingerprint: string, text: string): void {
  try {
    if (text === '') storage?.removeItem(keyOf(fingerprint));
    else storage?.setItem(keyOf(fingerprint), text);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
