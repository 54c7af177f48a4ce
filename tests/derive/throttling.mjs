// @ts-check
// Deadline tasks that a switch shows as runnable, though they are off their runqueue until their next period.

// The scheduler moves only tasks that are on a runqueue: a move of one shows that its next period has begun, and it waits.

/**
 * Whether a deadline task (priority below 0) is throttled. If it were runnable, it would run before everything except
 * other deadline tasks and the stop class, which may have priority 0: if anything else comes next, it is not on the
 * runqueue.
 *
 * @param {string} letters of its prev_state
 * @param {import('./report.mjs').Event} event that switches it out
 */
export function isThrottled(letters, { prio = 0, nextPrio = 0 }) {
  return letters.startsWith('R') && prio < 0 && nextPrio > 0;
}
