/**
 * Trace times as people and URLs name them: absolute, in seconds with nine decimals, as `trace-cmd report -t` prints
 * them. Absolute nanoseconds do not fit into a double (2^53 ns = 104 days), so this is `bigint` arithmetic.
 */
import { type Ns, ns } from './units';

/** How the times of a trace are read. */
export interface TraceClock {
  /** Absolute time of the trace's first event. */
  readonly baseNs: bigint;
  /** False for clocks that count raw ticks (x86-tsc, counter): then every time is a number of ticks. */
  readonly isNs: boolean;
}

const NS_PER_S = 1_000_000_000n;

/** Absolute time: `1234.000005678`, or the bare number of ticks. */
export function absoluteText(clock: TraceClock, time: Ns): string {
  const absolute = clock.baseNs + BigInt(Math.round(time));
  if (!clock.isNs) {
    return absolute.toString();
  }
  const magnitude = absolute < 0n ? -absolute : absolute;
  const sign = absolute < 0n ? '-' : '';
  return `${sign}${magnitude / NS_PER_S}.${(magnitude % NS_PER_S).toString().padStart(9, '0')}`;
}

/** Reads what `absoluteText` writes, in nanoseconds or ticks; fewer decimals are allowed. null: not a time. */
export function parseAbsolute(text: string): bigint | null {
  const match = /^(-?)(\d{1,20})(?:\.(\d{1,9}))?$/.exec(text);
  if (!match?.[2]) {
    return null;
  }
  const whole = BigInt(match[2]);
  const magnitude = match[3] === undefined ? whole : whole * NS_PER_S + BigInt(match[3].padEnd(9, '0'));
  return match[1] === '-' ? -magnitude : magnitude;
}

/** Time since the trace's first event; negative before it. */
export function sinceBase(clock: TraceClock, absolute: bigint): Ns {
  return ns(Number(absolute - clock.baseNs));
}
