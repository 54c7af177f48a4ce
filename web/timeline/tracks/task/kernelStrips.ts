/** What the lanes of tasks show of the kernel: a strip with their calls at the foot, and bands of interrupts at the upper edge. */
import { type CssPx, cssPx, type DevPx } from '../../../base/units';
import type { EngineClient } from '../../../engine/client';
import type { CallFacts, CallLabel, TaskId } from '../../../engine/protocol';
import { callFacts } from '../../../facts/facts';
import { packColour } from '../../../gl/columns';
import { mix } from '../../../gl/mergeColumn';
import { commandColours, toRgb, wantsDarkText } from '../../frame/colours';
import { type LaneLayout, laneBands, laneTop } from '../../frame/laneLayout';
import type { SceneModel } from '../../frame/sceneModel';
import type { SceneTheme } from '../../frame/theme';
import type { Timescale } from '../../frame/timescale';
import { type CallInks, type CallPicture, paintCalls } from '../calls/callColumns';
import { bandRows } from '../irq/bandPlace';
import { irqColumns, newIrqColumns, paintBands } from '../irq/irqColumns';
import { irqInks } from '../irq/irqInks';
import { Bands } from '../irq/irqPick';
import { showsIrqs } from '../irq/showsIrqs';
import { TrackLabels } from '../trackLabels';
import type { TaskLanes } from './taskRoster';
import { BLOCK, TaskTiles } from './taskTiles';

/** The share of a lane that its calls take, and their least and greatest height in CSS pixels. */
const SHARE = 0.4;
const LEAST = 3;
const MOST = 16;
/** The least height of a lane and width of a call, in CSS pixels, for which the call is named. */
const ROOM = { lane: 26, run: 22 };
const MOST_LABELS = 1500;
const PADDING = 3;

/** In how many device-pixel columns a lane has calls, failed ones and interrupts. */
export interface PaintedStrip {
  readonly calls: number;
  readonly failed: number;
  readonly irqs: number;
}
const NO_STRIP: PaintedStrip = { calls: 0, failed: 0, irqs: 0 };

/** A lane in device rows. */
interface LanePlace {
  readonly top: number;
  readonly height: number;
}

