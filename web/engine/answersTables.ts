/** Tables of a window: queries to calls of the wasm side, which gives arrays that are the page's own. */
import type { LoadedTrace } from '../wasm/tracecore';
import type { TablesAnswer, TablesQuery } from './protocolTables';

export function answerToTables(trace: LoadedTrace, query: TablesQuery): TablesAnswer {
  const { type } = query;
  switch (type) {
    case 'task_table': {
      const { start, end } = query.window ?? {};
      return { type, values: trace.taskTable(start, end) as Float64Array<ArrayBuffer> };
    }
    case 'cpu_table': {
      const { start, end } = query.window ?? {};
      return { type, values: trace.cpuTable(start, end) as Float64Array<ArrayBuffer> };
    }
  }
}
