/**
 * The two passes of the cell surface. The first merges the cells below each device-pixel column of a lane into one texel
 * (`mergeColumn` and `columnTexel` are the same in TypeScript); the second spreads these texels over the height of the
 * lanes (`texelColour`). So the expensive part runs once for each column and lane, not once for each pixel. Both are
 * written without branches: software renderers pay for every one.
 *
 * A texel: the colour of the column's bar, and in alpha its height and pattern as `85 * pattern + level`, with a level of
 * 84 for a bar of the whole lane. Above the bar is a tint of the colour.
 */
import { CELL_HIGHLIGHT, CELL_INFERRED, CELL_MERGED, CELL_UNKNOWN, EMPTY_KEY } from '../base/cellWords';
import { MAX_SEGMENT_TILES, TILE_BUCKETS, TILE_SHIFT } from './cells';
import { PALETTE_SHIFT } from './textures';

export const PATTERNS = { none: 0, inferred: 1, unknown: 2 } as const;
/** Steps of a bar's height. */
export const LEVELS = 84;
/** The least share of a column that highlighted runs fill, however short they are. */
export const HIGHLIGHT_FULL = 0.65;
/** How strong the dominant colour is above a bar: at least for a sliver, and at most when merged. */
export const TINT = 0.2;
export const LEAST = 0.34;
export const MOST_MERGED = 0.86;
/** Stripes of patterns: their distance in CSS pixels, a third of which is their width; and their strength on inferred runs. */
export const STRIPE = 6;
export const INFERRED = 0.5;

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
uniform vec3 background;
// The background of each column, if there is a texture of them.
uniform highp sampler2D grounds;
uniform bool hasGrounds;
// Whether the share of busy time has a colour, instead of the key and a height.
uniform bool byShare;
uniform vec4 other;
// Height of a full bar of a merged column and of the lowest, as shares of the lane; 0 where lanes are too thin for bars.
uniform vec2 bars;
out vec4 texel;

void main() {
  int lane = firstLane + int(gl_FragCoord.y);
  // Positions are relative to a whole bucket, so that they stay exact at any zoom and any distance from time 0.
  float from = fraction + floor(gl_FragCoord.x - float(x0)) * bucketsPerPixel;
  float to = from + bucketsPerPixel;
  float left = floor(from);
  int first = bucket + int(left);
  int end = min(bucket + max(int(ceil(to)), int(left) + 1), bucketEnd);
  float busy = 0.0;
  float best = 0.0;
  uint key = ${EMPTY_KEY}u;
  // The runner-up, so that a key that comes back after another is counted as one.
  float second = 0.0;
  uint secondKey = ${EMPTY_KEY}u;
  uint seen = 0u;
  bool several = false;
  for (int i = first; i < end; i++) {
    uvec2 cell = texelFetch(cells, ivec3(i & ${TILE_BUCKETS - 1}, lane, slots[i >> ${TILE_SHIFT}]), 0).rg;
    float weight = float(cell.g & 0xffffu) * ${1 / 65535} * (min(left + 1.0, to) - max(left, from));
    busy += weight;
    seen |= cell.g;
    several = several || (best > 0.0 && weight > 0.0 && cell.r != key);
    // Highlighted cells are before all others.
    float before = cell.r == key ? best : cell.r == secondKey ? second : 0.0;
    float rank = weight + ((cell.g & ${CELL_HIGHLIGHT}u) != 0u ? 4.0 : 0.0) + before;
    bool wins = rank > best;
    bool another = cell.r != ${EMPTY_KEY}u && cell.r != key;
    second = another ? (wins ? best : rank) : second;
    secondKey = another ? (wins ? key : cell.r) : secondKey;
    best = wins ? rank : best;
    key = wins ? cell.r : key;
    left += 1.0;
  }
  bool highlight = (seen & ${CELL_HIGHLIGHT}u) != 0u;
  bool merged = several || (seen & ${CELL_MERGED}u) != 0u;
  float full = min(busy / bucketsPerPixel, 1.0);
  full = highlight ? max(full, ${float(HIGHLIGHT_FULL)}) : full;
  bool empty = full <= 0.0;
  bool barred = merged && bars.x > 0.0 && !byShare;
  float share = full > 0.9999 ? 1.0 : ${float(LEAST)} + ${float(1 - LEAST)} * full;
  share = merged ? ${float(LEAST)} + ${float(MOST_MERGED - LEAST)} * full : share;
  share = barred || byShare ? 1.0 : share;
  share = empty ? 0.0 : share;
  float bar = barred ? max(full * bars.x, bars.y) : 1.0;
  float level = empty ? 0.0 : max(1.0, floor(bar * ${float(LEVELS)} + 0.5));
  float pattern = (seen & ${CELL_UNKNOWN}u) != 0u ? ${float(PATTERNS.unknown)} : 0.0;
  pattern = pattern == 0.0 && (seen & ${CELL_INFERRED}u) != 0u ? ${float(PATTERNS.inferred)} : pattern;
  key = byShare ? uint(floor(full * 255.0 + 0.5)) : key;
  ivec2 at = ivec2(int(key & ${(1 << PALETTE_SHIFT) - 1}u), int(key >> ${PALETTE_SHIFT}u));
  // A key beyond the palette (where nothing runs) reads as black, and has no share.
  vec3 colour = texelFetch(palette, at, 0).rgb;
  colour = mix(colour, other.rgb, highlight ? 0.0 : other.a);
  vec3 ground = hasGrounds ? texelFetch(grounds, ivec2(int(gl_FragCoord.x), 0), 0).rgb : background;
  texel = vec4(mix(ground, colour, share), (${float(LEVELS + 1)} * pattern + level) / 255.0);
}`;

/** Two triangles for each visible lane. `lane`: row, lower edge from the canvas' lower edge, height; device pixels. */
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
  lane = ivec3(row, size.y - from - height, height);
  bool right = corner == 1 || corner == 2 || corner == 4;
  bool low = corner == 2 || corner == 4 || corner == 5;
  float y = float(low ? from + height : from) / float(size.y);
  gl_Position = vec4(right ? 1.0 : -1.0, 1.0 - 2.0 * y, 0.0, 1.0);
}`;

