/** Queries to calls of the wasm side: objects come as JSON text, cells and curves as arrays copied out of its memory. */
import type { LoadedTrace, TraceLoader } from '../wasm/tracecore';
import { explain } from './answersExplain';
import { answerToTables } from './answersTables';
import { answerToTasks } from './answersTasks';
import { answerToTopology } from './answersTopology';
import type { Answer, CellsAnswer, CellsQuery, TraceAnswer, TraceQuery } from './protocol';

/** The bindings copy arrays out of wasm memory into buffers of their own; their types do not say so. */
type Owned = Uint32Array<ArrayBuffer>;

/** Answers from the CPUs that have been scanned so far. */
export function previewCells(loader: TraceLoader, query: CellsQuery): CellsAnswer {
  const { level, firstBucket, buckets, cpus } = query;
  const cells = loader.previewCells(level, firstBucket, buckets, Uint32Array.from(cpus)) as Owned;
  return { type: 'cells', query, cells };
}

/** Answers from the opened trace. */
export function answerTo(trace: LoadedTrace, query: TraceQuery): TraceAnswer {
  const { type } = query;
  switch (type) {
    case 'wait':
    case 'placement':
      return explain(trace, query);
    case 'cells': {
      const { level, firstBucket, buckets, cpus, key } = query;
      const cells = trace.cells(level, firstBucket, buckets, Uint32Array.from(cpus), key === 'comm') as Owned;
      return { type, query, cells };
    }
    case 'curve': {
      const values = trace.curve(query.level, query.firstBucket, query.buckets) as Owned;
      return { type, query, values, maxRunnable: trace.maxRunnable() };
    }
    case 'conservation': {
      const values = trace.conservation(query.level, query.firstBucket, query.buckets) as Owned;
      return { type, query, values };
    }
    case 'setView':
      trace.setView(JSON.stringify(query.spec));
      return { type };
    case 'labels': {
      const { window, minWidth, cpus } = query;
      return { type, runs: JSON.parse(trace.labels(window.start, window.end, minWidth, Uint32Array.from(cpus))) };
    }
    case 'pick':
      return { type, interval: JSON.parse(trace.pick(query.cpu, query.at)) };
    case 'step':
      return { type, interval: JSON.parse(trace.step(query.cpu, query.at, query.direction === 1)) };
    case 'nextHighlighted':
      return { type, interval: JSON.parse(trace.nextHighlighted(query.at, query.direction === 1)) };
    case 'chain':
      return { type, chain: JSON.parse(trace.chain(query.cpu, query.at, query.hops)) };
    case 'commands': {
      const { window } = query;
      return {
        type,
        rows: JSON.parse(window === null ? trace.commands() : trace.commandsIn(window.start, window.end)),
      };
    }
    case 'stats':
      return { type, stats: JSON.parse(trace.stats(query.window.start, query.window.end)) };
    case 'taskTable':
    case 'cpuTable':
    case 'depth':
    case 'waitingAt':
      return answerToTables(trace, query);
    case 'tasks':
    case 'taskCells':
    case 'taskRuns':
    case 'taskStateAt':
    case 'taskStep':
      return answerToTasks(trace, query);
    case 'parseTopology':
    case 'setTopology':
    case 'moves':
      return answerToTopology(trace, query);
  }
}

/** The buffers of an answer that can be handed over instead of copied. */
export function buffersOf(answer: Answer): ArrayBuffer[] {
  switch (answer.type) {
    case 'cells':
    case 'taskCells':
      return [answer.cells.buffer];
    case 'curve':
    case 'conservation':
    case 'taskTable':
    case 'cpuTable':
    case 'depth':
      return [answer.values.buffer];
    case 'figure':
      return answer.files.map(({ buffer }) => buffer);
    default:
      return [];
  }
}
