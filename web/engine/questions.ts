/**
 * Every question that the page can ask, a row each. What depends on a question derives from its row: which worker answers it,
 * in which order, when its answer no longer holds, and what is sent along.
 */
import type {
  Answer,
  CallsAnyQuery,
  CallTrack,
  EventsQuery,
  EventTrack,
  FigureQuery,
  FilesQuery,
  Query,
  StudyQuery,
  TraceQuery,
} from './protocol';
import type { TrackKind, TracksQuery } from './protocolTracks';

/** What each worker is asked. */
export interface Queries {
  engine: TraceQuery;
  events: EventsQuery;
  calls: CallsAnyQuery;
  studies: StudyQuery;
  files: FilesQuery;
  figures: FigureQuery;
}
export type Module = keyof Queries;

/** The module that answers questions of this type. */
type ModuleOf<T extends Query['type']> = T extends TracksQuery['type']
  ? 'track'
  : { [M in Module]: T extends Queries[M]['type'] ? M : never }[Module];

/** Of questions whose answers are awaited, those with the least are answered first. */
const RANK = {
  set_view: 0,
  filter_runs: 1,
  set_topology: 2,
  set_call_names: 3,
  /** Lanes can be drawn of a trace that was just opened. */
  cpu: 4,
  task: 5,
  runqueue: 6,
  curve: 7,
  other: 8,
  /** They need indexes that take seconds for a large trace. */
  conservation: 9,
  stats: 10,
  /** Nobody waits for these. */
  long: 11,
} as const;

interface Question<M extends Module | 'track'> {
  /** Which module answers; `track`: the one that has tracks of that kind. */
  readonly module: M;
  /** What its answer depends on: a `view` question has to be asked again for another view, a `trace` question has not. */
  readonly of: 'view' | 'trace';
  /** The answers that it changes: those that depend on the view, or all. */
  readonly sets?: 'view' | 'all';
  /** The words of the runs that pass the filter come with it. */
  readonly filtered?: true;
  readonly rank?: number;
}

const QUESTIONS = {
  set_view: { module: 'engine', of: 'view', sets: 'view', rank: RANK.set_view },
  filter_runs: { module: 'engine', of: 'view', sets: 'all', rank: RANK.filter_runs },
  set_topology: { module: 'engine', of: 'view', sets: 'all', rank: RANK.set_topology },
  parse_topology: { module: 'engine', of: 'view' },
  tile: { module: 'track', of: 'view' },
  labels: { module: 'track', of: 'view' },
  at: { module: 'track', of: 'view' },
  step: { module: 'track', of: 'view' },
  chain: { module: 'engine', of: 'view' },
  commands: { module: 'engine', of: 'view' },
  stats: { module: 'engine', of: 'view', rank: RANK.stats },
  task_table: { module: 'engine', of: 'view' },
  cpu_table: { module: 'engine', of: 'view' },
  tasks: { module: 'engine', of: 'view' },
  moves: { module: 'engine', of: 'view' },
  wait: { module: 'engine', of: 'view' },
  placement: { module: 'engine', of: 'view' },
  findings: { module: 'engine', of: 'trace' },
  latency: { module: 'engine', of: 'trace' },
  overload: { module: 'engine', of: 'trace' },
  behind: { module: 'engine', of: 'trace' },
  domains: { module: 'engine', of: 'trace' },
  cascades: { module: 'engine', of: 'trace' },
  cascade_of: { module: 'engine', of: 'trace' },
  waits: { module: 'engine', of: 'trace' },

  set_call_names: { module: 'calls', of: 'view', sets: 'all', rank: RANK.set_call_names },
  call_facts: { module: 'calls', of: 'trace' },
  call_table: { module: 'calls', of: 'trace', filtered: true },
  calls_of_row: { module: 'calls', of: 'trace', filtered: true },
  call_at: { module: 'calls', of: 'trace' },
  call_step: { module: 'calls', of: 'trace', filtered: true },
  call_compare: { module: 'calls', of: 'trace' },
  stolen: { module: 'calls', of: 'trace' },
  stolen_in: { module: 'calls', of: 'trace' },
  call_findings: { module: 'calls', of: 'trace', filtered: true },

  wakes: { module: 'studies', of: 'trace', filtered: true },
  took: { module: 'studies', of: 'trace', filtered: true },
  spare_cpus: { module: 'studies', of: 'trace', filtered: true },
  latency_points: { module: 'studies', of: 'trace', filtered: true },
  side: { module: 'studies', of: 'trace', filtered: true },
  compare: { module: 'studies', of: 'trace', filtered: true },
  instant: { module: 'studies', of: 'trace', filtered: true },
  run_places: { module: 'studies', of: 'trace', filtered: true },
  passing_runs: { module: 'studies', of: 'trace', filtered: true },

  figure: { module: 'figures', of: 'trace', filtered: true },

  sched_ext_events: { module: 'files', of: 'trace' },
  sched_ext_runs: { module: 'files', of: 'trace' },
  queues: { module: 'files', of: 'trace' },
  export: { module: 'files', of: 'trace' },

  event_rows: { module: 'events', of: 'view' },
  event_row_at: { module: 'events', of: 'view' },
  event_search: { module: 'events', of: 'view' },
  event_lines: { module: 'events', of: 'view' },
  event_names: { module: 'events', of: 'view' },
  event_filter_check: { module: 'events', of: 'view' },
  event_fields: { module: 'events', of: 'view' },
  event_hits: { module: 'events', of: 'trace' },
  event_hit_at: { module: 'events', of: 'trace' },
  event_hit_runs: { module: 'events', of: 'trace' },
  event_places: { module: 'events', of: 'trace' },
  event_numbers: { module: 'events', of: 'trace' },
  event_counter: { module: 'events', of: 'trace' },
  call_arguments: { module: 'events', of: 'trace' },
  pairs: { module: 'events', of: 'trace' },
} as const satisfies { readonly [T in Query['type']]: Question<ModuleOf<T>> };