export class KernelStrips {
  /** The pointer on the bands of interrupts. */
  readonly hands: Bands;
  readonly #engine: EngineClient;
  readonly #ask: () => void;
  readonly #calls: TaskTiles<'calls'>;
  readonly #irqs: TaskTiles<'task_irqs'>;
  readonly #labels: TrackLabels<CallLabel>;
  #ids: readonly TaskId[] = [];
  #inks: {
    readonly of: readonly [CallFacts, SceneTheme];
    readonly inks: CallInks;
    readonly css: readonly string[];
  } | null = null;
  #painted = new Map<number, PaintedStrip>();

  constructor(engine: EngineClient, invalidate: (layer: 'window' | 'cells' | 'overlay') => void) {
    this.#engine = engine;
    this.hands = new Bands(engine, 'task');
    const arrived = () => invalidate('cells');
    this.#ask = () => invalidate('window');
    this.#calls = new TaskTiles('calls', engine, arrived);
    this.#irqs = new TaskTiles('task_irqs', engine, arrived);
    this.#labels = new TrackLabels(
      ROOM,
      async (window, minWidth, first, end) => {
        const query = {
          type: 'labels',
          kind: 'calls',
          keys: this.#ids.slice(first, end),
          window,
          min_width: minWidth,
        } as const;
        const outcome = await engine.query('scene/callLabels', query);
        return outcome.kind === 'answer' ? { kind: 'answer', answer: outcome.answer.labels } : outcome;
      },
      () => invalidate('overlay'),
    );
  }

  get idle(): boolean {
    return this.#calls.idle && this.#irqs.idle && this.#labels.idle;
  }

  get inFlight(): number {
    return this.#calls.inFlight + this.#irqs.inFlight;
  }

  /** What was painted last on a lane. */
  painted(lane: number): PaintedStrip {
    return this.#painted.get(lane) ?? NO_STRIP;
  }

  reset(): void {
    this.#calls.reset();
    this.#irqs.reset();
    this.#labels.reset();
    this.#painted.clear();
  }

  /** The height of the strip of calls on a lane, in CSS pixels; 0 where there is none. */
  height(model: SceneModel, pitch: number): CssPx {
    const facts = this.#facts(model);
    if (facts === null || facts.events === null || model.view.calls.hidden.includes('calls')) return cssPx(0);
    return cssPx(Math.round(Math.min(MOST, Math.max(LEAST, SHARE * pitch))));
  }

  /** Places the bands of interrupts on lanes of this layout. */
  placeBands(model: SceneModel, layout: LaneLayout, rowRatio: number): void {
    const { gap } = laneBands(layout, rowRatio);
    const shown = showsIrqs(model, this.#engine, this.#ask);
    this.hands.height = shown ? (2 * bandRows(layout.pitch * rowRatio - gap, rowRatio)) / rowRatio : 0;
  }

  request(model: SceneModel, ids: readonly TaskId[], first: number, end: number, width: DevPx): void {
    this.#ids = ids;
    if (this.height(model, 1) > 0) this.#calls.request(model, ids, first, end, width);
    if (showsIrqs(model, this.#engine, this.#ask)) this.#irqs.request(model, ids, first, end, width);
  }

  /** Asks for the names of calls that have room; `lanes`: different for other lanes. */
  requestLabels(model: SceneModel, layout: LaneLayout, width: number, lanes: string): void {
    if (this.height(model, 1) > 0) this.#labels.request(model, layout, width, lanes);
  }

  /** Paints over the lane `lane`, whose states end where its strip begins. */
  paint(
    picture: CallPicture,
    model: SceneModel,
    scale: Timescale,
    lane: number,
    { top, height }: LanePlace,
    strip: number,
  ): void {
    const [block, row] = [Math.floor(lane / BLOCK), lane % BLOCK];
    let painted = NO_STRIP;
    const facts = this.#facts(model);
    if (strip > 0 && facts !== null) {
      const high = Math.max(1, Math.round(strip * picture.rowRatio));
      const parts = this.#calls.parts(model, this.#ids, block, scale).map((part) => ({ ...part, row }));
      const place = { top: top + height - high, height: high, parts };
      const [calls, failed] = paintCalls(picture, place, this.#colours(facts, model.theme).inks);
      painted = { ...painted, calls, failed };
    }
    const rows = bandRows(height, picture.rowRatio);
    if (rows > 0 && showsIrqs(model, this.#engine, this.#ask)) {
      const columns = newIrqColumns(picture.width);
      for (const { segment, tiles } of this.#irqs.parts(model, this.#ids, block, scale))
        irqColumns(segment, tiles, row, columns);
      if (top >= 0 && top + 2 * rows <= picture.height) {
        const counted = paintBands(columns, rows, irqInks(model.theme), picture.pixels, top * picture.width);
        painted = { ...painted, irqs: counted.columns };
      }
    }
    this.#painted.set(lane, painted);
  }

  /** Writes the names of calls into their strips; returns how many. */
  paintLabels(
    context: CanvasRenderingContext2D,
    model: SceneModel,
    { laneOf }: TaskLanes,
    scale: Timescale,
    layout: LaneLayout,
    strip: number,
  ): number {
    const facts = this.#facts(model);
    if (strip < 9 || facts === null) return 0;
    const { css } = this.#colours(facts, model.theme);
    const width = scale.width / scale.pixelRatio;
    let count = 0;
    const { font } = context;
    context.font = font.replace(/\d+(\.\d+)?px/, '10px');
    context.textBaseline = 'middle';
    for (const { task, start, end, call, index } of this.#labels.runs) {
      const lane = laneOf.get(task);
      if (lane === undefined || !scale.shows(start, end) || count >= MOST_LABELS) continue;
      const y = laneTop(layout, lane) + layout.pitch - 2 - strip / 2;
      if (y < 0 || y > layout.height) continue;
      const left = Math.max(0, scale.timeToCssPx(start)) + PADDING;
      const room = Math.min(width, scale.timeToCssPx(end)) - PADDING - left;
      const wide = context.measureText(call).width;
      if (wide > room) continue;
      const colour = css[index] ?? model.theme.other;
      // Stripes would make the text hard to read.
      context.fillStyle = colour;
      context.fillRect(left - 2, y - strip / 2, wide + 4, strip);
      context.fillStyle = wantsDarkText(colour) ? '#101318' : '#ffffff';
      context.fillText(call, left, y + 0.5);
      count++;
    }
    context.font = font;
    return count;
  }

  #facts({ trace }: SceneModel): CallFacts | null {
    return trace?.stage === 'opened' ? callFacts(this.#engine, this.#ask) : null;
  }

  /** The colours of calls, by name: as commands have them, so that they differ as much as they can. */
  #colours(facts: CallFacts, theme: SceneTheme): { readonly inks: CallInks; readonly css: readonly string[] } {
    if (this.#inks?.of[0] !== facts || this.#inks.of[1] !== theme) {
      // Numbers of two tables may have the same name.
      const names = [...new Set(facts.names.map(({ call }) => call))];
      const colours = commandColours(names, theme.name);
      const ofName = new Map(names.map((name, index) => [name, colours[index] ?? theme.quiet]));
      const css = [theme.quiet, ...facts.names.map(({ call }) => ofName.get(call) ?? theme.quiet)];
      const background = toRgb(theme.background);
      const inks: CallInks = {
        solid: css.map((colour) => packColour(toRgb(colour))),
        pale: css.map((colour) => packColour(mix(toRgb(colour), background, 0.72))),
        error: packColour(toRgb(theme.runnable)),
        hatch: packColour(toRgb(theme.hatch)),
      };
      this.#inks = { of: [facts, theme], inks, css };
    }
    return this.#inks;
  }
}
