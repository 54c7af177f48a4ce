// @ts-check
// Who wakes whom: what a wakeup's event tells of its waker.

/** @typedef {'task' | 'hardirq' | 'softirq' | 'unknown'} Context */

/**
 * @typedef {object} Wakeup
 * @property {number} at start of the clock
 * @property {string} event that started it
 * @property {number} wakerCpu where it was written
 * @property {Context | undefined} context where the text has flags
 * @property {import('./tasks.mjs').Task | undefined} waker none for idle, and where it is not known
 * @property {import('./tasks.mjs').Run | undefined} wakerRun in which it was written; none where the lane has another task
 * @property {number | undefined} previous CPU that the wakee ran on last
 * @property {number | undefined} woken when the wakee became runnable
 * @property {number | undefined} chosen CPU that it was put on
 */

/**
 * The context that an event's flags tell (include/linux/trace_events.h).
 *
 * @param {import('./report.mjs').Event} event
 * @returns {Context | undefined}
 */
export function contextOf({ flags }) {
  if (flags === undefined) return undefined;
  if (flags & 0x48) return 'hardirq';
  return flags & 0x10 ? 'softirq' : 'task';
}

/**
 * Of a sched_wakeup without sched_waking: one that the chosen CPU writes in an interrupt or in its idle loop may be for
 * another CPU's wakeup.
 *
 * @param {import('./report.mjs').Event} event
 * @returns {Context | undefined}
 */
export function contextOfWakeup(event) {
  const context = contextOf(event);
  if (context === 'task') return event.by === 0 ? 'unknown' : context;
  return context === 'hardirq' && event.target === event.cpu ? 'unknown' : context;
}
