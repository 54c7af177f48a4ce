/**
 * The messages between the page and the engine worker; both sides import this file and its neighbours. What the engine
 * says about a trace is generated from its own types (`protocol/generated.ts`); the messages around it are the page's.
 *
 * Times are `Ns` since the trace's first event. Absolute trace time = `BigInt(base_ns) + time`, for display only.
 */
import type { Ns } from '../base/units';
import type {
  CallsAnswer,
  CallsQuestion,
  CallTrack,
  EngineError,
  EventProgress,
  EventsAnswer,
  FigureMade,
  FigureRequest,
  FileAnswer,
  FileQuestion,
  Interval,
  ModelSummary,
  Answer as PlainAnswer,
  EventsQuery as PlainEventsQuery,
  Question,
  SourceDescription,
  StaktauText,
  StudyAnswer,
  StudyQuestion,
  WakerContext,
} from './protocol/generated';
import type { HelperFailed } from './protocolHelpers';
import type {
  AtAnswer,
  AtQuery,
  LabelsAnswer,
  LabelsQuery,
  TileAnswer,
  TileQuery,
  TracksAnswer,
  TracksQuery,
} from './protocolTracks';

export type * from './protocol/generated';

/** Dense index of a task (pid and generation). While a trace loads: provisional, one for each pid. */
export type TaskId = number;
/** Dense index of a comm. While a trace loads: provisional. */
export type CommId = number;
/** Logical CPU number. */
export type Cpu = number;

export type TraceSource =
  | { readonly kind: 'file'; readonly file: File }
  | { readonly kind: 'url'; readonly url: string };

/** A query as it was asked. */
export interface Asked<Q> {
  readonly session: number;
  readonly id: number;
  /** A later query with the same key supersedes this one (latest wins). */
  readonly key: string;
  readonly query: Q;
}

export type EngineRequest =
  /** The compiled engine; null: the worker has to compile it. */
  | { readonly type: 'module'; readonly module: WebAssembly.Module | null }
  | { readonly type: 'open'; readonly session: number; readonly source: TraceSource }
  | ({ readonly type: 'query' } & Asked<Query>)
  /** Nobody waits any more for the answer to the query about the file that has this key. */
  | { readonly type: 'cancel'; readonly session: number; readonly key: string }
  | HelperFailed;

/**
 * `lscpu -p`'s text, a tar of `/sys/devices/system/cpu` (gzip or not), `SOCKETSxCORESxTHREADS`, or a `Topology.canonical`.
 */
export type TopologyText = string | Uint8Array<ArrayBuffer>;

/**
 * A figure, as files. `values`: those of its counter, two for each bucket, of each CPU, then of each task; `words`: which runs pass,
 * as the engine worker knows it.
 */
export type FigureQuery = FigureRequest & {
  readonly type: 'figure';
  readonly values?: Float64Array<ArrayBuffer>;
  readonly words?: Uint32Array<ArrayBuffer>;
};

export type FigureAnswer = FigureMade & {
  readonly type: 'figure';
  readonly query: Omit<FigureQuery, 'values' | 'words'>;
  /** The files in the order of the query's formats. */
  readonly files: readonly Uint8Array<ArrayBuffer>[];
  /** The figure as a PNG that fits into the query's box. */
  readonly preview: Uint8Array<ArrayBuffer>;
};

/** Questions that the page asks in types of its own, which are narrower. */
type Narrowed = 'tile' | 'labels' | 'at' | 'step' | 'parse_topology' | 'filter_runs';

/** Queries that the engine worker answers from the model. */
export type TraceQuery =
  | Exclude<Question, { readonly type: Narrowed }>
  | TracksQuery
  | { readonly type: 'parse_topology'; readonly text: TopologyText }
  /** `words`: which runs pass, from `passing_runs`. */
  | (Extract<Question, { readonly type: 'filter_runs' }> & { readonly words: Uint32Array<ArrayBuffer> });

export type TraceAnswer = Exclude<PlainAnswer, { readonly type: 'tile' | 'labels' | 'at' | 'step' }> | TracksAnswer;

/** The most rows of an `event_lines` answer. */
export const MAX_EVENT_LINES = 10_000;

/** The words of tracks, whichever worker answers. */
type OfTracks = { readonly type: 'tile' | 'labels' | 'at' };

/** Queries about system calls and interrupts, besides those about their tracks. */
export type CallsQuery = Exclude<CallsQuestion, OfTracks>;
export type CallsReplies = Exclude<CallsAnswer, OfTracks>;

/** What a file is found to be that may be a text of STaKTAU. */
export interface StaktauReply {
  /** null: it is no such text. */
  readonly text: StaktauText | null;
  readonly error: EngineError | null;
}

/** All that the calls worker is asked. */
export type CallsAnyQuery = CallsQuery | TileQuery<CallTrack> | LabelsQuery<'calls'> | AtQuery<'calls'>;
export type CallsAnyAnswer = CallsReplies | TileAnswer<CallTrack> | LabelsAnswer<'calls'> | AtAnswer<'calls'>;

/** What is asked of the trace's file besides its model. */
export type FilesQuery = FileQuestion;

