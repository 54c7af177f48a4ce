/**
 * Colours of tasks and commands. Pure: the same PID has the same colour in every trace and every session, and a command
 * has its own as long as no other command of the trace claims it first.
 *
 * Eyes that see few hues tell colours apart by lightness, so neighbours differ in lightness as well as in hue.
 */
import { hcl, rgb } from 'd3-color';
import type { Rgb } from '../gl/cells';
import type { ThemeName } from './theme';

/** Successive multiples of the golden ratio are as far apart from all earlier ones as can be. */
const GOLDEN = 0.618033988749895;
const TIERS: Readonly<Record<ThemeName, readonly number[]>> = { light: [52, 70, 40], dark: [66, 82, 54] };
const CHROMA: Readonly<Record<ThemeName, readonly number[]>> = { light: [62, 55, 50], dark: [56, 46, 58] };
/** Families of commands have one of so many hues. */
const HUES = 18;
/** Its first three members differ in lightness; the next are turned a little, by so much of the way to the next hue. */
const TURNS: readonly number[] = [0, 1 / 3, -1 / 3];

/** CSS colour of a PID. */
export function pidColour(pid: number, theme: ThemeName): string {
  return tierColour((pid * GOLDEN) % 1, pid % 3, theme);
}

/** CSS colours of all commands of a trace; the index is the comm's id. */
export function commandColours(comms: readonly string[], theme: ThemeName): string[] {
  const hues = new Map<string, number>();
  const taken = new Set<number>();
  const members = new Map<string, number>();
  return comms.map((comm) => {
    const family = familyOf(comm);
    let slot = hues.get(family);
    if (slot === undefined) {
      slot = hash(family) % HUES;
      // All are taken: several families share a hue, and differ in lightness at most.
      for (let tries = 0; taken.has(slot) && tries < HUES; tries++) slot = (slot + 7) % HUES;
      hues.set(family, slot);
      taken.add(slot);
    }
    const member = members.get(family) ?? 0;
    members.set(family, member + 1);
    const turn = TURNS[Math.floor(member / 3) % TURNS.length] ?? 0;
    return tierColour((slot + turn) / HUES, slot + member, theme);
  });
}

/** `kworker/3:1H` and `kworker/u8:2` are one family: what is before the first `/`, `:` or digit run at the end. */
export function familyOf(comm: string): string {
  const stem = comm.replace(/[/:].*$/s, '').replace(/[-_.]?\d+$/, '');
  return stem === '' ? comm : stem;
}

/** Whether dark text reads better than light text on this colour. */
export function wantsDarkText(colour: string): boolean {
  return hcl(colour).l > 58;
}

export function toRgb(colour: string): Rgb {
  const { r, g, b } = rgb(colour);
  return [r / 255, g / 255, b / 255];
}

/** A palette as bytes, RGBA by key. */
export function paletteBytes(colours: readonly string[]): Uint8Array {
  const bytes = new Uint8Array(4 * colours.length);
  colours.forEach((colour, key) => {
    const { r, g, b } = rgb(colour);
    bytes.set([r, g, b, 255], 4 * key);
  });
  return bytes;
}

function tierColour(turn: number, tier: number, theme: ThemeName): string {
  const index = tier % 3;
  const colour = hcl(360 * turn, CHROMA[theme][index] ?? 0, TIERS[theme][index] ?? 0);
  return colour.rgb().clamp().formatHex();
}

/** FNV-1a over UTF-16 units. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  }
  // Short names differ in their low bits: stir them into the high ones, and back.
  value ^= value >>> 15;
  return Math.imul(value, 0x2c1b3c6d) >>> 8;
}
