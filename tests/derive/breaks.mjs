// @ts-check
// Where a CPU's switches do not follow each other: what it did in between is unknown, though nothing says that events were lost.

/** @typedef {import('./report.mjs').Event} Event */

/** For how long a CPU has written nothing that is offline at the end, in ns. */
const SILENT = 10e6;

/**
 * Puts an event of kind `lost` behind each switch whose successor on that CPU takes another task off it. It is of cause `break`, or
 * `offline` if it was the CPU's stopper that never left, and idle or the thread that brings CPUs up is next.
 *
 * @param {Event[]} events in order, with takeovers
 * @param {number} last when the trace ends
 * @param {(number | undefined)[]} latest when each CPU wrote its last record
 */
export function withBreaks(events, last, latest) {
  /** @type {Map<number, {by: Event, pid: number, takeovers: Event[]}>} the last switch of each CPU, and who has it since */
  const running = new Map();
  /** @type {Map<Event, 'break' | 'offline'>} */
  const broken = new Map();
  for (const event of events) {
    const { kind, cpu, pid } = event;
    const before = running.get(cpu);
    if (kind === 'lost') running.delete(cpu);
    else if (kind === 'takeover') {
      const on = event.target === undefined ? undefined : running.get(event.target);
      // The leader dies under the pid that the thread had, on whichever CPU it still runs.
      for (const leader of running.values()) {
        if (leader !== on && leader.pid === pid) leader.pid = event.next;
      }
      if (on?.pid === event.next) {
        on.pid = pid;
        on.takeovers.push(event);
      }
    } else if (kind === 'sched_switch') {
      if (before && before.pid !== pid) {
        const back = pid === 0 || event.comm === `cpuhp/${cpu}`;
        broken.set(before.by, back && isStopper(before.by) ? 'offline' : 'break');
        // The thread is not known to run there any more.
        for (const takeover of before.takeovers) takeover.target = undefined;
      }
      running.set(cpu, { by: event, pid: event.next, takeovers: [] });
    }
  }
  for (const [cpu, { by }] of running) {
    if (isStopper(by) && (latest[cpu] ?? last) + SILENT <= last) broken.set(by, 'offline');
  }
  if (broken.size === 0) return events;
  return events.flatMap((event) => {
    const cause = broken.get(event);
    return cause ? [event, gap(event, cause)] : [event];
  });
}

/** @param {Event} event */
function isStopper({ cpu, nextComm }) {
  return nextComm === `migration/${cpu}`;
}

/**
 * @param {Event} event
 * @param {'break' | 'offline'} cause
 * @returns {Event}
 */
function gap(event, cause) {
  return { ...event, kind: 'lost', cause, pid: 0, comm: '', next: 0, nextComm: '', state: 0, by: 0 };
}
