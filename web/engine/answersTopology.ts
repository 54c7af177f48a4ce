/** Queries about the machine's topology to calls of the wasm side. */
import type { LoadedTrace } from '../wasm/tracecore';
import type { TopologyAnswer, TopologyQuery, TopologyText } from './protocolTopology';

const bytesOf = (text: TopologyText): Uint8Array => (typeof text === 'string' ? new TextEncoder().encode(text) : text);

export function answerToTopology(trace: LoadedTrace, query: TopologyQuery): TopologyAnswer {
  const { type } = query;
  switch (type) {
    case 'parse_topology':
      return { type, ...JSON.parse(trace.parseTopology(bytesOf(query.text))) };
    case 'set_topology':
      if (query.text === null) {
        trace.clearTopology();
        return { type, topology: null, error: null };
      }
      return { type, ...JSON.parse(trace.setTopology(bytesOf(query.text))) };
    case 'moves': {
      const { window, cpus, most } = query;
      return { type, ...JSON.parse(trace.moves(window.start, window.end, Uint32Array.from(cpus), most)) };
    }
  }
}
