/**
 * Tracks: lines of time, each with a kind and a key. All kinds answer the same four questions: `tile` (numbers for each
 * bucket of time), `labels` (the runs that are long enough for a text), `at` (what is at an instant) and `step` (what
 * comes before or after). Kinds differ in what the numbers and items are, as `TrackKinds` says. An engine has one
 * trace, so its queries contain only kinds and keys.
 */
import type { Ns } from '../base/units';
import type { Cpu } from './protocol';
import type {
  CallItem,
  CallLabel,
  CallTrack,
  EventTrack,
  Interval,
  LabelRun,
  LabelsQuestion,
  TrackKind as ModelTrackKind,
  PointQuestion,
  StepQuestion,
  TaskInterval,
  TaskRun,
  TileQuestion,
  TileVariant,
} from './protocol/generated';

/** A trace on the page; the first has number `FIRST_TRACE`. */
export type TraceId = number;
export const FIRST_TRACE: TraceId = 0;

/** The answers that any kind may give. */
interface TrackAnswers {
  tile: TileVariant | string | null;
  labels: LabelRun | TaskRun | CallLabel;
  at: Interval | TaskInterval | CallItem | number;
  step: Interval | TaskInterval;
}

/** Makes a kind without answers a compile error. */
type OfEveryKind<Answers extends Record<TrackKind, TrackAnswers>> = Answers;

/**
 * What each kind of track says to the four questions: the variants of its tiles (null: there is one), its labels, what is
 * at an instant and what a step leads to; `never` where the question makes no sense.
 */
export type TrackKinds = OfEveryKind<{
  /** What runs on a CPU. In its tiles, the key of a cell is the dominant task or the dominant comm. */
  cpu: { tile: 'task' | 'comm'; labels: LabelRun; at: Interval; step: Interval };
  /** The states of a task. */
  task: { tile: null; labels: TaskRun; at: TaskInterval; step: TaskInterval };
  /** How many tasks wait on a CPU's runqueue. */
  runqueue: { tile: null; labels: never; at: number; step: never };
  /** How many tasks run and how many are runnable, in the whole trace. */
  curve: { tile: null; labels: never; at: never; step: never };
  /** Whether tasks wait while CPUs idle, in the whole trace. */
  conservation: { tile: null; labels: never; at: never; step: never };
  /** The system calls that a task is in. */
  calls: { tile: null; labels: CallLabel; at: CallItem; step: never };
  /** Interrupts on a CPU, and of a task. */
  cpu_irqs: { tile: null; labels: never; at: never; step: never };
  task_irqs: { tile: null; labels: never; at: never; step: never };
  /** Events that pass an expression, on a CPU and on all of them. The variant is the expression. */
  hits: { tile: string; labels: never; at: never; step: never };
  all_hits: { tile: string; labels: never; at: never; step: never };
  /** A number in an event's field, on a CPU. The variant is `system:event:field`. */
  counter: { tile: string; labels: never; at: never; step: never };
  /** The same of a task. The key is its PID. */
  task_counter: { tile: string; labels: never; at: never; step: never };
}>;

/** Those of the model, those of calls and interrupts, and those of records, of which other workers know. */
export type TrackKind = ModelTrackKind | CallTrack | EventTrack;
/** A CPU, a task, or whatever else distinguishes the tracks of a kind. */
export type TrackKey = number;

/** One track of one open trace. `key`: null for kinds of which a trace has one track. */
export interface TrackId<K extends TrackKind = TrackKind> {
  readonly trace: TraceId;
  readonly kind: K;
  readonly key: TrackKey | null;
}

type KindsThatAnswer<Question extends 'labels' | 'at' | 'step'> = {
  [K in TrackKind]: [TrackKinds[K][Question]] extends [never] ? never : K;
}[TrackKind];
export type LabelKind = KindsThatAnswer<'labels'>;
export type AtKind = KindsThatAnswer<'at'>;
export type StepKind = KindsThatAnswer<'step'>;

/**
 * Numbers for each track and bucket. Bucket `i` is `[i * 2^level, (i + 1) * 2^level)` ns since the trace's first event, so
 * buckets of one level tile and can be cached; the page asks for the level with `2^level <= ns per device pixel`
 * (at least level 0) and merges what falls on a pixel.
 */
export type TileQuery<K extends TrackKind = TrackKind> = Omit<TileQuestion, 'kind' | 'variant'> & {
  readonly type: 'tile';
  readonly kind: K;
  readonly variant: TrackKinds[K]['tile'];
};

