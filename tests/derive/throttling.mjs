// @ts-check
// Deadline tasks that a switch says are runnable, though they are off their runqueue until their next period.

/**
 * A deadline task (priority below 0) that is runnable goes before all but other deadline tasks and the stop class, of which
 * priority 0 may be: where something else comes next, it is not on the runqueue.
 *
 * @param {string} letters of its prev_state
 * @param {import('./report.mjs').Event} event that switches it out
 */
export function isThrottled(letters, { prio = 0, nextPrio = 0 }) {
  return letters.startsWith('R') && prio < 0 && nextPrio > 0;
}
