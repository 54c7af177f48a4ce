/** What is on the screen of the task lanes, in numbers, for tests. */
import { lanesInSight, laneTop } from '../../frame/laneLayout';
import type { PaintedRow } from '../laneRows';
import type { PaintedStrip } from './kernelStrips';
import { DRAWN_STATES, mergeShares, noBucket, noShares, type Shares } from './taskShares';
import type { TasksPane } from './tasksPane';
import { BLOCK } from './taskTiles';

/** The state of one lane. Positions are CSS pixels from the plot's top. */
export interface TaskLaneState {
  readonly pid: number;
  readonly generation: number;
  readonly top: number;
  readonly height: number;
  /** For each state, its share of the lane's time, and in how many device-pixel columns it is seen. */
  readonly shares: Readonly<Shares>;
  readonly columns: Readonly<Shares>;
  /** In how many columns there are calls, failed ones and interrupts. */
  readonly strip: PaintedStrip;
  /** The line of the counter. */
  readonly counter: PaintedRow;
}

/** The state of the lanes in sight, found by merging their cells again as the screen did. */
export function taskLaneStates(pane: TasksPane): TaskLaneState[] {
  const { layout, scale } = pane;
  const { first, end } = lanesInSight(layout);
  const merged = noShares();
  return pane.lanes.lanes.slice(first, end).map(({ pid, generation }, i) => {
    const lane = first + i;
    const shares = noShares();
    const columns = noShares();
    for (const { segment, tiles } of pane.parts(Math.floor(lane / BLOCK))) {
      const same = noBucket();
      for (let x = segment.x0; x < segment.x1; x++) {
        mergeShares(segment, tiles, lane % BLOCK, x, merged, same);
        for (const state of DRAWN_STATES) {
          shares[state] += merged[state] / scale.width;
          columns[state] += merged[state] > 0 ? 1 : 0;
        }
      }
    }
    const top = laneTop(layout, lane);
    const [strip, counter] = [pane.strips.painted(lane), pane.counter.painted(lane)];
    return { pid, generation, top, height: layout.pitch, shares, columns, strip, counter };
  });
}
