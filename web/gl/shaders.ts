/**
 * The two passes of the cell surface. The first merges the cells below each device-pixel column of a lane into one texel
 * (`mergeColumn` is the same in TypeScript); the second spreads these texels over the height of the lanes
 * (`spreadColumn`). So the expensive part runs once for each column and lane, not once for each pixel.
 *
 * A texel's alpha byte: bits 3-7 how full the column is (0 empty, 31 entirely), bits 0-2 `COLUMN_*` flags.
 */
import {
  CELL_HIGHLIGHT,
  CELL_INFERRED,
  CELL_MERGED,
  CELL_UNKNOWN,
  EMPTY_KEY,
  MAX_SEGMENT_TILES,
  TILE_BUCKETS,
  TILE_SHIFT,
} from './cells';
import { PALETTE_SHIFT } from './textures';

/** Flags of a merged column. */
export const COLUMN_UNKNOWN = 1;
export const COLUMN_INFERRED = 2;
export const COLUMN_MERGED = 4;
/** The fullest value of a column. */
export const FULL = 31;
/** Highlighted runs fill a column at least so much, however short they are. */
export const HIGHLIGHT_FILL = 20;
/** Lanes from this height on (device pixels) show the busy fraction of merged columns as a bar. */
export const BAR_HEIGHT = 8;
/** How strong the dominant colour is above such a bar, at the least for a sliver, and at the most when merged. */
export const TINT = 0.2;
export const LEAST = 0.28;
export const MOST_MERGED = 0.86;
/** Share of the background in the stripes of inferred runs. */
export const INFERRED = 0.4;

const float = (value: number): string => value.toFixed(4);

/** One triangle that covers the viewport. */
export const MERGE_VERTEX = `#version 300 es
void main() {
  gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
}`;

export const MERGE_FRAGMENT = `#version 300 es
precision highp float;
precision highp int;
precision highp usampler2DArray;
uniform usampler2DArray cells;
uniform highp sampler2D palette;
uniform int slots[${MAX_SEGMENT_TILES}];
uniform int x0;
uniform int bucket;
uniform float fraction;
uniform float bucketsPerPixel;
uniform int bucketEnd;
uniform int firstLane;
uniform vec4 other;
uniform uint emphasis;
uniform vec3 ink;
out vec4 column;

void main() {
  int lane = firstLane + int(gl_FragCoord.y);
  // Positions are relative to a whole bucket, so that they stay exact at any zoom and any distance from time 0.
  float from = fraction + floor(gl_FragCoord.x - float(x0)) * bucketsPerPixel;
  float to = from + bucketsPerPixel;
  float base = floor(from);
  int first = bucket + int(base);
  int end = min(max(bucket + int(ceil(to)), first + 1), bucketEnd);
  float width = 0.0;
  float busy = 0.0;
  float best = 0.0;
  uint key = ${EMPTY_KEY}u;
  uint seen = 0u;
  bool highlight = false;
  bool several = false;
  for (int i = first; i < end; i++) {
    uvec2 cell = texelFetch(cells, ivec3(i & ${TILE_BUCKETS - 1}, lane, slots[i >> ${TILE_SHIFT}]), 0).rg;
    float left = float(i - bucket);
    float overlap = max(min(left + 1.0, to) - max(left, from), 1e-6);
    float weight = float(cell.g & 0xffffu) / 65535.0 * overlap;
    bool lit = (cell.g & ${CELL_HIGHLIGHT}u) != 0u;
    width += overlap;
    busy += weight;
    seen |= cell.g;
    if (cell.r == ${EMPTY_KEY}u) continue;
    several = several || (key != ${EMPTY_KEY}u && key != cell.r);
    bool wins = lit == highlight ? weight > best : lit;
    if (key == cell.r && lit == highlight) best += weight;
    else if (key == ${EMPTY_KEY}u || wins) { key = cell.r; best = weight; highlight = lit; }
  }
  int fill = 0;
  if (busy > 0.0) {
    float full = busy / width;
    fill = full > 0.9999 ? ${FULL} : clamp(int(ceil(full * ${FULL - 1}.0)), 1, ${FULL - 1});
  }
  if (highlight) fill = max(fill, ${HIGHLIGHT_FILL});
  int flags = (seen & ${CELL_UNKNOWN}u) != 0u ? ${COLUMN_UNKNOWN} : 0;
  if ((seen & ${CELL_INFERRED}u) != 0u) flags |= ${COLUMN_INFERRED};
  if (several || (seen & ${CELL_MERGED}u) != 0u) flags |= ${COLUMN_MERGED};
  vec3 colour = vec3(0.0);
  if (key != ${EMPTY_KEY}u) {
    ivec2 at = ivec2(int(key & ${(1 << PALETTE_SHIFT) - 1}u), int(key >> ${PALETTE_SHIFT}u));
    colour = texelFetch(palette, at, 0).rgb;
    if (!highlight) colour = mix(colour, other.rgb, other.a);
    if (key == emphasis) colour = mix(colour, ink, 0.35);
  }
  column = vec4(colour, float(fill << 3 | flags) / 255.0);
}`;

