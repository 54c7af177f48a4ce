/** The cell surface on WebGL2: tiles in an array texture, two passes. */
import {
  barShares,
  type CellFrame,
  type CellSegment,
  type CellSurface,
  MAX_SEGMENT_TILES,
  PALETTES,
  visibleLanes,
} from './cells';
import type { GlContext } from './context';
import { stripesOf } from './mergeColumn';
import { activate, linkProgram, type Program } from './program';
import { MERGE_FRAGMENT, MERGE_VERTEX, SPREAD_VERTEX, type Spread, spreadFragment } from './shaders';
import {
  type ColumnTarget,
  createColumns,
  createColumnTarget,
  createPalette,
  createTiles,
  uploadTile,
} from './textures';

const MERGE_UNIFORMS = [
  'cells',
  'palette',
  'slots',
  'x0',
  'bucket',
  'fraction',
  'bucketsPerPixel',
  'bucketEnd',
  'firstLane',
  'background',
  'grounds',
  'hasGrounds',
  'byShare',
  'other',
  'bars',
] as const;
const SPREAD_UNIFORMS = [
  'columns',
  'size',
  'top',
  'pitch',
  'gap',
  'firstLane',
  'background',
  'grounds',
  'hasGrounds',
  'hatch',
  'stripes',
] as const;

interface Resources {
  readonly merge: Program<(typeof MERGE_UNIFORMS)[number]>;
  readonly spread: Readonly<Record<Spread, Program<(typeof SPREAD_UNIFORMS)[number]>>>;
  readonly vertices: WebGLVertexArrayObject;
  tiles: WebGLTexture | null;
  columns: ColumnTarget | null;
  grounds: WebGLTexture | null;
  readonly palettes: (WebGLTexture | null)[];
}

export class CellsWebgl implements CellSurface {
  readonly kind = 'webgl2';
  readonly software: boolean;
  readonly #canvas: HTMLCanvasElement;
  readonly #gl: WebGL2RenderingContext;
  readonly #resources: Resources;
  #lanes = 1;

  constructor(canvas: HTMLCanvasElement, context: GlContext) {
    this.#canvas = canvas;
    this.#gl = context.gl;
    this.software = context.software;
    this.#resources = createResources(context.gl);
  }