/**
 * `values[words * (track * buckets + bucket)]` and those after it are the words of a bucket:
 *
 * - `cpu`, 2 words: the key, and how busy the bucket is with flags (`base/cellWords.ts`);
 * - `task`, 2 words: `TaskCellShift`;
 * - `runqueue`, 1 word: in bits 16-31 the most tasks that wait at one time, in bits 0-15 their mean over the bucket in
 *   256ths, rounded up so that a wait of 1 ns is never 0; what is too great for its bits is the greatest;
 * - `curve`, `CURVE_WORDS`: least and most running, least and most runnable, and of how many CPUs, at least and at most, it
 *   is known what they do;
 * - `conservation`, `CONSERVATION_WORDS`: for how much of the bucket some task waits behind somebody while some CPU is idle
 *   with nobody on its runqueue, and for how much some task waits for its idle CPU (65535: all of it; rounded up so that
 *   1 ns is never 0);
 * - `calls`, 2 words: `CallCell`;
 * - `cpu_irqs` and `task_irqs`, 1 word: a byte each, 255 for all of the bucket and rounded up: how long hardirqs, and how long
 *   softirqs without the hardirqs that interrupt them, took;
 * - `hits` and `all_hits`, 1 word: how many events pass, as far as that is known;
 * - `counter` and `task_counter`, 4 words: the least and the greatest value that holds in the bucket, a double each; not a number where none is
 *   known.
 */
export interface TileAnswer<K extends TrackKind = TrackKind> {
  readonly type: 'tile';
  readonly kind: K;
  readonly values: Uint32Array<ArrayBuffer>;
  /** The greatest value in the whole trace, for a scale that stays the same; 0 for kinds without one. */
  readonly most: number;
}

/**
 * The words of a bucket of a call lane. In the first: in bits 0-15, 1 + the index of `CallFacts.names` of the call that took
 * most of it (0: which one is not known, or none), and a byte each for the share of the bucket in calls and on CPU in them,
 * 255 for all of it, rounded up. In the second: flags.
 */
export const CallCell = { call: 0xffff, inside: 16, ran: 24, merged: 1, failed: 2, unknown: 4, open: 8 } as const;

export const CURVE_WORDS = 6;
export const CONSERVATION_WORDS = 2;

/** Runs of at least `minWidth` that overlap the window, for their labels: by track as asked for, then by start. */
export type LabelsQuery<K extends LabelKind = LabelKind> = Omit<LabelsQuestion, 'kind'> & {
  readonly type: 'labels';
  readonly kind: K;
};

/**
 * Where a state's share is in the two words of a task's bucket: which word, and its lowest bit. The shares say how the
 * bucket's time is divided among the states: a byte each, 255 for all of it, rounded up so that 1 ns of a state is
 * never 0. So a short wait does not vanish beside a long sleep at any zoom. With a filter, `running` and `runnable` are of
 * the runs that pass and the waits for them, `others` is the share of the other runs. The rest of the time the task is new,
 * unborn or dead, waits for a run that does not pass, or the trace has ended.
 */
export const TaskCellShift = {
  running: { word: 0, bit: 0 },
  runnable: { word: 0, bit: 8 },
  blocked: { word: 0, bit: 16 },
  sleeping: { word: 0, bit: 24 },
  unknown: { word: 1, bit: 0 },
  stopped: { word: 1, bit: 8 },
  others: { word: 1, bit: 16 },
  throttled: { word: 1, bit: 24 },
} as const;

export interface LabelsAnswer<K extends LabelKind = LabelKind> {
  readonly type: 'labels';
  readonly kind: K;
  readonly labels: readonly TrackKinds[K]['labels'][];
}

/** What is at an instant. */
export type AtQuery<K extends AtKind = AtKind> = Omit<PointQuestion, 'kind'> & {
  readonly type: 'at';
  readonly kind: K;
};

/** What a CPU does at an instant. */
export const cpuAt = (cpu: Cpu, at: Ns): AtQuery<'cpu'> => ({ type: 'at', kind: 'cpu', key: cpu, at });

/** Asks what comes before (-1) or after (1) an instant's item: on a CPU the next run, of a task the next state. */
export type StepQuery<K extends StepKind = StepKind> = Omit<StepQuestion, 'kind'> & {
  readonly type: 'step';
  readonly kind: K;
};

/** null: nothing is there. */
export interface AtAnswer<K extends AtKind = AtKind> {
  readonly type: 'at';
  readonly kind: K;
  readonly item: TrackKinds[K]['at'] | null;
}

export interface StepAnswer<K extends StepKind = StepKind> {
  readonly type: 'step';
  readonly kind: K;
  readonly item: TrackKinds[K]['step'] | null;
}

export type TracksQuery = TileQuery | LabelsQuery | AtQuery | StepQuery;
export type TracksAnswer = TileAnswer | LabelsAnswer | AtAnswer | StepAnswer;

/** The answer that belongs to a query. */
export type AnswerToTracks<Q extends TracksQuery> =
  Q extends TileQuery<infer K>
    ? TileAnswer<K>
    : Q extends LabelsQuery<infer K>
      ? LabelsAnswer<K>
      : Q extends AtQuery<infer K>
        ? AtAnswer<K>
        : Q extends StepQuery<infer K>
          ? StepAnswer<K>
          : never;
