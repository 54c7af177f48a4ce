/**
 * Converts time to pixels and back.
 *
 *     window.start                         window.end
 *     |------------------------------------|            Ns
 *     0                                    width        device pixels of the plot, without the gutter
 */
import { type CssPx, cssPx, type DevPx, devPx, type Ns, ns, type TimeWindow } from '../../base/units';

export class Timescale {
  readonly window: TimeWindow;
  /** The width of the plot. */
  readonly width: DevPx;
  readonly pixelRatio: number;
  readonly nsPerDevPx: number;

  /** `width` in device pixels, at least one. */
  constructor(window: TimeWindow, width: DevPx, pixelRatio: number) {
    this.window = window;
    this.width = devPx(Math.max(1, width));
    this.pixelRatio = pixelRatio;
    this.nsPerDevPx = (window.end - window.start) / this.width;
  }

  timeToDevPx(time: Ns): DevPx {
    return devPx((time - this.window.start) / this.nsPerDevPx);
  }

  timeToCssPx(time: Ns): CssPx {
    return cssPx(this.timeToDevPx(time) / this.pixelRatio);
  }

  cssPxToTime(x: CssPx): Ns {
    return ns(this.window.start + x * this.pixelRatio * this.nsPerDevPx);
  }

  get nsPerCssPx(): number {
    return this.nsPerDevPx * this.pixelRatio;
  }

  /** Whether any part of `[start, end)` is on the screen. */
  shows(start: Ns, end: Ns): boolean {
    return start < this.window.end && this.window.start < end;
  }
}

/** The window at a share of the way from one window to another. What is at the same place in both stays there. */
export function between(from: TimeWindow, to: TimeWindow, share: number): TimeWindow {
  return {
    start: ns(from.start + (to.start - from.start) * share),
    end: ns(from.end + (to.end - from.end) * share),
  };
}

/** Whether two windows look the same at a width of `width` device pixels. */
export function looksLike(a: TimeWindow, b: TimeWindow, width: DevPx): boolean {
  const tolerance = ((b.end - b.start) / Math.max(1, width)) * 0.25;
  return Math.abs(a.start - b.start) <= tolerance && Math.abs(a.end - b.end) <= tolerance;
}
