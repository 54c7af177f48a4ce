/**
 * The cells of tasks, of their states, their calls or their interrupts, in tiles. They are asked for by blocks of lanes, and only for blocks on the screen, so that
 * neither a long list nor scrolling through it costs more than what is seen.
 */
import type { DevPx } from '../../../base/units';
import type { EngineClient } from '../../../engine/client';
import type { TaskId } from '../../../engine/protocol';
import type { TrackKinds } from '../../../engine/protocolTracks';
import type { CellSegment } from '../../../gl/cells';
import type { SceneModel } from '../../frame/sceneModel';
import type { Timescale } from '../../frame/timescale';
import { type TilesSpec, TrackTiles } from '../../tiles/trackTiles';
import { tilesParts } from '../tilesPainter';
import type { TaskCells } from './taskShares';

/** Lanes in a block, tiles that it keeps (a quarter of a MiB each), and how many blocks are kept. */
export const BLOCK = 32;
const SLOTS = 24;
const BLOCKS = 6;

/** The kinds of tracks whose keys are tasks. */
type TaskKind = 'task' | 'calls' | 'task_irqs';

/** None of them changes with the view. */
const tilesOf = <K extends TaskKind>(kind: K): TilesSpec<K, TaskCells> => ({
  kind,
  room: () => ({ kept: SLOTS, asked: SLOTS - 4 }),
  lasts: true,
  read: ({ values }, buckets) => ({ buckets, cells: values }),
});

/** The stretches to draw of a block, from left to right. */
export interface BlockPart {
  readonly segment: CellSegment;
  readonly tiles: readonly TaskCells[];
}

interface Block<K extends TaskKind> {
  readonly tasks: readonly TaskId[];
  readonly tiles: TrackTiles<K, TaskCells>;
}

export class TaskTiles<K extends TaskKind> {
  readonly #kind: K;
  readonly #engine: EngineClient;
  readonly #arrived: () => void;
  /** The blocks by their tasks; the least recently used first. */
  readonly #blocks = new Map<string, Block<K>>();
  #serial = 0;

  /** `arrived`: called when more can be drawn. */
  constructor(kind: K, engine: EngineClient, arrived: () => void) {
    this.#kind = kind;
    this.#engine = engine;
    this.#arrived = arrived;
  }

  get idle(): boolean {
    return [...this.#blocks.values()].every(({ tiles }) => tiles.idle);
  }

  get inFlight(): number {
    return [...this.#blocks.values()].reduce((sum, { tiles }) => sum + tiles.inFlight, 0);
  }

  /** Drops everything: it belongs to another trace. */
  reset(): void {
    for (const { tiles } of this.#blocks.values()) tiles.reset();
    this.#blocks.clear();
  }

  /**
   * Asks for what the lanes from `first` to before `end` of `tasks` need; blocks that are out of sight stop asking.
   */
  request(model: SceneModel, tasks: readonly TaskId[], first: number, end: number, width: DevPx): void {
    if (model.trace?.stage !== 'opened') return;
    const shown = new Set<Block<K>>();
    for (let block = Math.floor(first / BLOCK); block * BLOCK < end; block++) shown.add(this.#block(tasks, block));
    for (const block of this.#blocks.values()) {
      block.tiles.request(model, block.tasks, width, null as TrackKinds[K]['tile'], shown.has(block));
    }
  }

  /** What has arrived of the n-th block of lanes. */
  parts(model: SceneModel, tasks: readonly TaskId[], block: number, scale: Timescale): BlockPart[] {
    const held = this.#blocks.get(blockName(tasks, block));
    if (held === undefined) return [];
    const parts = tilesParts(held.tiles, model, scale, null as TrackKinds[K]['tile']);
    return parts.map(({ segment, tiles }) => ({ segment, tiles: tiles.map(({ data }) => data) }));
  }

  #block(tasks: readonly TaskId[], index: number): Block<K> {
    const name = blockName(tasks, index);
    const found = this.#blocks.get(name) ?? this.#create(blockTasks(tasks, index));
    this.#blocks.delete(name);
    this.#blocks.set(name, found);
    for (const [old, { tiles }] of this.#blocks) {
      if (this.#blocks.size <= BLOCKS) break;
      tiles.reset();
      this.#blocks.delete(old);
    }
    return found;
  }

  #create(tasks: readonly TaskId[]): Block<K> {
    return { tasks, tiles: new TrackTiles(this.#engine, tilesOf(this.#kind), this.#arrived, `/${++this.#serial}`) };
  }
}

const blockTasks = (tasks: readonly TaskId[], index: number): readonly TaskId[] =>
  tasks.slice(index * BLOCK, (index + 1) * BLOCK);

const blockName = (tasks: readonly TaskId[], index: number): string => blockTasks(tasks, index).join(',');
