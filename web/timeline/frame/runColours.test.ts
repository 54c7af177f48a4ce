import { expect, test, vi } from 'vitest';
import { paletteBytes, pidRgb } from './colours';
import { PidWords } from './pidWords';
import { RunColours } from './runColours';

const PIDS = [0, 4242, 7, 4242, -1, 70_000, 1 << 22, 4_194_303];

test('the palette of PIDs has their colours', () => {
  const colours = new RunColours({ comms: [], pids: new Int32Array(0), prios: new Int16Array(0) }, 'dark');
  const bytes = paletteBytes(PIDS.map((pid) => colours.ofPid(pid)));
  expect(colours.paletteOf(Int32Array.from(PIDS))).toEqual(bytes);
  expect(colours.paletteOf(Int32Array.of(...PIDS, 9)).subarray(0, bytes.length)).toEqual(bytes);
});

test('the colour of a PID that can be one is made only once', () => {
  const make = vi.fn((pid: number) => pidRgb(pid, 'light'));
  const words = new PidWords('light', make);
  const first = PIDS.map((pid) => words.of(pid));
  expect(PIDS.map((pid) => words.of(pid))).toEqual(first);
  expect(make.mock.calls.flat()).toEqual([0, 4242, 7, -1, 70_000, 1 << 22, 4_194_303, -1, 1 << 22]);
});

test('a PID that came back has the priority of its last task', () => {
  const trace = { comms: [], pids: Int32Array.of(5, 6, 5), prios: Int16Array.of(98, 120, 139) };
  const colours = new RunColours(trace, 'light');
  const of = (prio: number) =>
    new RunColours({ comms: [], pids: Int32Array.of(1), prios: Int16Array.of(prio) }, 'light').ofPriority(1);
  expect([5, 6, 7].map((pid) => colours.ofPriority(pid))).toEqual([of(139), of(120), of(32767)]);
  expect(colours.ofPriority(5)).not.toBe(of(98));
});
