import { expect, test, vi } from 'vitest';
import { paletteBytes } from './colours';
import { RunColours } from './runColours';

test('the palette of PIDs has their colours, and makes each only once', () => {
  const colours = new RunColours({ comms: [], pids: new Int32Array(0), prios: new Int16Array(0) }, 'dark');
  const pids = Int32Array.of(0, 4242, 7, 4242);
  const bytes = paletteBytes(Array.from(pids, (pid) => colours.ofPid(pid)));
  const made = vi.spyOn(colours, 'ofPid');
  expect(colours.paletteOf(pids)).toEqual(bytes);
  expect(colours.paletteOf(Int32Array.of(...pids, 9)).subarray(0, bytes.length)).toEqual(bytes);
  expect(made.mock.calls).toEqual([[0], [4242], [7], [9]]);
});
