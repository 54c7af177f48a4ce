/**
 * Ticks of the time axis. Round times are labelled in full (`3.147 s`). Where that would make long labels, the ticks in
 * between are labelled with their distance from the round time on their left (`+20 µs`), so labels are short at any
 * zoom.
 */
import { type Ns, ns, type TimeWindow } from '../../base/units';

export interface TimeTick {
  readonly at: Ns;
  readonly label: string;
  /** Whether it is labelled in full, among others that are not. */
  readonly major: boolean;
}

export interface TimeTicks {
  readonly ticks: readonly TimeTick[];
  /** What the labels with a `+` at the left end count from, if it is not on the screen itself; else null. */
  readonly base: string | null;
}

interface Unit {
  readonly size: number;
  readonly name: string;
}

const UNITS: readonly Unit[] = [
  { size: 1, name: 'ns' },
  { size: 1e3, name: 'µs' },
  { size: 1e6, name: 'ms' },
  { size: 1e9, name: 's' },
];
/** Units of clocks that count raw ticks. */
const TICKS: readonly Unit[] = [
  { size: 1, name: 'ticks' },
  { size: 1e3, name: 'k ticks' },
  { size: 1e6, name: 'M ticks' },
  { size: 1e9, name: 'G ticks' },
];

const unitsOf = (clockIsNs: boolean): readonly Unit[] => (clockIsNs ? UNITS : TICKS);

/** 1, 2 or 5 times a power of ten, at least 1, with at most `count` steps in `width`. */
export function tickStep(width: number, count: number): number {
  const least = Math.max(1, width / Math.max(1, count));
  const power = 10 ** Math.floor(Math.log10(least) + 1e-9);
  for (const factor of [1, 2, 5]) {
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

/** At most `count` ticks, or one more. Labels count from `origin`. */
export function timeTicks(window: TimeWindow, origin: Ns, count: number, clockIsNs: boolean): TimeTicks {
  const step = tickStep(window.end - window.start, count);
  const unit = unitFor(step, unitsOf(clockIsNs));
  const round = unit.size * 1000;
  const farthest = Math.max(Math.abs(window.start - origin), Math.abs(window.end - origin));
  // Labels are in full while they have few digits: always in seconds, else up to ten times the next coarser unit.
  const relative = unit.size < 1e9 && farthest >= round * 10;
  const first = Math.ceil((window.start - origin) / step - 1e-9);
  const ticks: TimeTick[] = [];
  for (let i = first; origin + i * step < window.end && ticks.length < 1000; i++) {
    const value = i * step;
    const rest = relative ? value - Math.floor(value / round) * round : 0;
    const major = relative && rest === 0;
    const label = rest === 0 ? formatTime(value, step, clockIsNs) : `+${(rest / unit.size).toFixed(0)} ${unit.name}`;
    ticks.push({ at: ns(origin + value), label, major });
  }
  const leftmost = first * step;
  const base = Math.floor(leftmost / round) * round;
  return { ticks, base: relative && base !== leftmost ? formatTime(base, round, clockIsNs) : null };
}

/** A time with as many digits as a step needs, in the coarsest unit that leaves something before the point. */
export function formatTime(value: number, step: number, clockIsNs: boolean): string {
  if (value === 0) return `0 ${unitFor(step, unitsOf(clockIsNs)).name}`;
  const { text, unit } = fixed(value, step, clockIsNs);
  return `${trimZeros(text)} ${unit}`;
}

/** The same with all digits, for a text that changes all the time and whose width should not. */
export function formatInstant(value: number, step: number, clockIsNs: boolean): string {
  const { text, unit } = fixed(value, step, clockIsNs);
  return `${text} ${unit}`;
}

function fixed(value: number, step: number, clockIsNs: boolean): { readonly text: string; readonly unit: string } {
  const unit = unitFor(Math.max(Math.abs(value), step), unitsOf(clockIsNs));
  const digits = Math.min(9, Math.max(0, Math.ceil(Math.log10(unit.size / step) - 1e-9)));
  return { text: `${value < 0 ? '−' : ''}${(Math.abs(value) / unit.size).toFixed(digits)}`, unit: unit.name };
}

function unitFor(value: number, units: readonly Unit[]): Unit {
  return units.findLast((unit) => value >= unit.size) ?? { size: 1, name: units[0]?.name ?? '' };
}

function trimZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
