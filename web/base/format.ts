/** Numbers as texts, always with their unit; independent of locale and time zone. */
import { format } from 'd3-format';
import type { TraceClock } from './traceTime';
import type { Ns } from './units';

const grouped = format(',d');

/** `12,345` */
export const formatCount = (count: number): string => grouped(count);

/** `1 event`, `2 events` */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** `1.4 MB` (powers of ten, as disks and `ls -h --si` count) */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return unit === 0 ? plural(bytes, 'byte') : `${value.toFixed(value < 9.95 ? 1 : 0)} ${units[unit]}`;
}

/** `42 %`, with a decimal below 10. */
export function formatPercent(fraction: number): string {
  const percent = fraction * 100;
  return `${percent.toFixed(percent < 9.95 && percent > 0 ? 1 : 0)} %`;
}

type Time = Pick<TraceClock, 'isNs'>;

const DURATIONS = [
  { unit: 's', size: 1e9 },
  { unit: 'ms', size: 1e6 },
  { unit: 'µs', size: 1e3 },
] as const;

/** As the axis has them. */
const MANY_TICKS = [
  { unit: 'G ticks', size: 1e9 },
  { unit: 'M ticks', size: 1e6 },
  { unit: 'k ticks', size: 1e3 },
] as const;

/** So many ticks are told whole: they take no more room than four digits and a longer unit. */
const FEW_TICKS = 99_999.5;

/** Four significant digits: `12.35 ms`, `12.35 M ticks`. For tables and labels. */
export function formatDuration(clock: Time, duration: number): string {
  const magnitude = Math.abs(duration);
  for (const { unit, size } of clock.isNs ? DURATIONS : magnitude < FEW_TICKS ? [] : MANY_TICKS) {
    const value = magnitude / size;
    if (value >= 0.99995) {
      const decimals = value >= 999.95 ? 0 : value >= 99.995 ? 1 : value >= 9.9995 ? 2 : 3;
      return `${duration < 0 ? '-' : ''}${value.toFixed(decimals)} ${unit}`;
    }
  }
  return clock.isNs ? `${Math.round(duration)} ns` : plural(Math.round(duration), 'tick');
}

/** All digits down to the nanosecond: `12.345678 ms`. For details. */
export function exactDuration(clock: Time, duration: number): string {
  if (!clock.isNs) {
    return plural(Math.round(duration), 'tick');
  }
  const magnitude = Math.abs(Math.round(duration));
  const sign = duration < 0 ? '-' : '';
  if (magnitude >= 1e9) {
    return `${sign}${(magnitude / 1e9).toFixed(9)} s`;
  }
  if (magnitude >= 1e6) {
    return `${sign}${(magnitude / 1e6).toFixed(6)} ms`;
  }
  return magnitude >= 1e3 ? `${sign}${(magnitude / 1e3).toFixed(3)} µs` : `${sign}${magnitude} ns`;
}

/** A time on the axis, relative to its time 0: `1.234567890 s`. */
export function formatTime(clock: Time, time: Ns, origin: Ns, decimals = 9): string {
  const relative = time - origin;
  return clock.isNs ? `${(relative / 1e9).toFixed(decimals)} s` : plural(Math.round(relative), 'tick');
}
