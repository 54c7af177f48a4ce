/** How different two colours look, for tests, by the published formulas; shares no code with the choice of colours. */

type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

export type Sight = 'normal' | 'deuteranopia' | 'protanopia';

/** sRGB to XYZ and its white (D65): IEC 61966-2-1. */
const TO_XYZ: Matrix = [
  [0.4124564, 0.3575761, 0.1804375],
  [0.2126729, 0.7151522, 0.072175],
  [0.0193339, 0.119192, 0.9503041],
];
const WHITE: Triple = [0.95047, 1, 1.08883];

/**
 * Linear sRGB as someone without the cones for green or red sees it: Machado, Oliveira, Fernandes, A
 * Physiologically-based Model for Simulation of Color Vision Deficiency (2009), severity 1.
 */
const SIGHT: Readonly<Record<Sight, Matrix>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
};

const dot = (row: Triple, [x, y, z]: Triple): number => row[0] * x + row[1] * y + row[2] * z;
const times = ([r, g, b]: Matrix, vector: Triple): Triple => [dot(r, vector), dot(g, vector), dot(b, vector)];

/** Linear sRGB of `#rrggbb`. */
function linear(colour: string): Triple {
  const channel = (at: number): number => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

/** CIE L*a*b*. */
function lab(colour: string, sight: Sight): Triple {
  const within = (value: number): number => Math.min(1, Math.max(0, value));
  const [r, g, b] = times(SIGHT[sight], linear(colour));
  const xyz = times(TO_XYZ, [within(r), within(g), within(b)]);
  const part = (axis: 0 | 1 | 2): number => {
    const t = xyz[axis] / WHITE[axis];
    return t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116;
  };
  return [116 * part(1) - 16, 500 * (part(0) - part(1)), 200 * (part(1) - part(2))];
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** CIEDE2000 (Sharma, Wu, Dalal 2005) between two `#rrggbb`: a distance of 1 is just visible where they touch. */
export function colourDistance(one: string, other: string, sight: Sight = 'normal'): number {
  const [[l1, p1, b1], [l2, p2, b2]] = [lab(one, sight), lab(other, sight)];
  const seventh = (c: number): number => Math.sqrt(c ** 7 / (c ** 7 + 25 ** 7));
  const g = 1.5 - 0.5 * seventh((Math.hypot(p1, b1) + Math.hypot(p2, b2)) / 2);
  const [a1, a2] = [p1 * g, p2 * g];
  const [c1, c2] = [Math.hypot(a1, b1), Math.hypot(a2, b2)];
  const hue = (b: number, a: number): number => (Math.atan2(b, a) * (180 / Math.PI) + 360) % 360;
  const [h1, h2] = [hue(b1, a1), hue(b2, a2)];
  const turn = ((h2 - h1 + 540) % 360) - 180;
  const [l, c, h] = [(l1 + l2) / 2, (c1 + c2) / 2, h1 + turn / 2];
  const t =
    1 -
    0.17 * Math.cos(radians(h - 30)) +
    0.24 * Math.cos(radians(2 * h)) +
    0.32 * Math.cos(radians(3 * h + 6)) -
    0.2 * Math.cos(radians(4 * h - 63));
  const lightness = (l2 - l1) / (1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2));
  const chroma = (c2 - c1) / (1 + 0.045 * c);
  const tint = (2 * Math.sqrt(c1 * c2) * Math.sin(radians(turn / 2))) / (1 + 0.015 * c * t);
  const blue = ((h + 360) % 360) - 275;
  const rotation = -2 * seventh(c) * Math.sin(radians(60 * Math.exp(-((blue / 25) ** 2))));
  return Math.sqrt(lightness ** 2 + chroma ** 2 + tint ** 2 + rotation * chroma * tint);
}

/** The contrast ratio of WCAG 2.2 between two `#rrggbb`, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [a, b] = [one, other].map((colour) => dot(TO_XYZ[1], linear(colour)) + 0.05) as [number, number];
  return Math.max(a, b) / Math.min(a, b);
}
