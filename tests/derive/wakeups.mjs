// @ts-check
// Which task wakes which: what a wakeup's event says about its waker.

/** @typedef {'task' | 'hardirq' | 'softirq' | 'unknown'} Context */

/**
 * @typedef {object} Wakeup
 * @property {number} at the time from which the latency counts
 * @property {string} event the event at that time
 * @property {number} wakerCpu the CPU on which it was written
 * @property {Context | undefined} context the context, if the text has flags
 * @property {import('./tasks.mjs').Task | undefined} waker none for idle, or if it is not known
 * @property {import('./tasks.mjs').Run | undefined} wakerRun in which it was written; none where the lane has another task
 * @property {number | undefined} previous the CPU on which the wakee ran last
 * @property {number | undefined} woken when the wakee became runnable
 * @property {number | undefined} chosen the CPU on which it was placed
 */

/**
 * The context that an event's flags show (include/linux/trace_events.h).
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
 * The context of a sched_wakeup without sched_waking: if the chosen CPU writes it in an interrupt or in its idle loop,
 * it may be for a wakeup that another CPU made.
 *
 * @param {import('./report.mjs').Event} event
 * @returns {Context | undefined}
 */
export function contextOfWakeup(event) {
  const context = contextOf(event);
  if (context === 'task') return event.by === 0 ? 'unknown' : context;
  return context === 'hardirq' && event.target === event.cpu ? 'unknown' : context;
}
