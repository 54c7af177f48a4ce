/**
 * The window as a brush on the overview: what a pointer takes hold of, and which window its movement makes. Pure; times
 * are the view's.
 */
import { type Ns, ns, type TimeWindow } from '../../../base/units';

/** What was taken hold of: the window, one of its edges, or a place outside, from which another window is drawn. */
export type Grip = 'window' | 'start' | 'end' | 'outside';

/** CSS pixels around an edge in which it can be taken hold of; inside a narrow window, a quarter of it. */
const REACH = 6;

/** What is at `x`. `from`, `to`: the window's edges; all in CSS pixels. The whole trace is no window that could move. */
export function gripAt(x: number, from: number, to: number, isWhole: boolean): Grip {
  const inner = Math.min(REACH, (to - from) / 4);
  if (x >= from - REACH && x <= from + inner) return 'start';
  if (x >= to - inner && x <= to + REACH) return 'end';
  return x > from && x < to && !isWhole ? 'window' : 'outside';
}

/** The window that `grip`, moved from the instant `down` to `at`, makes of `before`, within `bounds`. */
export function brushed(grip: Grip, before: TimeWindow, down: Ns, at: Ns, bounds: TimeWindow): TimeWindow {
  const clamp = (time: number): Ns => ns(Math.min(Math.max(time, bounds.start), bounds.end));
  switch (grip) {
    case 'window': {
      const by = Math.min(Math.max(at - down, bounds.start - before.start), bounds.end - before.end);
      return { start: ns(before.start + by), end: ns(before.end + by) };
    }
    case 'start':
      return ordered(clamp(at), before.end);
    case 'end':
      return ordered(before.start, clamp(at));
    case 'outside':
      return ordered(clamp(down), clamp(at));
  }
}

/** The window, with its middle at an instant. */
export function centred(before: TimeWindow, at: Ns, bounds: TimeWindow): TimeWindow {
  const middle = ns((before.start + before.end) / 2);
  return brushed('window', before, middle, at, bounds);
}

function ordered(one: Ns, other: Ns): TimeWindow {
  return one <= other ? { start: one, end: other } : { start: other, end: one };
}
