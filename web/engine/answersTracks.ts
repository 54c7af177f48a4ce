/**
 * What each kind of track answers: queries to calls of the wasm side. Objects come as JSON text, numbers as arrays copied
 * out of its memory.
 */
import type { LoadedTrace, TraceLoader } from '../wasm/tracecore';
import type { Preparation } from './preparations';
import type {
  AtAnswer,
  AtKind,
  AtQuery,
  LabelKind,
  LabelsAnswer,
  LabelsQuery,
  StepAnswer,
  StepKind,
  StepQuery,
  TileAnswer,
  TileQuery,
  TrackKind,
  TracksAnswer,
  TracksQuery,
} from './protocolTracks';

type Tile = Pick<TileAnswer, 'values' | 'most'>;

interface TileAnswers {
  /** The index that all answers about the kind need. */
  readonly needs?: Preparation;
  /** null: the engine has worked on it for a while, and is to be asked again. */
  readonly tile: (trace: LoadedTrace, query: TileQuery) => Tile | null;
  /** From the CPUs that have been scanned so far. */
  readonly preview?: (loader: TraceLoader, query: TileQuery) => Tile;
}
interface LabelAnswers {
  /** null as for `tile`. */
  readonly labels: (trace: LoadedTrace, query: LabelsQuery) => LabelsAnswer['labels'] | null;
}
interface AtAnswers {
  readonly at: (trace: LoadedTrace, query: AtQuery) => AtAnswer['item'];
}
interface StepAnswers {
  readonly step: (trace: LoadedTrace, query: StepQuery) => StepAnswer['item'];
}

type KindAnswers<K extends TrackKind> = TileAnswers &
  (K extends LabelKind ? LabelAnswers : unknown) &
  (K extends AtKind ? AtAnswers : unknown) &
  (K extends StepKind ? StepAnswers : unknown);

/** The bindings copy arrays out of wasm memory into buffers of their own; their types do not say so. */
const tile = (values: Uint32Array, most = 0): Tile => ({ values: values as Uint32Array<ArrayBuffer>, most });

const KINDS: { readonly [K in TrackKind]: KindAnswers<K> } = {
  cpu: {
    tile: (trace, { level, first_bucket: firstBucket, buckets, keys, variant }) =>
      tile(trace.cells(level, firstBucket, buckets, Uint32Array.from(keys), variant === 'comm')),
    preview: (loader, { level, first_bucket: firstBucket, buckets, keys }) =>
      tile(loader.previewCells(level, firstBucket, buckets, Uint32Array.from(keys))),
    labels: (trace, { window, min_width: minWidth, keys }) =>
      JSON.parse(trace.labels(window.start, window.end, minWidth, Uint32Array.from(keys))),
    at: (trace, { key, at }) => JSON.parse(trace.pick(key, at)),
    step: (trace, { key, at, direction }) => JSON.parse(trace.step(key, at, direction === 1)),
  },
  task: {
    tile: (trace, { level, first_bucket: firstBucket, buckets, keys }) => {
      const found = trace.taskCells(level, firstBucket, buckets, Uint32Array.from(keys));
      const isWhole = found.missing().length === 0;
      const values = found.takeCells();
      return isWhole ? tile(values) : null;
    },
    labels: (trace, { window, min_width: minWidth, keys }) => {
      const { runs, missing } = JSON.parse(trace.taskRuns(Uint32Array.from(keys), window.start, window.end, minWidth));
      return missing.length === 0 ? runs : null;
    },
    at: (trace, { key, at }) => JSON.parse(trace.taskStateAt(key, at)),
    step: (trace, { key, at, direction }) => JSON.parse(trace.taskStep(key, at, direction === 1)),
  },
  runqueue: {
    needs: 'prepareRunqueues',
    tile: (trace, { level, first_bucket: firstBucket, buckets, keys }) =>
      tile(trace.depth(level, firstBucket, buckets, Uint32Array.from(keys)), trace.mostWaiting()),
    at: (trace, { key, at }) => trace.waitingAt(key, at),
  },
  curve: {
    tile: (trace, { level, first_bucket: firstBucket, buckets }) =>
      tile(trace.curve(level, firstBucket, buckets), trace.maxRunnable()),
  },
  conservation: {
    needs: 'prepareConservation',
    tile: (trace, { level, first_bucket: firstBucket, buckets }) =>
      tile(trace.conservation(level, firstBucket, buckets)),
  },
};

const LABELS: Readonly<Record<LabelKind, LabelAnswers>> = KINDS;
const AT: Readonly<Record<AtKind, AtAnswers>> = KINDS;
const STEPS: Readonly<Record<StepKind, StepAnswers>> = KINDS;

/** The index that a query about tracks of a kind needs. */
export function trackNeeds(kind: TrackKind): Preparation | undefined {
  const { needs }: TileAnswers = KINDS[kind];
  return needs;
}

/** null: nothing is known of this kind while the trace loads. */
export function previewTile(loader: TraceLoader, query: TileQuery): TileAnswer | null {
  const { preview }: TileAnswers = KINDS[query.kind];
  return preview ? { type: 'tile', kind: query.kind, ...preview(loader, query) } : null;
}

/** null: the engine works it out in slices, and is to be asked again. */
export function answerToTracks(trace: LoadedTrace, query: TracksQuery): TracksAnswer | null {
  const { type, kind } = query;
  switch (type) {
    case 'tile': {
      const found = KINDS[kind].tile(trace, query);
      return found && { type, kind, ...found };
    }
    case 'labels': {
      const labels = LABELS[kind].labels(trace, query);
      return labels && { type, kind, labels };
    }
    case 'at':
      return { type, kind, item: AT[kind].at(trace, query) };
    case 'step':
      return { type, kind, item: STEPS[kind].step(trace, query) };
  }
}
