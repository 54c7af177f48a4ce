/** How single values are written in a URL. `parse…` gives null if the text is not what the field may hold. */
import { absoluteText, parseAbsolute, type TraceClock } from '../../base/traceTime';
import type { Ns, TimeWindow } from '../../base/units';
import type { CallRef } from '../calls';

export interface AbsoluteWindow {
  readonly start: bigint;
  readonly end: bigint;
}

/** A place on the lanes: a CPU and an absolute time. */
export interface AbsolutePlace {
  readonly cpu: number;
  readonly start: bigint;
}

/** A call: its thread, and the absolute time at which it was entered. */
export interface AbsoluteCall {
  readonly pid: number;
  readonly generation: number;
  readonly start: bigint;
}

export const parseFlag = (text: string): boolean | null => (text === '1' ? true : text === '0' ? false : null);

export const oneOf =
  <T extends string>(values: readonly T[]) =>
  (text: string): T | null =>
    values.find((value) => value === text) ?? null;

/** Accepts a text of at most this many characters. */
export const atMost =
  (length: number) =>
  (text: string): string | null =>
    text.length <= length ? text : null;

/** A number as the view holds it when it rests: rounded to thousandths. */
export const decimals = (value: number): string => `${Math.round(value * 1000) / 1000}`;

/** Reads two numbers that are not negative, such as `2,0.5`. */
export function parsePair(text: string): readonly [number, number] | null {
  const match = /^(\d+(?:\.\d+)?),(\d+(?:\.\d+)?)$/.exec(text);
  return match ? [Number(match[1]), Number(match[2])] : null;
}

export const printWindow = (clock: TraceClock, { start, end }: TimeWindow): string =>
  `${absoluteText(clock, start)}-${absoluteText(clock, end)}`;

export function parseWindow(text: string): AbsoluteWindow | null {
  const match = /^(-?[\d.]+)-(-?[\d.]+)$/.exec(text);
  const start = parseAbsolute(match?.[1] ?? '');
  const end = parseAbsolute(match?.[2] ?? '');
  return start !== null && end !== null && start < end ? { start, end } : null;
}

export const printPlace = (clock: TraceClock, cpu: number, at: Ns): string => `${cpu}@${absoluteText(clock, at)}`;

export function parsePlace(text: string): AbsolutePlace | null {
  const match = /^(\d{1,6})@(-?[\d.]+)$/.exec(text);
  const start = parseAbsolute(match?.[2] ?? '');
  return match && start !== null ? { cpu: Number(match[1]), start } : null;
}

/** `304@92.412905250`, `304.1@…` for the second thread with that PID. */
export const printCall = (clock: TraceClock, { pid, generation, at }: CallRef): string =>
  `${pid}${generation === 0 ? '' : `.${generation}`}@${absoluteText(clock, at)}`;

export function parseCall(text: string): AbsoluteCall | null {
  const match = /^(\d{1,10})(?:\.(\d{1,9}))?@(-?[\d.]+)$/.exec(text);
  const start = parseAbsolute(match?.[3] ?? '');
  return match && start !== null ? { pid: Number(match[1]), generation: Number(match[2] ?? 0), start } : null;
}
