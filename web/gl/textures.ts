/** The textures of the cell surface. All are read with `texelFetch`: no filtering, no wrapping. */
import { TILE_BUCKETS } from './cells';

/** Palettes are wrapped into rows of this many keys. */
export const PALETTE_SHIFT = 10;

function nearest(gl: WebGL2RenderingContext, target: GLenum): void {
  gl.texParameteri(target, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(target, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  gl.texParameteri(target, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(target, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
}

/** Tiles as layers: `TILE_BUCKETS` x lanes texels of two 32-bit integers. */
export function createTiles(gl: WebGL2RenderingContext, lanes: number, slots: number): WebGLTexture {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D_ARRAY, texture);
  nearest(gl, gl.TEXTURE_2D_ARRAY);
  gl.texStorage3D(gl.TEXTURE_2D_ARRAY, 1, gl.RG32UI, TILE_BUCKETS, lanes, slots);
  return texture;
}

export function uploadTile(
  gl: WebGL2RenderingContext,
  texture: WebGLTexture,
  slot: number,
  buckets: number,
  lanes: number,
  cells: Uint32Array,
): void {
  gl.bindTexture(gl.TEXTURE_2D_ARRAY, texture);
  gl.pixelStorei(gl.UNPACK_ALIGNMENT, 4);
  gl.texSubImage3D(gl.TEXTURE_2D_ARRAY, 0, 0, 0, slot, buckets, lanes, 1, gl.RG_INTEGER, gl.UNSIGNED_INT, cells);
}

export function createPalette(gl: WebGL2RenderingContext, rgba: Uint8Array): WebGLTexture {
  const texture = gl.createTexture();
  const width = 1 << PALETTE_SHIFT;
  const rows = Math.max(1, Math.ceil(rgba.length / 4 / width));
  const padded = new Uint8Array(width * rows * 4);
  padded.set(rgba);
  gl.bindTexture(gl.TEXTURE_2D, texture);
  nearest(gl, gl.TEXTURE_2D);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, width, rows, 0, gl.RGBA, gl.UNSIGNED_BYTE, padded);
  return texture;
}

/** A row of one colour for each device-pixel column. */
export function createColumns(gl: WebGL2RenderingContext, rgba: Uint8Array): WebGLTexture {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  nearest(gl, gl.TEXTURE_2D);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, rgba.length / 4, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, rgba);
  return texture;
}

export interface ColumnTarget {
  readonly texture: WebGLTexture;
  readonly framebuffer: WebGLFramebuffer;
  readonly width: number;
  readonly height: number;
}

/** The target of the first pass: one texel for each device-pixel column and lane. */
export function createColumnTarget(gl: WebGL2RenderingContext, width: number, height: number): ColumnTarget {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  nearest(gl, gl.TEXTURE_2D);
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, width, height);
  const framebuffer = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
  return { texture, framebuffer, width, height };
}