/** `numbers` and `file`: as the answer's comment says. */
export type FileReply = FileAnswer & {
  readonly numbers: readonly Float64Array<ArrayBuffer>[];
  readonly file: Uint8Array<ArrayBuffer> | null;
};

/** Queries about events. */
export type EventsQuery =
  | PlainEventsQuery
  /** Tells where tasks ran, for filters with fields that are derived from it: the words of `run_places`. */
  | { readonly type: 'event_places'; readonly places: Uint32Array<ArrayBuffer> };

/** Answers about events; tiles and runs come with their numbers. */
export type EventsReplies =
  | Exclude<EventsAnswer, { readonly type: 'tile' | 'event_hit_runs' }>
  | (Extract<EventsAnswer, { readonly type: 'event_hit_runs' }> & { readonly values: Uint32Array<ArrayBuffer> })
  | { readonly type: 'event_places' };

/** Questions about whole traces. `words`: the events of the step `add`; of others the runs that pass the filter, from the engine worker. */
export type StudyQuery = StudyQuestion & { readonly words?: Uint32Array<ArrayBuffer> };

/** Answers about whole traces. */
export type StudyReply =
  | Exclude<StudyAnswer, OfPassing | OfPlaces>
  | (Extract<StudyAnswer, OfPassing | OfPlaces> & { readonly words: Uint32Array<ArrayBuffer> });

type OfPassing = { readonly type: 'passing_runs' };
type OfPlaces = { readonly type: 'run_places' };

export type Query = TraceQuery | FigureQuery | EventsQuery | CallsQuery | StudyQuery | FilesQuery;
export type Answer = TraceAnswer | FigureAnswer | EventsReplies | CallsReplies | StudyReply | FileReply;

/** Whether a run is of a trace that was still loading: no more than its name is known. */
export const isEarly = ({ kind, task }: Interval): boolean => kind === 'run' && task === undefined;

/** Whether an interrupt made the wakeup, rather than the task that it interrupted. */
export const isInterrupt = (context: WakerContext): boolean => context === 'hardirq' || context === 'softirq';

/** What is known before the first page is scanned. */
export interface Metadata extends SourceDescription {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
}

/** What is known when the trace is built. */
export interface Summary extends Metadata, ModelSummary {
  /** The model was stored when the file was opened before, and was not built again. */
  readonly restored: boolean;
  /** By `TaskId`. */
  readonly tasks: {
    readonly pid: Int32Array<ArrayBuffer>;
    readonly comm: Uint32Array<ArrayBuffer>;
    /** The kernel priority at the last switch-in, -1 for deadline; 32767 where no event tells. */
    readonly prio: Int16Array<ArrayBuffer>;
    readonly forked: Uint8Array<ArrayBuffer>;
  };
}

export interface Progress {
  readonly bytes: number;
  readonly totalBytes: number;
  readonly events: number;
  readonly cpusDone: number;
  readonly cpus: number;
  readonly stage: 'downloading' | 'reading' | 'building';
  /** How much of the model is built, from 0 to 1. */
  readonly built: number;
}

/** What is said of a query. */
export type QueryMessage<A> =
  /** A job has gone on. `answer`: what is already known, if that is worth showing. */
  | {
      readonly type: 'jobProgress';
      readonly session: number;
      readonly id: number;
      /** From 0 to 1. */
      readonly share: number;
      readonly answer: A | null;
    }
  | { readonly type: 'answer'; readonly session: number; readonly id: number; readonly answer: A }
  | { readonly type: 'queryFailed'; readonly session: number; readonly id: number; readonly error: EngineError };

export type EngineMessage =
  | { readonly type: 'metadata'; readonly session: number; readonly metadata: Metadata }
  | { readonly type: 'progress'; readonly session: number; readonly progress: Progress }
  /**
   * More lanes can be drawn; `pids` are by provisional `TaskId`. Until `opened`, only queries about CPUs' lanes are
   * answered.
   */
  | {
      readonly type: 'preview';
      readonly session: number;
      readonly end: Ns;
      readonly cpusDone: readonly Cpu[];
      readonly pids: Int32Array<ArrayBuffer>;
      /** Names of commands, from where those of the previews before ended. */
      readonly comms: readonly string[];
    }
  | { readonly type: 'opened'; readonly session: number; readonly summary: Summary }
  /** Which systems the listed events are of, as in `sched`: the list is there. */
  | { readonly type: 'systems'; readonly session: number; readonly systems: readonly string[] }
  /** A worker died, and another one does its work. */
  | { readonly type: 'restarted'; readonly session: number; readonly what: string }
  /** A filter or a search has gone on: of the list of the last `eventRows` answer, `total` rows are known. */
  | (EventProgress & {
      readonly type: 'eventProgress';
      readonly session: number;
      readonly of: 'filter' | 'search';
      readonly total: number;
    })
  | { readonly type: 'failed'; readonly session: number; readonly error: EngineError }
  | QueryMessage<Answer>;

/** What the engine reports without being asked. After `failed` and `closed` no trace is open. */
export type EngineEvent =
  | Exclude<EngineMessage, { type: 'answer' | 'queryFailed' | 'jobProgress' | 'eventProgress' | 'systems' }>
  | { readonly type: 'closed' };