  resize(width: number, height: number): void {
    if (this.#canvas.width !== width) this.#canvas.width = width;
    if (this.#canvas.height !== height) this.#canvas.height = height;
  }

  allocate(lanes: number, slots: number): void {
    this.#lanes = Math.max(1, lanes);
    const resources = this.#resources;
    this.#gl.deleteTexture(resources.tiles);
    resources.tiles = createTiles(this.#gl, this.#lanes, slots);
  }

  upload(slot: number, buckets: number, cells: Uint32Array): void {
    const { tiles } = this.#resources;
    if (tiles) uploadTile(this.#gl, tiles, slot, buckets, this.#lanes, cells);
  }

  setPalette(palette: number, rgba: Uint8Array): void {
    const resources = this.#resources;
    this.#gl.deleteTexture(resources.palettes[palette] ?? null);
    resources.palettes[palette] = createPalette(this.#gl, rgba);
  }

  draw(frame: CellFrame): void {
    const resources = this.#resources;
    const gl = this.#gl;
    const { width, height } = this.#canvas;
    const lanes = visibleLanes(frame.lanes, height);
    const rows = lanes.end - lanes.first;
    gl.bindVertexArray(resources.vertices);
    this.#ground(resources, frame.style.grounds);
    if (rows > 0) {
      this.#merge(resources, frame, lanes.first, this.#columnTarget(resources, width, rows), rows);
    }
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, width, height);
    gl.clearColor(...frame.style.background, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    if (rows > 0) this.#spread(resources, frame, lanes.first, rows);
  }

  finish(): void {
    this.#gl.readPixels(0, 0, 1, 1, this.#gl.RGBA, this.#gl.UNSIGNED_BYTE, new Uint8Array(4));
  }

  dispose(): void {
    // Browsers allow few contexts at a time, so this one is released without waiting for garbage collection.
    this.#gl.getExtension('WEBGL_lose_context')?.loseContext();
  }

  /** Puts the columns' backgrounds into the third texture unit, if there are some. */
  #ground(resources: Resources, grounds: Uint8Array | null): void {
    const gl = this.#gl;
    gl.deleteTexture(resources.grounds);
    resources.grounds = grounds && createColumns(gl, grounds);
    gl.activeTexture(gl.TEXTURE2);
    gl.bindTexture(gl.TEXTURE_2D, resources.grounds);
    gl.activeTexture(gl.TEXTURE0);
  }

  #columnTarget(resources: Resources, width: number, rows: number): ColumnTarget {
    const target = resources.columns;
    if (target !== null && target.width === width && target.height >= rows) return target;
    if (target !== null) {
      this.#gl.deleteFramebuffer(target.framebuffer);
      this.#gl.deleteTexture(target.texture);
    }
    resources.columns = createColumnTarget(this.#gl, width, rows);
    return resources.columns;
  }

  #merge(resources: Resources, frame: CellFrame, firstLane: number, target: ColumnTarget, rows: number): void {
    const gl = this.#gl;
    const { uniforms } = resources.merge;
    const { style } = frame;
    gl.bindFramebuffer(gl.FRAMEBUFFER, target.framebuffer);
    gl.viewport(0, 0, target.width, rows);
    gl.clearColor(...style.background, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    activate(gl, resources.merge);
    gl.uniform1i(uniforms.cells, 0);
    gl.uniform1i(uniforms.palette, 1);
    gl.uniform1i(uniforms.firstLane, firstLane);
    gl.uniform3f(uniforms.background, ...style.background);
    gl.uniform1i(uniforms.grounds, 2);
    gl.uniform1i(uniforms.hasGrounds, resources.grounds === null ? 0 : 1);
    gl.uniform1i(uniforms.byShare, style.byShare ? 1 : 0);
    gl.uniform2f(uniforms.bars, ...barShares(frame.lanes, style));
    gl.uniform4f(uniforms.other, ...style.other, style.otherAmount);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D_ARRAY, resources.tiles);
    gl.activeTexture(gl.TEXTURE1);
    gl.enable(gl.SCISSOR_TEST);
    for (const segment of frame.segments) {
      gl.bindTexture(gl.TEXTURE_2D, resources.palettes[segment.palette] ?? null);
      gl.scissor(segment.x0, 0, segment.x1 - segment.x0, rows);
      this.#segment(uniforms, segment);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
    }
    gl.disable(gl.SCISSOR_TEST);
    gl.activeTexture(gl.TEXTURE0);
  }

  #segment(uniforms: Resources['merge']['uniforms'], segment: CellSegment): void {
    const gl = this.#gl;
    gl.uniform1iv(uniforms.slots, segment.slots.slice(0, MAX_SEGMENT_TILES));
    gl.uniform1i(uniforms.x0, segment.x0);
    gl.uniform1i(uniforms.bucket, segment.bucket);
    gl.uniform1f(uniforms.fraction, segment.fraction);
    gl.uniform1f(uniforms.bucketsPerPixel, segment.bucketsPerPixel);
    gl.uniform1i(uniforms.bucketEnd, segment.bucketEnd);
  }

  #spread(resources: Resources, frame: CellFrame, firstLane: number, rows: number): void {
    const gl = this.#gl;
    const { lanes, style } = frame;
    const barred = barShares(lanes, style)[0] > 0 && !style.byShare;
    const program = resources.spread[frame.patterned ? 'patterns' : barred ? 'bars' : 'flat'];
    const { uniforms } = program;
    activate(gl, program);
    gl.bindTexture(gl.TEXTURE_2D, resources.columns?.texture ?? null);
    gl.uniform1i(uniforms.columns, 0);
    gl.uniform2i(uniforms.size, this.#canvas.width, this.#canvas.height);
    gl.uniform1f(uniforms.top, lanes.top);
    gl.uniform1f(uniforms.pitch, lanes.pitch);
    gl.uniform1i(uniforms.gap, lanes.gap);
    gl.uniform1i(uniforms.firstLane, firstLane);
    gl.uniform3f(uniforms.background, ...style.background);
    gl.uniform1i(uniforms.grounds, 2);
    gl.uniform1i(uniforms.hasGrounds, resources.grounds === null ? 0 : 1);
    gl.uniform3f(uniforms.hatch, ...style.hatch);
    gl.uniform2f(uniforms.stripes, ...stripesOf(style));
    gl.drawArrays(gl.TRIANGLES, 0, 6 * rows);
  }
}

function createResources(gl: WebGL2RenderingContext): Resources {
  return {
    merge: linkProgram(gl, MERGE_VERTEX, MERGE_FRAGMENT, MERGE_UNIFORMS),
    spread: {
      flat: linkProgram(gl, SPREAD_VERTEX, spreadFragment('flat'), SPREAD_UNIFORMS),
      bars: linkProgram(gl, SPREAD_VERTEX, spreadFragment('bars'), SPREAD_UNIFORMS),
      patterns: linkProgram(gl, SPREAD_VERTEX, spreadFragment('patterns'), SPREAD_UNIFORMS),
    },
    vertices: gl.createVertexArray(),
    tiles: null,
    columns: null,
    grounds: null,
    palettes: new Array<WebGLTexture | null>(PALETTES).fill(null),
  };
}