/** The module that has tracks of a kind. */
type HolderOf<K extends TrackKind> = K extends CallTrack ? 'calls' : K extends EventTrack ? 'events' : 'engine';

const TRACKS = {
  cpu: { module: 'engine', rank: RANK.cpu },
  task: { module: 'engine', rank: RANK.task },
  runqueue: { module: 'engine', rank: RANK.runqueue },
  curve: { module: 'engine', rank: RANK.curve },
  conservation: { module: 'engine', rank: RANK.conservation },
  calls: { module: 'calls' },
  cpu_irqs: { module: 'calls' },
  task_irqs: { module: 'calls' },
  hits: { module: 'events' },
  all_hits: { module: 'events' },
  counter: { module: 'events' },
  task_counter: { module: 'events' },
} as const satisfies { readonly [K in TrackKind]: { readonly module: HolderOf<K>; readonly rank?: number } };

/** A question as far as its row depends on it; workers ask each other some that the page does not ask. */
interface Asking {
  readonly type: string;
  readonly kind?: unknown;
}

const NO_ROW: Partial<Question<Module | 'track'>> = {};
const rowOf = ({ type }: Asking): Partial<Question<Module | 'track'>> =>
  Object.hasOwn(QUESTIONS, type) ? QUESTIONS[type as Query['type']] : NO_ROW;
const trackOf = ({ kind }: Asking): { readonly module: Module; readonly rank?: number } | null =>
  typeof kind === 'string' && Object.hasOwn(TRACKS, kind) ? TRACKS[kind as TrackKind] : null;

export function moduleOf(query: Query): Module {
  const { module } = QUESTIONS[query.type];
  return module === 'track' ? (trackOf(query)?.module ?? 'engine') : module;
}

/** The place of a question among those that wait; the least comes first. `isUrgent`: its answer is awaited. */
export function rankOf(query: Asking, isUrgent: boolean): number {
  if (!isUrgent) return RANK.long;
  return trackOf(query)?.rank ?? rowOf(query).rank ?? RANK.other;
}

/** Whether another view leaves the answer as it is. */
export const isAboutTrace = (query: Query): boolean => QUESTIONS[query.type].of === 'trace';

/** Whether the answer is of the runs that pass the filter. */
export const isFiltered = (query: Query): boolean => rowOf(query).filtered === true;

/** The answers that a question changes; null: none. */
export const setsOf = (query: Asking): 'view' | 'all' | null => rowOf(query).sets ?? null;

/** Whether earlier answers no longer hold; a topology that is refused changes none. */
export const changesAnswers = (answer: Answer): boolean =>
  setsOf(answer) === 'all' && !('error' in answer && answer.error !== null);
