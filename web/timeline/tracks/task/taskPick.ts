/** Finds the state of a task under the pointer by asking the engine, by time and task. */
import { ns, type TimeWindow } from '../../../base/units';
import type { EngineClient } from '../../../engine/client';
import type { TaskId, TaskInterval, TaskState } from '../../../engine/protocol';

/** Ranks of states: where a pixel holds several, the highest is meant, which is the most visible or leads to a run. */
const RANK: Readonly<Record<TaskState, number>> = {
  running: 5,
  blocked: 4,
  runnable: 3,
  stopped: 2,
  throttled: 2,
  sleeping: 1,
  new: 1,
  unknown: 1,
  dead: 0,
  unborn: 0,
};
/** How many states of a pixel are looked at, since it may hold thousands. */
const MOST_LOOKS = 6;

/**
 * The state of a lane at the pointer: of those within `around` (the pixel and its neighbours), the most telling one.
 */
export async function pickState(
  engine: EngineClient,
  key: string,
  task: TaskId,
  around: TimeWindow,
): Promise<TaskInterval | null | 'superseded'> {
  const at = ns(Math.max(0, Math.floor((around.start + around.end) / 2)));
  const middle = await engine.query(key, { type: 'at', kind: 'task', key: task, at });
  if (middle.kind === 'superseded') return 'superseded';
  let best = middle.kind === 'answer' ? middle.answer.item : null;
  if (best === null || (best.start <= around.start && around.end <= best.end)) return best;
  let next = ns(Math.max(0, Math.floor(around.start)));
  for (let look = 0; look < MOST_LOOKS && next < around.end && RANK[best.state] < RANK.running; look++) {
    const outcome = await engine.query(key, { type: 'at', kind: 'task', key: task, at: next });
    if (outcome.kind === 'superseded') return 'superseded';
    const found = outcome.kind === 'answer' ? outcome.answer.item : null;
    if (found === null || found.end <= next) break;
    if (RANK[found.state] > RANK[best.state]) best = found;
    next = found.end;
  }
  return best;
}
