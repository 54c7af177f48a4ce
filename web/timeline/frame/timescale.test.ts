import { describe, expect, it } from 'vitest';
import { cssPx, devPx, ns } from '../../base/units';
import { Glide } from './glide';
import { between, Timescale } from './timescale';

const window = (start: number, end: number) => ({ start: ns(start), end: ns(end) });

describe('the time scale', () => {
  it('goes there and back exactly, down to a nanosecond at a hundred seconds', () => {
    const scale = new Timescale(window(100e9, 100e9 + 16), devPx(3200), 2);
    for (let x = 0; x <= 1600; x += 100) {
      const time = scale.cssPxToTime(cssPx(x));
      expect(scale.timeToCssPx(time)).toBeCloseTo(x, 1);
    }
    expect(scale.cssPxToTime(cssPx(100))).toBe(100e9 + 1);
  });

  it('maps the ends of the window to the ends of the plot', () => {
    const scale = new Timescale(window(5, 1605), devPx(1600), 1);
    expect([scale.timeToDevPx(ns(5)), scale.timeToDevPx(ns(1605))]).toEqual([0, 1600]);
    expect(scale.nsPerDevPx).toBe(1);
  });

  it('keeps what is at the same place in two windows there on the way', () => {
    // 300 is in the middle of both.
    const half = between(window(0, 600), window(200, 400), 0.5);
    expect((half.start + half.end) / 2).toBe(300);
  });
});

describe('gliding', () => {
  it('arrives, and stops moving', () => {
    const glide = new Glide();
    glide.advance(0, window(0, 1000), devPx(1000));
    const target = window(400, 500);
    let frames = 0;
    for (let now = 16; glide.advance(now, target, devPx(1000)) && frames < 100; now += 16) frames++;
    expect(glide.shown).toEqual(target);
    expect(frames).toBeGreaterThan(5);
    expect(frames).toBeLessThan(60);
  });

  it('jumps when told so', () => {
    const glide = new Glide();
    glide.advance(0, window(0, 1000), devPx(1000));
    glide.jump();
    expect(glide.advance(16, window(400, 500), devPx(1000))).toBe(false);
    expect(glide.shown).toEqual(window(400, 500));
  });
});