/** Two triangles for each visible lane. `lane`: row, top and height in device pixels. */
export const SPREAD_VERTEX = `#version 300 es
precision highp int;
uniform ivec2 size;
uniform float top;
uniform float pitch;
uniform int gap;
uniform int firstLane;
flat out ivec3 lane;
void main() {
  int row = gl_VertexID / 6;
  int corner = gl_VertexID % 6;
  int index = firstLane + row;
  int from = int(floor(top + float(index) * pitch + 0.5));
  int height = max(1, int(floor(top + float(index + 1) * pitch + 0.5)) - from - gap);
  lane = ivec3(row, from, height);
  bool right = corner == 1 || corner == 2 || corner == 4;
  bool low = corner == 2 || corner == 4 || corner == 5;
  float y = float(low ? from + height : from) / float(size.y);
  gl_Position = vec4(right ? 1.0 : -1.0, 1.0 - 2.0 * y, 0.0, 1.0);
}`;

export const SPREAD_FRAGMENT = `#version 300 es
precision highp float;
precision highp int;
uniform highp sampler2D columns;
uniform ivec2 size;
uniform vec3 background;
uniform vec3 hatch;
uniform int phase;
uniform int ratio;
flat in ivec3 lane;
out vec4 pixel;

void main() {
  int x = int(gl_FragCoord.x);
  int screenY = size.y - 1 - int(gl_FragCoord.y);
  int y = screenY - lane.y;
  vec4 column = texelFetch(columns, ivec2(x, lane.x), 0);
  int packed = int(column.a * 255.0 + 0.5);
  int fill = packed >> 3;
  float share = 0.0;
  if (fill > 0) {
    float full = float(fill) / ${FULL}.0;
    if ((packed & ${COLUMN_MERGED}) == 0) share = fill == ${FULL} ? 1.0 : ${float(LEAST)} + ${float(1 - LEAST)} * full;
    else if (lane.z < ${BAR_HEIGHT} * ratio) share = ${float(LEAST)} + ${float(MOST_MERGED - LEAST)} * full;
    else share = lane.z - y <= int(ceil(full * float(lane.z - ratio))) ? 1.0 : ${float(TINT)};
  }
  vec3 colour = mix(background, column.rgb, share);
  if ((packed & ${COLUMN_UNKNOWN | COLUMN_INFERRED}) != 0) {
    int stripe = (x + phase + screenY) / ratio % 6;
    if ((packed & ${COLUMN_UNKNOWN}) != 0) {
      if (share < 0.5 && stripe < 2) colour = hatch;
    } else if (stripe < 2) colour = mix(colour, background, ${float(INFERRED)});
  }
  pixel = vec4(colour, 1.0);
}`;
