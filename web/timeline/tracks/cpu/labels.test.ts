import { describe, expect, it } from 'vitest';
import { cssPx, devPx, ns } from '../../../base/units';
import type { LabelRun } from '../../../engine/protocol';
import { layoutLanes } from '../../frame/laneLayout';
import { Timescale } from '../../frame/timescale';
import type { TraceInfo } from '../../frame/traceInfo';
import { clipLine } from '../../overlay/paint';
import { placeLabels } from './labels';

const trace = {
  laneOf: new Map([
    [4, 0],
    [5, 1],
  ]),
} as unknown as TraceInfo;
const layout = layoutLanes(2, cssPx(100), 1, 0);
const scale = new Timescale({ start: ns(0), end: ns(1000) }, devPx(2000), 2);
const run = (cpu: number, start: number, end: number): LabelRun => ({
  cpu,
  start: ns(start),
  end: ns(end),
  pid: 7,
  comm: 'bash',
});
/** Places labels whose texts are ten pixels wide for each character. */
const place = (...runs: LabelRun[]) => placeLabels(runs, trace, scale, layout, (text) => 10 * text.length);

describe('texts in runs', () => {
  it('name command and PID where they fit, else the command, else nothing', () => {
    expect(place(run(4, 100, 200), run(4, 300, 350), run(4, 400, 430)).map(({ text }) => text)).toEqual([
      'bash:7',
      'bash',
    ]);
  });

  it('are at the window’s edge for runs that began before it', () => {
    expect(place(run(5, -5000, 100))).toMatchObject([{ x: 4, y: 75 }]);
  });

  it('are left out for CPUs and times that are not shown', () => {
    expect(place(run(9, 100, 200), run(4, 2000, 3000))).toEqual([]);
  });
});

describe('clipping arrows', () => {
  it('keeps the direction', () => {
    expect(clipLine({ x: -1000, y: 0 }, { x: 1000, y: 200 }, -100, 100)).toEqual({
      tail: { x: -100, y: 90 },
      head: { x: 100, y: expect.closeTo(110) },
    });
  });

  it('keeps upright ones, and drops what is outside', () => {
    expect(clipLine({ x: 5, y: 0 }, { x: 5, y: 9 }, 0, 10)).toEqual({ tail: { x: 5, y: 0 }, head: { x: 5, y: 9 } });
    expect(clipLine({ x: -5, y: 0 }, { x: -6, y: 9 }, 0, 10)).toBeNull();
  });
});
