/**
 * Cells of tasks, in tiles: asked for a block of lanes at a time, of those that are on the screen, so that neither a long
 * list nor scrolling through it costs more than what is seen.
 */
import type { EngineClient, Outcome } from '../../../engine/client';
import type { TaskId } from '../../../engine/protocol';
import { type CellSegment, TILE_BUCKETS } from '../../../gl/cells';
import type { SceneModel } from '../../frame/sceneModel';
import type { Timescale } from '../../frame/timescale';
import { cover } from '../../tiles/cover';
import { cellSegment } from '../../tiles/segments';
import { TileCache } from '../../tiles/tileCache';
import { TileLoader } from '../../tiles/tileLoader';
import { plan, type TileId, tileBuckets } from '../../tiles/tiles';
import type { TaskCells } from './taskShares';

/** Lanes of one block, tiles that it keeps (a quarter of a MiB each), and blocks that are kept. */
export const BLOCK = 32;
const SLOTS = 24;
const BLOCKS = 6;
const KIND = 'states';

/** What to draw of a block, from left to right. */
export interface BlockPart {
  readonly segment: CellSegment;
  readonly tiles: readonly TaskCells[];
}

class Block {
  readonly tasks: readonly TaskId[];
  readonly cache = new TileCache<TaskCells>(SLOTS);
  readonly loader: TileLoader<TaskCells>;

  constructor(
    tasks: readonly TaskId[],
    ask: (tile: TileId, buckets: number, slot: number) => Promise<Outcome<TaskCells>>,
    arrived: () => void,
  ) {
    this.tasks = tasks;
    this.loader = new TileLoader(this.cache, (slot, tile, buckets) => ask(tile, buckets, slot), arrived);
  }
}

export class TaskTiles {
  readonly #engine: EngineClient;
  readonly #arrived: () => void;
  /** By their tasks; those unused for longest first. */
  readonly #blocks = new Map<string, Block>();
  #serial = 0;

  /** `arrived`: something more can be drawn. */
  constructor(engine: EngineClient, arrived: () => void) {
    this.#engine = engine;
    this.#arrived = arrived;
  }

  get idle(): boolean {
    return [...this.#blocks.values()].every(({ loader }) => loader.idle);
  }

  get inFlight(): number {
    return [...this.#blocks.values()].reduce((sum, { loader }) => sum + loader.inFlight, 0);
  }

  /** Another trace. */
  reset(): void {
    for (const { loader } of this.#blocks.values()) loader.reset();
    this.#blocks.clear();
  }

  /** Asks for what lanes `first` to `end` of `tasks` need; blocks that are out of sight ask no more. */
  request(
    model: SceneModel,
    tasks: readonly TaskId[],
    first: number,
    end: number,
    scale: Pick<Timescale, 'width'>,
  ): void {
    const { trace } = model;
    if (trace === null || trace.stage !== 'opened') return;
    const tiles = plan(model.target, scale.width, model.everything, trace.span).slice(0, SLOTS - 4);
    const buckets = (tile: TileId): number => tileBuckets(tile, trace.span);
    const shown = new Set<Block>();
    for (let block = Math.floor(first / BLOCK); block * BLOCK < end; block++) shown.add(this.#block(tasks, block));
    for (const block of this.#blocks.values()) {
      // States do not change with the view: an answer holds for as long as the trace is open.
      block.loader.want({ tiles: shown.has(block) ? tiles : [], kind: KIND, revision: 0, buckets });
    }
  }

  /** What is there of the n-th block of lanes. */
  parts(model: SceneModel, tasks: readonly TaskId[], block: number, scale: Timescale): BlockPart[] {
    const { trace } = model;
    const held = this.#blocks.get(blockName(tasks, block));
    if (trace === null || held === undefined) return [];
    return cover(held.cache, [KIND], scale, trace.span).flatMap((stretch) => {
      const segment = cellSegment(stretch, scale, () => 0);
      return segment === null ? [] : [{ segment, tiles: stretch.tiles.map(({ data }) => data) }];
    });
  }

  #block(tasks: readonly TaskId[], index: number): Block {
    const name = blockName(tasks, index);
    const found = this.#blocks.get(name) ?? this.#create(blockTasks(tasks, index));
    this.#blocks.delete(name);
    this.#blocks.set(name, found);
    for (const [old, block] of this.#blocks) {
      if (this.#blocks.size <= BLOCKS) break;
      block.loader.reset();
      this.#blocks.delete(old);
    }
    return found;
  }

  #create(tasks: readonly TaskId[]): Block {
    const serial = ++this.#serial;
    const ask = async ({ level, index }: TileId, buckets: number, slot: number): Promise<Outcome<TaskCells>> => {
      for (;;) {
        const outcome = await this.#engine.query(`scene/taskCells/${serial}/${slot}`, {
          type: 'taskCells',
          level,
          firstBucket: index * TILE_BUCKETS,
          buckets,
          tasks,
        });
        if (outcome.kind !== 'answer') return outcome;
        const { cells, missing } = outcome.answer;
        // States are worked out in slices: what is asked again is answered in the end.
        if (missing.length === 0) return { kind: 'answer', answer: { buckets, cells } };
      }
    };
    return new Block(tasks, ask, this.#arrived);
  }
}

const blockTasks = (tasks: readonly TaskId[], index: number): readonly TaskId[] =>
  tasks.slice(index * BLOCK, (index + 1) * BLOCK);

const blockName = (tasks: readonly TaskId[], index: number): string => blockTasks(tasks, index).join(',');
