// @ts-check
// The findings of `corelane findings` about whole commands, from the derived story alone: gaps and preemptions.

/**
 * @typedef {import('./numbers.mjs').DerivedTrace} DerivedTrace
 * @typedef {import('./tasks.mjs').Run} Run
 * @typedef {{comm: string, start: number, end: number, cost: bigint}} Gap
 * @typedef {{comm: string, count: number, involuntary: number, cost: number}} Preemptor
 */

/**
 * Periods in which fewer than half as many tasks of a command run as usual, for commands of which at least half a task
 * usually runs: the mean between the command's first and last run.
 *
 * @param {DerivedTrace} trace
 * @returns {Gap[]}
 */
export function deriveGaps({ story }) {
  /** @type {Map<string, Run[]>} */
  const byComm = new Map();
  for (const run of story.runs) {
    if (run.start < run.end) byComm.set(run.comm, [...(byComm.get(run.comm) ?? []), run]);
  }
  return [...byComm].flatMap(([comm, runs]) => gapsOf(comm, runs));
}

/** @param {string} comm @param {Run[]} runs */
function gapsOf(comm, runs) {
  const first = Math.min(...runs.map(({ start }) => start));
  const length = Math.max(...runs.map(({ end }) => end)) - first;
  const busy = runs.reduce((sum, { start, end }) => sum + end - start, 0);
  if (length > 2 * busy) return [];
  const changes = runs.flatMap(({ start, end }) => [
    { t: start, by: 1 },
    { t: end, by: -1 },
  ]);
  changes.sort((a, b) => a.t - b.t);
  /** @type {Gap[]} */
  const gaps = [];
  /** @type {{start: number, ran: bigint} | undefined} */
  let gap;
  /** @param {number} end */
  const close = (end) => {
    if (!gap) return;
    const usually = (BigInt(busy) * BigInt(end - gap.start)) / BigInt(length);
    gaps.push({ comm, start: gap.start, end, cost: usually - gap.ran });
    gap = undefined;
  };
  let running = 0;
  for (const [index, { t, by }] of changes.entries()) {
    running += by;
    const next = changes[index + 1]?.t;
    if (next === undefined || next === t) continue;
    if (2n * BigInt(running) * BigInt(length) < BigInt(busy)) {
      gap ??= { start: t, ran: 0n };
      gap.ran += BigInt(running) * BigInt(next - t);
    } else close(t);
  }
  close(first + length);
  return gaps;
}

/**
 * The commands that ran next after tasks of others that stayed runnable and are not known to have yielded, and for how long.
 * The threads of one kind of worker (`kworker/3:1`) are one command.
 *
 * @param {DerivedTrace} trace
 * @returns {Preemptor[]}
 */
export function derivePreemptors({ story, report }) {
  /** @type {Run[][]} */
  const byCpu = Array.from({ length: report.cpus }, () => []);
  for (const run of story.runs) byCpu[run.cpu].push(run);
  const command = (/** @type {Run} */ run) => run.comm.split('/')[0];
  /** @type {Map<string, Preemptor>} */
  const found = new Map();
  for (const runs of byCpu) {
    for (const [index, run] of runs.entries()) {
      const next = runs[index + 1];
      if (run.ended !== 'preempted' || next?.start !== run.end || command(next) === command(run)) continue;
      const comm = command(next);
      const { count, involuntary, cost } = found.get(comm) ?? { count: 0, involuntary: 0, cost: 0 };
      let last = next;
      while (last.to) last = last.to;
      const forced = involuntary + (run.letters?.endsWith('+') ? 1 : 0);
      found.set(comm, { comm, count: count + 1, involuntary: forced, cost: cost + last.end - next.start });
    }
  }
  return [...found.values()].filter(({ cost }) => cost > 0);
}
