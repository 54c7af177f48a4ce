/** Tables of a window and runqueues: queries to calls of the wasm side, which gives arrays that are the page's own. */
import type { LoadedTrace } from '../wasm/tracecore';
import type { TablesAnswer, TablesQuery } from './protocolTables';

export function answerToTables(trace: LoadedTrace, query: TablesQuery): TablesAnswer {
  const { type } = query;
  switch (type) {
    case 'taskTable': {
      const { start, end } = query.window ?? {};
      return { type, values: trace.taskTable(start, end) as Float64Array<ArrayBuffer> };
    }
    case 'cpuTable': {
      const { start, end } = query.window ?? {};
      return { type, values: trace.cpuTable(start, end) as Float64Array<ArrayBuffer> };
    }
    case 'depth': {
      const { level, firstBucket, buckets, cpus } = query;
      const values = trace.depth(level, firstBucket, buckets, Uint32Array.from(cpus)) as Uint32Array<ArrayBuffer>;
      return { type, query, values, most: trace.mostWaiting() };
    }
    case 'waitingAt':
      return { type, waiting: trace.waitingAt(query.cpu, query.at) };
  }
}
