/**
 * Colours of tasks and commands. Pure: the same PID has the same colour in every trace and every session, and so has a
 * command in all traces in which no other command wants the same colour.
 *
 * People who see few hues distinguish colours by lightness, so neighbours differ in lightness as well as in hue.
 */
import { hcl, lab, type RGBColor, rgb } from 'd3-color';
import type { Rgb } from '../../gl/cells';
import { packColour } from '../../gl/columns';
import type { ThemeName } from './theme';

/** CIE L*C*h: lightness, chroma, hue in degrees. */
type Lch = readonly [number, number, number];

/** Successive multiples of the golden ratio are as far apart from all earlier ones as can be. */
const GOLDEN = 0.618033988749895;
const TIERS: Readonly<Record<ThemeName, readonly number[]>> = { light: [52, 70, 40], dark: [66, 82, 54] };
const CHROMA: Readonly<Record<ThemeName, readonly number[]>> = { light: [62, 55, 50], dark: [56, 46, 58] };

/**
 * Lightness, chroma and hue of commands on a light ground. Any two of the first 20 are a CIEDE2000 distance of 12 apart
 * in both themes, and of 7 for eyes without red or green cones; with the next 20 the distances are 6.5 and 3.5. They
 * were found by exchanging the worst of them until nothing improved.
 */
const COMMANDS: readonly Lch[] = [
  [52, 34, 176],
  [54, 58, 96],
  [36, 34, 344],
  [36, 70, 328],
  [36, 34, 152],
  [74, 46, 176],
  [54, 34, 64],
  [38, 58, 56],
  [54, 70, 304],
  [50, 46, 8],
  [74, 34, 208],
  [54, 70, 344],
  [74, 34, 16],
  [52, 34, 224],
  [36, 58, 24],
  [68, 46, 264],
  [70, 70, 80],
  [74, 46, 112],
  [64, 34, 144],
  [36, 70, 288],
  [54, 46, 24],
  [46, 46, 344],
  [74, 34, 232],
  [36, 34, 320],
  [44, 58, 296],
  [44, 70, 16],
  [36, 46, 272],
  [68, 58, 64],
  [74, 58, 152],
  [58, 46, 320],
  [56, 34, 352],
  [38, 46, 120],
  [72, 34, 344],
  [44, 34, 80],
  [60, 46, 168],
  [60, 70, 48],
  [38, 46, 8],
  [62, 46, 8],
  [44, 34, 24],
  [64, 34, 88],
];
/** How many of them are easiest to tell apart: each of these is taken once before any of the others. */
const BEST = 20;
/** The step in which a command whose colour is taken looks for another; coprime to the number of colours. */
const STEP = 7;

/** Kernel threads of which every CPU has one; the name behind the slash distinguishes them. */
const PER_CPU = /^(?:swapper|kworker|migration|ksoftirqd|ktimers|cpuhp|idle_inject|irq_work|rcu[a-z_]*)(?=\/)/;
/** Small changes of hue, and of lightness, by which the members of such a family differ. */
const TURNS: readonly number[] = [0, 9, -9];
const LIFTS: readonly number[] = [0, 6, -6];

/** CSS colour of a PID. */
export const pidColour = (pid: number, theme: ThemeName): string => pidRgb(pid, theme).formatHex();

/** The same, with channels of 0 to 255. */
export function pidRgb(pid: number, theme: ThemeName): RGBColor {
  const tier = pid % 3;
  const turn = (pid * GOLDEN) % 1;
  return hcl(360 * turn, CHROMA[theme][tier] ?? 0, TIERS[theme][tier] ?? 0)
    .rgb()
    .clamp();
}

