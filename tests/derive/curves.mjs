// @ts-check
// How many CPUs ran and idled, and how many tasks waited, at every instant; means, maxima and overload are computed
// from that.

/** @typedef {{start: number, end: number}} Period */

/**
 * @typedef {object} Curves
 * @property {{mean: number, max: number}} running CPUs that run a task other than idle
 * @property {{mean: number, max: number}} waiting runnable tasks that do not run
 * @property {{violation_ns: number, cost_task_ns: number, intervals: number}} overload tasks wait while CPUs idle
 * @property {Violation[]} violations the maximal intervals of overload
 */

/** @typedef {{start: number, end: number, cost: number, waitingMax: number}} Violation */

/**
 * @param {{first: number, last: number}} window
 * @param {Period[]} runs
 * @param {Period[]} idles of CPUs that are known to idle
 * @param {Period[]} waits
 * @returns {Curves}
 */
export function deriveCurves({ first, last }, runs, idles, waits) {
  const running = new StepCurve(runs);
  const idle = new StepCurve(idles);
  const waiting = new StepCurve(waits);

  let runningArea = 0;
  let waitingArea = 0;
  let runningMax = 0;
  let waitingMax = 0;
  const overload = { violation_ns: 0, cost_task_ns: 0, intervals: 0 };
  /** @type {Violation[]} */
  const violations = [];
  /** @type {Violation | undefined} */
  let violation;

  // Goes from each instant at which some curve steps to the next; what holds for no time does not count.
  for (let t = first; t < last; ) {
    const ran = running.at(t);
    const idled = idle.at(t);
    const waited = waiting.at(t);
    const end = Math.min(last, running.nextStep(), idle.nextStep(), waiting.nextStep());
    const width = end - t;
    runningArea += ran * width;
    waitingArea += waited * width;
    runningMax = Math.max(runningMax, ran);
    waitingMax = Math.max(waitingMax, waited);
    const cost = Math.min(idled, waited);
    if (cost > 0) {
      overload.violation_ns += width;
      overload.cost_task_ns += cost * width;
      if (!violation) {
        violation = { start: t, end: t, cost: 0, waitingMax: 0 };
        violations.push(violation);
        overload.intervals++;
      }
      violation.end = end;
      violation.cost += cost * width;
      violation.waitingMax = Math.max(violation.waitingMax, waited);
    } else {
      violation = undefined;
    }
    t = end;
  }
  const span = last - first;
  return {
    running: { mean: span > 0 ? runningArea / span : 0, max: runningMax },
    waiting: { mean: span > 0 ? waitingArea / span : 0, max: waitingMax },
    overload,
    violations,
  };
}

/** The number of periods that contain an instant; the instants that are asked for must ascend. */
export class StepCurve {
  /** @param {Period[]} periods */
  constructor(periods) {
    // Filled by hand: Float64Array.from takes seconds for the millions of periods of a large trace.
    this.starts = new Float64Array(periods.length);
    this.ends = new Float64Array(periods.length);
    periods.forEach(({ start, end }, index) => {
      this.starts[index] = start;
      this.ends[index] = end;
    });
    this.starts.sort();
    this.ends.sort();
    this.started = 0;
    this.ended = 0;
  }

  /** @param {number} t not before the instant asked for last */
  at(t) {
    while (this.started < this.starts.length && this.starts[this.started] <= t) this.started++;
    while (this.ended < this.ends.length && this.ends[this.ended] <= t) this.ended++;
    return this.started - this.ended;
  }

  /** The first instant, after the one that was asked for last, at which a period starts or ends. */
  nextStep() {
    return Math.min(this.starts[this.started] ?? Infinity, this.ends[this.ended] ?? Infinity);
  }
}

/**
 * For how many CPUs it is known what they do.
 *
 * @param {{first: number, last: number}} window
 * @param {(Period & {kind: string})[]} intervals of all CPUs
 */
export function knownCpus({ first, last }, intervals) {
  const told = intervals.filter(({ kind }) => kind !== 'unknown');
  if (last <= first) return { mean: 0, min: 0 };
  const changes = told.flatMap(({ start, end }) => [
    { t: start, by: 1 },
    { t: end, by: -1 },
  ]);
  changes.sort((a, b) => a.t - b.t);
  let [known, sum, min, t] = [0, 0, Number.POSITIVE_INFINITY, first];
  for (const change of [...changes, { t: last, by: 0 }]) {
    const at = Math.min(last, Math.max(first, change.t));
    if (at > t) min = Math.min(min, known);
    sum += known * (at - t);
    t = at;
    known += change.by;
  }
  return { mean: sum / (last - first), min };
}