/** What the second pass has to handle; the less, the cheaper. */
export type Spread =
  /** Lanes too thin for bars, and nothing unknown or inferred: texels are pixels. */
  | 'flat'
  /** Bars, but nothing unknown or inferred. */
  | 'bars'
  | 'patterns';

export const spreadFragment = (spread: Spread): string =>
  spread === 'flat' ? SPREAD_FLAT : spreadAll(spread === 'patterns');

const SPREAD_FLAT = `#version 300 es
precision highp float;
precision highp int;
uniform highp sampler2D columns;
flat in ivec3 lane;
out vec4 pixel;
void main() {
  pixel = texelFetch(columns, ivec2(int(gl_FragCoord.x), lane.x), 0);
}`;

const spreadAll = (patterned: boolean): string => `#version 300 es
precision highp float;
precision highp int;
uniform highp sampler2D columns;
uniform vec3 background;
uniform highp sampler2D grounds;
uniform bool hasGrounds;
uniform vec3 hatch;
// 1 / period in device pixels, and the pattern's phase.
uniform vec2 stripes;
flat in ivec3 lane;
out vec4 pixel;

void main() {
  vec4 texel = texelFetch(columns, ivec2(int(gl_FragCoord.x), lane.x), 0);
  float code = floor(texel.a * 255.0 + 0.5);
  float pattern = ${patterned ? `floor((code + 0.5) / ${float(LEVELS + 1)})` : '0.0'};
  // Whole numbers and halves alone, so that a row whose middle is the bar's edge is above it on every machine.
  float height = (code - ${float(LEVELS + 1)} * pattern) * float(lane.z);
  float inside = (gl_FragCoord.y - float(lane.y)) * ${float(LEVELS)} < height ? 1.0 : 0.0;
  vec3 ground = hasGrounds ? texelFetch(grounds, ivec2(int(gl_FragCoord.x), 0), 0).rgb : background;
  vec3 colour = mix(ground, texel.rgb, max(inside, ${float(TINT)}));
${
  patterned
    ? `  float stripe = fract((gl_FragCoord.x - gl_FragCoord.y) * stripes.x + stripes.y) < 0.3333 ? 1.0 : 0.0;
  // Inferred runs are striped, and of what is unknown the part above a bar.
  float strength = pattern * ${float(INFERRED)} * (1.0 - inside * (pattern - 1.0));
  colour = mix(colour, hatch, stripe * min(pattern, strength));`
    : ''
}
  pixel = vec4(colour, 1.0);
}`;