/** CSS colours of all commands of a trace, whatever their order, but for the shades within a family; the index is the comm's id. */
export function commandColours(comms: readonly string[], theme: ThemeName): string[] {
  const slots = commandSlots(comms);
  const members = new Map<string, number>();
  // Thousands of commands share some colours.
  const plain = COMMANDS.map((colour) => commandColour(colour, theme));
  return comms.map((comm) => {
    const name = familyOf(comm);
    const slot = slots.get(name) ?? 0;
    if (name === comm) return plain[slot] ?? '';
    const [lightness, chroma, hue] = COMMANDS[slot] ?? [0, 0, 0];
    const member = members.get(name) ?? 0;
    members.set(name, member + 1);
    const turn = TURNS[member % 3] ?? 0;
    const lift = LIFTS[Math.floor(member / 3) % 3] ?? 0;
    return commandColour([lightness + lift, chroma, hue + turn], theme);
  });
}

/** Assigns a colour to each command or family. It depends on which names there are, not on which task ran first. */
function commandSlots(comms: readonly string[]): ReadonlyMap<string, number> {
  const families = new Set(comms.map(familyOf).filter((name, id) => name !== comms[id]));
  // Commands, which users compare, choose before families.
  const commands = new Set(comms.filter((comm) => familyOf(comm) === comm && !families.has(comm)));
  const slots = new Map<string, number>();
  /** How many names have each of the best colours, or the colour that stands in for it. */
  const taken = new Array<number>(BEST).fill(0);
  const claim = (name: string, slot: number): void => {
    const count = taken[slot] ?? 0;
    taken[slot] = count + 1;
    slots.set(name, slot + BEST * (count % 2));
  };
  for (const names of [commands, families]) {
    const sorted = [...names].sort();
    const displaced = sorted.filter((name) => {
      const slot = hash(name) % BEST;
      if (taken[slot] !== 0) return true;
      claim(name, slot);
      return false;
    });
    for (const name of displaced) {
      const least = Math.min(...taken);
      let slot = hash(name) % BEST;
      while (taken[slot] !== least) slot = (slot + STEP) % BEST;
      claim(name, slot);
    }
  }
  return slots;
}

/** `kworker/3:1H` and `kworker/u8:2` are one family, `kworker`; other commands are their own. */
export function familyOf(comm: string): string {
  return PER_CPU.exec(comm)?.[0] ?? comm;
}

/** Whether dark text reads better than light text on this colour. */
export function wantsDarkText(colour: string): boolean {
  return hcl(colour).l > 58;
}

export const toRgb = (colour: string): Rgb => channelsOf(rgb(colour));

export const channelsOf = ({ r, g, b }: Pick<RGBColor, 'r' | 'g' | 'b'>): Rgb => [r / 255, g / 255, b / 255];

/** `count` colours from the first stop to the last, in even steps of how they look. */
export function ramp(stops: readonly string[], count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const place = (index / Math.max(1, count - 1)) * (stops.length - 1);
    const at = Math.min(Math.floor(place), stops.length - 2);
    const [from, to] = [lab(stops[at] ?? ''), lab(stops[at + 1] ?? '')];
    const mixed = (a: number, b: number): number => a + (b - a) * (place - at);
    return lab(mixed(from.l, to.l), mixed(from.a, to.a), mixed(from.b, to.b)).formatHex();
  });
}

/** A palette as bytes, RGBA by key. */
export function paletteBytes(colours: readonly string[]): Uint8Array {
  // Many tasks share few colours.
  const words = new Map<string, number>();
  const palette = new Uint32Array(colours.length);
  colours.forEach((colour, key) => {
    const word = words.get(colour) ?? packColour(toRgb(colour));
    words.set(colour, word);
    palette[key] = word;
  });
  return new Uint8Array(palette.buffer);
}

/** Dark grounds have lighter and paler colours, which are as far apart. */
function commandColour([lightness, chroma, hue]: Lch, theme: ThemeName): string {
  const dark = theme === 'dark';
  const colour = hcl(hue, dark ? 0.9 * chroma : chroma, dark ? 56 + (lightness - 36) * (28 / 38) : lightness);
  return colour.rgb().clamp().formatHex();
}

/** FNV-1a over UTF-16 units. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  }
  // Short names differ in their low bits: mix them into the high ones, and back.
  value ^= value >>> 15;
  return Math.imul(value, 0x2c1b3c6d) >>> 8;
}
