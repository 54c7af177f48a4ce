/** Queries to calls of the wasm side: objects come as JSON text, cells and curves as arrays copied out of its memory. */
import type { LoadedTrace, TraceLoader } from '../wasm/tracecore';
import { explain } from './answersExplain';
import { answerToTables } from './answersTables';
import { answerToTopology } from './answersTopology';
import { answerToTracks, previewTile, trackNeeds } from './answersTracks';
import type { Preparation } from './preparations';
import type { Answer, TraceAnswer, TraceQuery } from './protocol';

/** The indexes that only some queries need, besides those of tracks. */
const NEEDS: Partial<Record<TraceQuery['type'], Preparation>> = {
  commands: 'prepareWaits',
  task_table: 'prepareWaits',
  cpu_table: 'prepareRunqueues',
  stats: 'prepareConservation',
  wait: 'prepareConservation',
};

/** The index that a query needs; undefined: none. */
export const needOf = (query: TraceQuery): Preparation | undefined =>
  'kind' in query ? trackNeeds(query.kind) : NEEDS[query.type];

/** Answers from the CPUs that have been scanned so far; null where they do not say. */
export const previewAnswer = (loader: TraceLoader, query: TraceQuery): TraceAnswer | null =>
  query.type === 'tile' ? previewTile(loader, query) : null;

/** Answers from the opened trace; null: the engine works it out in slices, and is to be asked again. */
export function answerTo(trace: LoadedTrace, query: TraceQuery): TraceAnswer | null {
  const { type } = query;
  switch (type) {
    case 'wait':
    case 'placement':
      return explain(trace, query);
    case 'tile':
    case 'labels':
    case 'at':
    case 'step':
      return answerToTracks(trace, query);
    case 'set_view':
      trace.setView(JSON.stringify(query.spec));
      return { type };
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
    case 'task_table':
    case 'cpu_table':
      return answerToTables(trace, query);
    case 'tasks': {
      const ids = query.ids === null ? undefined : Uint32Array.from(query.ids);
      return { type, tasks: JSON.parse(trace.tasks(ids, query.comm ?? undefined)) };
    }
    case 'parse_topology':
    case 'set_topology':
    case 'moves':
      return answerToTopology(trace, query);
  }
}

/** The buffers of an answer that can be handed over instead of copied. */
export function buffersOf(answer: Answer): ArrayBuffer[] {
  switch (answer.type) {
    case 'tile':
    case 'task_table':
    case 'cpu_table':
      return [answer.values.buffer];
    case 'figure':
      return answer.files.map(({ buffer }) => buffer);
    default:
      return [];
  }
}
